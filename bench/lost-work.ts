/**
 * node --import tsx bench/lost-work.ts [kills] [words]: what a run loses when it is killed (SIGKILL) and resumed, in
 * seconds of processors: those of the killed process and of the one that goes on, less those of a run that nobody kills.
 * Moments are spread over the time after the first ten seconds, before which nothing is kept. Only the runs are done
 * whose name holds the words.
 */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";

const [kills = "3", only = ""] = process.argv.slice(2);
const program = join(import.meta.dirname, "../dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "lost-"));
const at = (name: string) => join(folder, name);
const rng = Rng.seeded(1);

function make(name: string, columns: number, rows: number, cell: (value: number) => string): string {
  const header = [...Array.from({ length: columns }, (_, j) => `x${j + 1}`), "y"].join(",");
  const lines = Array.from({ length: rows }, () => {
    const x = Array.from({ length: columns }, () => normal(rng));
    return [...x.map(cell), (x[0] + x[1] + normal(rng)).toFixed(4)].join(",");
  });
  writeFileSync(at(name), `${header}\n${lines.join("\n")}\n`);
  return at(name);
}

const RUNS: Readonly<Record<string, () => string[]>> = {
  "paper's settings, 20,000 × 100, 2 chains": () => {
    const path = make("paper.csv", 100, 20_000, (value) => value.toFixed(4));
    const settings = ["--preset", "paper", "--iterations", "1500000", "--chains", "2"];
    return ["fit", path, "--target", "y", ...settings];
  },
  "imputation, 6,000 × 100, a tenth missing": () => {
    const holed = (value: number) => (rng.uniform() < 0.1 ? "" : value.toFixed(4));
    return ["fit", make("holes.csv", 100, 6000, holed), "--target", "y"];
  },
};

/** Seconds of processors that a process and its threads have used. */
function secondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Runs a command to its end, or kills it when it has used so many seconds; returns those that it used. */
function used(argv: readonly string[], most = Number.POSITIVE_INFINITY): Promise<number> {
  const child = spawn(process.execPath, [program, ...argv], { stdio: "ignore" });
  let seconds = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      try {
        seconds = secondsOf(child.pid!);
      } catch {}
      if (seconds >= most) child.kill("SIGKILL");
    }, 20);
    child.on("close", () => {
      clearInterval(timer);
      resolve(seconds);
    });
  });
}

function bytesOf(run: string): string {
  const names = readdirSync(run).filter((name) => !/timing|manifest/.test(name));
  return names.map((name) => `${name} ${readFileSync(join(run, name), "latin1")}`).join("\n");
}

console.log(
  "| run | seconds of processors | killed after | done again | same bytes |\n|---|---:|---:|---:|---|",
);
try {
  for (const [name, make] of Object.entries(RUNS)) {
    if (!name.includes(only)) continue;
    const argv = make();
    const whole = await used([...argv, "--out", at("whole"), "--quiet"]);
    for (let k = 0; k < Number(kills); k++) {
      const [out, moment] = [at(`run${k}`), whole * (0.4 + (0.55 * (k + 0.5)) / Number(kills))];
      const before = await used([...argv, "--out", out, "--quiet"], moment);
      const isKept = existsSync(`${out}.unfinished`);
      const after = await used(isKept ? ["resume", out] : [...argv, "--out", out, "--quiet"]);
      const same = bytesOf(out) === bytesOf(at("whole")) ? "yes" : "**no**";
      const words = [whole, before, before + after - whole].map((seconds) => seconds.toFixed(1));
      console.log(`| ${name} | ${words.join(" | ")} | ${isKept ? same : `${same}, begun anew`} |`);
    }
    for (const each of readdirSync(folder)) rmSync(at(each), { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
