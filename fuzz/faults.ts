/**
 * npm run faults -- [kills] [seed] [only] [commands]: commands are killed at random moments with every signal, find the
 * disk full or read-only, their input gone, too few of everything, and no network. Prints a table of what held. The third
 * word names the parts to do, of kills, disks, inputs, limits and sandbox, and the last one the commands to kill; all
 * unless told.
 */

import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyRun } from "../src/cli/verify/run.js";
import { verifyStore } from "../src/cli/verify/store.js";
import { removeLeftovers } from "../src/files/temporary.js";
import { Rng } from "../src/math/rng.js";
import { below } from "./mutate.js";
import { others, sandboxed } from "./sandbox.js";

const program = join(import.meta.dirname, "../dist/cli/main.js");
const [kills = "60", seed = "1", only = "kills,disks,inputs,limits,sandbox", killed] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "faults-"));
const at = (...names: string[]) => join(folder, ...names);
const temporary = at("tmp");
const env = { ...process.env, TMPDIR: temporary, SPARROW_JOURNAL_INTERVAL: "20" };
const problems: string[] = [];
const rows: string[] = [];

function sparrow(argv: readonly string[], before: readonly string[] = []): SpawnSyncReturns<string> {
  const [command, ...rest] = [...before, process.execPath, program, ...argv];
  return spawnSync(command, rest, { encoding: "utf8", env, maxBuffer: 1 << 28 });
}

function must(argv: readonly string[]): void {
  const { status, stderr } = sparrow(argv);
  if (status !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
}

const tell = (what: string, held: boolean, more: string): void => {
  rows.push(`| ${what} | ${held ? "held" : "**did not hold**"} | ${more} |`);
  process.stderr.write(`${held ? "held" : "FAILED"}: ${what} (${more})\n`);
};

interface Commanded {
  readonly argv: readonly string[];
  /** The ending of its output. */
  readonly ending: string;
  readonly resumable: boolean;
}

/** Each takes a second or a few. */
const COMMANDS: Readonly<Record<string, Commanded>> = {
  import: {
    argv: ["import", at("long.csv"), "--target", "y", "--block-rows", "16"],
    ending: ".sparrow",
    resumable: true,
  },
  fit: { argv: ["fit", at("wide.csv"), "--target", "y"], ending: "", resumable: true },
  paper: {
    argv: [
      "fit",
      at("wide.csv"),
      "--target",
      "y",
      "--preset",
      "paper",
      "--iterations",
      "6000",
      "--chains",
      "2",
    ],
    ending: "",
    resumable: true,
  },
  holes: { argv: ["fit", at("holes.csv"), "--target", "y"], ending: "", resumable: true },
  mixed: {
    argv: [
      "mixed",
      at("groups.csv"),
      "--target",
      "y",
      "--group",
      "g",
      "--random",
      "x",
      "--iterations",
      "2500",
    ],
    ending: "",
    resumable: true,
  },
  predict: { argv: ["predict", at("ref-fit"), at("wide.csv")], ending: ".csv", resumable: false },
  clusters: {
    argv: ["clusters", at("groups.csv"), "--columns", "x,y", "--components", "2", "--iterations", "1500"],
    ending: "",
    resumable: true,
  },
  states: {
    argv: ["states", at("groups.csv"), "--columns", "x,y", "--states", "2", "--iterations", "400"],
    ending: "",
    resumable: true,
  },
  reproduce: {
    argv: [
      ...["reproduce", "table1", "--rows", "300", "--columns", "20", "--datasets", "2"],
      ...["--methods", "esgld,sam", "--presets", "auto"],
    ],
    ending: "",
    resumable: true,
  },
};

function makeData(): void {
  for (const name of ["", "tmp", "outs"]) mkdirSync(at(name), { recursive: true });
  must(["simulate", "linear", "--rows", "3000", "--columns", "60", "--seed", "3", "--out", at("wide.csv")]);
  must(["simulate", "linear", "--rows", "6000", "--columns", "60", "--seed", "5", "--out", at("long.csv")]);
  const rng = Rng.seeded(4);
  const lines = readFileSync(at("wide.csv"), "utf8").trim().split("\n").slice(0, 200);
  const holed = lines.map((line, i) =>
    line
      .split(",")
      .filter((_, j, all) => j < 15 || j === all.length - 1)
      .map((cell, j) => (i > 0 && j < 15 && rng.uniform() < 0.1 ? "" : cell))
      .join(","),
  );
  writeFileSync(at("holes.csv"), `${holed.join("\n")}\n`);
  const groups = Array.from(
    { length: 6000 },
    (_, i) => `g${i % 300},${Math.sin(i)},${Math.cos(i * 7) + Math.sin(i % 300)}`,
  );
  writeFileSync(at("groups.csv"), `g,x,y\n${groups.join("\n")}\n`);
}

function files(path: string): ReadonlyMap<string, Buffer> {
  if (!statSync(path).isDirectory()) return new Map([["", readFileSync(path)]]);
  const names = readdirSync(path).filter((name) => !/timing|manifest|txt$/.test(name));
  return new Map(names.map((name) => [name, withoutSeconds(readFileSync(join(path, name)))]));
}

/** Seconds of a processor are what they are. */
const withoutSeconds = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString("latin1").replace(/"cpuSeconds": \{[^}]*\}/g, ""), "latin1");

function same(one: string, other: string): boolean {
  const [a, b] = [files(one), files(other)];
  return a.size === b.size && [...a].every(([name, bytes]) => b.get(name)?.equals(bytes) === true);
}

/** In this process, which is not the one that wrote it. */
async function isWhole(out: string, ending: string): Promise<boolean> {
  try {
    if (ending === ".sparrow") verifyStore(out);
    else if (ending === "") await verifyRun(out);
    return true;
  } catch {
    return false;
  }
}

/** Kills one run at a random moment and looks at what is left; returns what does not hold. */
async function killOnce(
  rng: Rng,
  name: string,
  seconds: number,
  signal: NodeJS.Signals,
): Promise<string | undefined> {
  const { argv, ending, resumable } = COMMANDS[name];
  const out = at("outs", `out${ending}`);
  for (const each of readdirSync(at("outs"))) rmSync(at("outs", each), { recursive: true });
  const child = spawn(process.execPath, [program, ...argv, "--out", out, "--quiet"], {
    env,
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const wait = rng.uniform() * 1100 * seconds;
  await new Promise((resolve) => setTimeout(resolve, wait));
  child.kill(signal);
  await ended;
  const what = `${name}, ${signal} after ${(wait / 1000).toFixed(2)} s`;
  if (existsSync(out)) {
    const whole = await isWhole(out, ending);
    if (!whole) return `${what}: what was left is not whole`;
    if (ending !== "" && !same(out, at(`ref-${name}${ending}`)))
      return `${what}: what was left is not the same`;
  }
  if (resumable && existsSync(`${out}.unfinished`)) {
    const { status, stderr } = sparrow(["resume", out]);
    if (status !== 0) return `${what}: resume said ${stderr}`;
    resumed.set(name, (resumed.get(name) ?? 0) + 1);
  }
  // Whoever comes next sweeps, and may write to the same place.
  if (!existsSync(out)) {
    const next = sparrow([...argv, "--out", out, "--quiet"]);
    if (next.status !== 0) return `${what}: the next run said ${next.stderr}`;
  } else removeLeftovers(temporary);
  const partial =
    existsSync(join(out, "summary.json")) &&
    /"partial": true/.test(readFileSync(join(out, "summary.json"), "utf8"));
  if (!partial && !same(out, at(`ref-${name}${ending}`)))
    return `${what}: other bytes than an uninterrupted run`;
  const left = [...readdirSync(temporary), ...readdirSync(at("outs")).filter((each) => each.startsWith("."))];
  return left.length > 0 ? `${what}: left ${left.join(", ")}` : undefined;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGABRT"] as const;
/** How many of each command were resumed. */
const resumed = new Map<string, number>();

async function killing(): Promise<void> {
  const names = killed ? killed.split(",") : Object.keys(COMMANDS);
  const seconds = new Map<string, number>();
  // Predictions are made by a fit.
  for (const name of new Set(["fit", ...names])) {
    const start = performance.now();
    must([...COMMANDS[name].argv, "--out", at(`ref-${name}${COMMANDS[name].ending}`), "--quiet"]);
    seconds.set(name, (performance.now() - start) / 1000);
  }
  const rng = Rng.seeded(Number(seed));
  const counts = new Map(names.map((name) => [name, { kills: 0, bad: 0 }]));
  for (let i = 0; i < Number(kills); i++) {
    const name = names[i % names.length];
    const signal = SIGNALS[Math.floor(i / names.length) % SIGNALS.length];
    const problem = await killOnce(rng, name, seconds.get(name)!, signal);
    counts.get(name)!.kills += 1;
    if (problem !== undefined) {
      counts.get(name)!.bad += 1;
      problems.push(problem);
      process.stderr.write(`${problem}\n`);
    }
  }
  for (const [name, { kills: count, bad }] of counts)
    tell(`killed: ${name}`, bad === 0, `${count} kills, ${resumed.get(name) ?? 0} resumed, ${bad} bad`);
}

const fitTo = (out: string) => ["fit", at("wide.csv"), "--target", "y", "--json", "--quiet", "--out", out];

function sentence({ status, stderr }: SpawnSyncReturns<string>): boolean {
  return status === 1 && /^sparrow: [^\n]*[.]\n$/.test(stderr) && !stderr.includes("unexpected");
}

function disks(): void {
  for (const [what, options] of [
    ["a full disk", "size=64k"],
    ["a read-only disk", "ro,size=1m"],
  ]) {
    const disk = at("disk");
    mkdirSync(disk, { recursive: true });
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "pipe" });
    } catch {
      rows.push(`| ${what} | not tried | no disk may be mounted here |`);
      continue;
    }
    const result = sparrow(fitTo(join(disk, "run")));
    // What has been done stays, so that the run can be resumed once there is room.
    const left = readdirSync(disk).filter((name) => name !== "run.unfinished");
    execFileSync("umount", [disk]);
    const printed =
      what === "a full disk" ? JSON.parse(result.stdout).variables.length === 60 : result.stdout === "";
    tell(
      what,
      sentence(result) && left.length === 0 && printed,
      result.stderr.trim().replaceAll(folder, "…"),
    );
  }
}

async function inputs(): Promise<void> {
  const rng = Rng.seeded(Number(seed) + 1);
  let fine = 0;
  const tries = 12;
  const whole = sparrow(fitTo(at("outs", "whole"))).stdout.replace(/"timing"[\s\S]*?\}/, "");
  for (let i = 0; i < tries; i++) {
    rmSync(at("outs", "gone"), { recursive: true, force: true });
    writeFileSync(at("gone.csv"), readFileSync(at("wide.csv")));
    const child = spawn(
      process.execPath,
      [program, "fit", at("gone.csv"), "--target", "y", "--json", "--quiet"],
      { env },
    );
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      err += data;
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    await new Promise((resolve) => setTimeout(resolve, 1500 * rng.uniform()));
    rmSync(at("gone.csv"));
    const status = await ended;
    if (status === 0 ? out.replace(/"timing"[\s\S]*?\}/, "") === whole : /^sparrow: [^\n]*\.\n$/.test(err))
      fine += 1;
    else problems.push(`gone input: ${status} ${err}`);
  }
  tell("input that vanishes", fine === tries, `${fine} of ${tries}: the whole answer, or one sentence`);
  const slow = `(head -c 200000 '${at("wide.csv")}'; sleep 1; tail -c +200001 '${at("wide.csv")}') | '${process.execPath}' '${program}' fit - --target y --json --quiet`;
  const { stdout, status } = spawnSync("bash", ["-c", slow], { encoding: "utf8", env, maxBuffer: 1 << 28 });
  const held = status === 0 && JSON.parse(stdout).rows === 3000;
  tell("slow input", held, "standard input that stops for a second");
}

function limits(): void {
  for (const [what, limit] of [
    ["30 open files", "-n 30"],
    ["2 GB of addresses", "-v 2000000"],
    ["4 GB of addresses", "-v 4000000"],
    ["files of 20 kB", "-f 20"],
  ]) {
    const out = at("outs", `limit${below(Rng.seeded(what.length), 1e6)}`);
    const words = [process.execPath, program, ...fitTo(out)].map((word) => `'${word}'`).join(" ");
    const result = spawnSync("bash", ["-c", `ulimit ${limit}; trap '' XFSZ; exec ${words}`], {
      encoding: "utf8",
      env,
    });
    tell(
      `no more than ${what}`,
      sentence(result) && !existsSync(out),
      result.stderr.trim().replaceAll(folder, "…"),
    );
  }
}

function sandbox(): void {
  if (!existsSync(at("ref-fit"))) must([...COMMANDS.fit.argv, "--out", at("ref-fit"), "--quiet"]);
  const killed = Object.entries(COMMANDS).map(([name, { argv, ending }]): [string, string[]] => [
    name,
    [...argv, "--out", at("outs", `sandboxed-${name}${ending}`), "--quiet"],
  ]);
  for (const { what, held, more } of sandboxed([...killed, ...others(at)], { folder, program, env }))
    tell(what, held, more);
}

try {
  const parts = { kills: killing, disks, inputs, limits, sandbox };
  makeData();
  for (const [name, part] of Object.entries(parts)) if (only.split(",").includes(name)) await part();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`| fault | | |\n|---|---|---|\n${rows.join("\n")}`);
for (const problem of problems) console.log(problem);
process.exitCode = rows.some((row) => row.includes("did not hold")) ? 1 : 0;
