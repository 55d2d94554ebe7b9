/**
 * npm run fuzz -- [cases] [seed] [kinds]: changed files, run folders, stores, names and words, each read in a process
 * that may die. Prints how many came to what, by kind, and every case that is ours to mend.
 */

import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CASES } from "./cases.js";
import type { Assigned } from "./child.js";
import { makeCorpus } from "./corpus.js";
import type { Verdict } from "./verdict.js";

type Result = Verdict | "crash" | "hang" | "memory";

/**
 * A case may take so many seconds of a processor, or stand still for so many (the machine may have much else to do),
 * and the process so many bytes: it is 300 MB when it has read something of each kind.
 */
const [LONGEST, STANDSTILL] = [20, 180];
const LARGEST = 900e6;

const [cases = "2000", seed = "1", only] = process.argv.slice(2);
const kinds = only ? only.split(",") : Object.keys(CASES);
for (const kind of kinds) {
  if (!(kind in CASES)) throw new RangeError(`There is no kind "${kind}": ${Object.keys(CASES).join(", ")}.`);
}
const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
const counts = new Map(kinds.map((kind) => [kind, new Map<Result, number>()]));
const bad: string[] = [];
let largest = 0;

try {
  await makeCorpus(join(folder, "corpus"));
  let child = await started();
  for (let id = 0; id < Number(cases); id++) {
    const assigned = { id, kind: kinds[id % kinds.length], seed: Number(seed) * 1e7 + id };
    const { result, words, memory } = await outcome(child, assigned);
    const of = counts.get(assigned.kind)!;
    of.set(result, (of.get(result) ?? 0) + 1);
    if (["wrong", "broken", "crash", "hang", "memory"].includes(result)) {
      bad.push(`${result} ${assigned.kind} seed ${assigned.seed}: ${JSON.stringify(words.slice(0, 300))}`);
      process.stderr.write(`${bad[bad.length - 1]}\n`);
    }
    largest = Math.max(largest, memory);
    if (result === "crash" || result === "hang" || result === "memory") {
      child.kill("SIGKILL");
      child = await started();
    }
    if (id % 1000 === 999) process.stderr.write(`${id + 1} cases, ${bad.length} bad\n`);
  }
  child.kill("SIGKILL");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const RESULTS: readonly Result[] = [
  "right",
  "refused",
  "taken",
  "wrong",
  "broken",
  "crash",
  "hang",
  "memory",
];
console.log(`| kind | ${RESULTS.join(" | ")} |\n|---|${RESULTS.map(() => "---:|").join("")}`);
for (const [kind, of] of counts) {
  console.log(`| ${kind} | ${RESULTS.map((result) => of.get(result) ?? 0).join(" | ")} |`);
}
console.log(`\n${cases} cases, seed ${seed}; at most ${Math.round(largest / 1e6)} MB.`);
for (const each of bad) console.log(each);
process.exitCode = bad.length > 0 ? 1 : 0;

async function started(): Promise<ChildProcess> {
  const child = fork(
    join(import.meta.dirname, "child.ts"),
    [join(folder, "corpus"), join(folder, "scratch")],
    {
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    },
  );
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", () => reject(new Error("The process that runs cases cannot be started.")));
  });
  child.removeAllListeners("exit");
  return child;
}

function outcome(
  child: ChildProcess,
  assigned: Assigned,
): Promise<{ result: Result; words: string; memory: number }> {
  return new Promise((resolve) => {
    let said = "";
    const onError = (data: Buffer) => {
      said += data;
    };
    const settle = (result: Result, words: string, memory = 0) => {
      clearInterval(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      child.stderr?.off("data", onError);
      resolve({ result, words, memory });
    };
    const onMessage = (message: { verdict: Verdict; words: string; memory: number }) =>
      settle(message.memory > LARGEST ? "memory" : message.verdict, message.words, message.memory);
    const onExit = (status: number | null, signal: string | null) =>
      settle("crash", `${status ?? signal} ${said}`);
    const [start, used] = [performance.now(), secondsOf(child)];
    const timer = setInterval(() => {
      const isOver = secondsOf(child) - used > LONGEST || performance.now() - start > 1000 * STANDSTILL;
      if (isOver) settle("hang", "");
    }, 1000);
    child.once("message", onMessage);
    child.once("exit", onExit);
    child.stderr?.on("data", onError);
    child.send(assigned);
  });
}

/** Seconds of a processor that a process has used; 0 where the system does not say. */
function secondsOf({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}
