/** The methods that are set side by side, each as a command that reads a folder of data, and how one is run. */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BYTECODE_BUDGET } from "../../src/cli/world/compiling.js";
import type { Outcome } from "./outcome.js";

const here = import.meta.dirname;
/** With the flag that the command sets for itself. */
const ours = (method: string) => [
  process.execPath,
  `--interrupt-budget=${BYTECODE_BUDGET}`,
  ...["--import", "tsx", join(here, "ours.ts"), method],
];
const inR = (method: string) => ["Rscript", join(here, "peers.R"), method];

/** Debian's Python has scikit-learn; another can be told. */
const PYTHON = process.env.PYTHON ?? "/usr/bin/python3";

export const METHODS = {
  "sparrow fit": ours("fit"),
  "sparrow lasso path": ours("lasso"),
  "glmnet path": inR("glmnet"),
  "glmnet relaxed": inR("relaxed"),
  "scikit-learn path": [PYTHON, join(here, "peers.py")],
  "susieR susie": inR("susie"),
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Method = keyof typeof METHODS;

export interface Limits {
  readonly minutes: number;
  readonly gigabytes: number;
}

/** What came of a method: what it printed, and the seconds of the whole process; or why there is nothing. */
export type Ran =
  | { readonly outcome: Outcome; readonly wholeSeconds: number }
  | { readonly failure: string; readonly wholeSeconds: number };

/** How often memory is looked at, in milliseconds. */
const LOOK = 100;

/** A process of its own, alone. Whoever takes more memory or time than the limits is stopped. */
export function runMethod(method: Method, folder: string, limits: Limits): Promise<Ran> {
  const [program, ...words] = METHODS[method];
  return new Promise((resolve) => {
    const from = performance.now();
    const child = spawn(program, [...words, folder], { stdio: ["ignore", "pipe", "pipe"] });
    let [text, errors, stopped] = ["", "", ""];
    const end = (what: { outcome: Outcome } | { failure: string }): void => {
      clearInterval(watch);
      resolve({ ...what, wholeSeconds: (performance.now() - from) / 1000 });
    };
    const watch = setInterval(() => {
      if (child.pid === undefined || stopped) return;
      if (performance.now() - from > limits.minutes * 60_000) {
        stopped = `stopped after ${limits.minutes} minutes, ${cpuSeconds(child.pid).toFixed(0)} s of CPU`;
      } else if (residentBytes(child.pid) > limits.gigabytes * 1e9) {
        stopped = `stopped at ${limits.gigabytes} GB of memory`;
      }
      if (stopped) child.kill("SIGKILL");
    }, LOOK);
    child.stdout.on("data", (data) => {
      text += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("error", () => end({ failure: `${program} is not installed` }));
    child.on("close", (code, signal) => {
      if (stopped) return end({ failure: stopped });
      if (signal) return end({ failure: `ended by ${signal}` });
      if (code !== 0) return end({ failure: complaint(errors) || `ended with status ${code}` });
      end({ outcome: JSON.parse(lastLine(text)) });
    });
  });
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";

/** What a program said last, without the words that R puts around it. */
const complaint = (errors: string): string =>
  lastLine(errors.replace(/\n?Execution halted\s*$/, "")).replace(/^Error: /, "");

/** That a process has had so far, by the clock ticks of Linux, a hundredth of a second each: tells waiting from working. */
function cpuSeconds(pid: number): number {
  try {
    // After the name of the program, which may hold anything, in brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** Nothing where the system does not tell. */
function residentBytes(pid: number): number {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
