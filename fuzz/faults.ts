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
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Rng } from "../src/math/rng.js";
import { commandsOn, makeData } from "./commands.js";
import { killing } from "./kills.js";
import { below } from "./mutate.js";
import { others, sandboxed } from "./sandbox.js";

const program = join(import.meta.dirname, "../dist/cli/main.js");
const [kills = "60", seed = "1", only = "kills,disks,inputs,limits,sandbox", killed] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "faults-"));
const at = (...names: string[]) => join(folder, ...names);
const temporary = at("tmp");
const env = { ...process.env, TMPDIR: temporary, SPARROW_JOURNAL_INTERVAL: "20" };
const commands = commandsOn(at);
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

async function kill(): Promise<void> {
  const names = killed ? killed.split(",") : Object.keys(commands);
  const asked = { commands, names, kills: Number(kills), seed: Number(seed), at, program, env, sparrow };
  for (const { name, kills, resumed, fromState, problems: found } of await killing(asked)) {
    const more = `${kills} kills, ${resumed} resumed, ${fromState} of them from a state, ${found.length} bad`;
    tell(`killed: ${name}`, found.length === 0, more);
    problems.push(...found);
  }
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
  if (!existsSync(at("ref-fit"))) must([...commands.fit.argv, "--out", at("ref-fit"), "--quiet"]);
  const killed = Object.entries(commands).map(([name, { argv, ending }]): [string, string[]] => [
    name,
    [...argv, "--out", at("outs", `sandboxed-${name}${ending}`), "--quiet"],
  ]);
  for (const { what, held, more } of sandboxed([...killed, ...others(at)], { folder, program, env }))
    tell(what, held, more);
}

try {
  const parts = { kills: kill, disks, inputs, limits, sandbox };
  for (const name of ["tmp", "outs"]) mkdirSync(at(name), { recursive: true });
  makeData(at, must);
  for (const [name, part] of Object.entries(parts)) if (only.split(",").includes(name)) await part();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`| fault | | |\n|---|---|---|\n${rows.join("\n")}`);
for (const problem of problems) console.log(problem);
process.exitCode = rows.some((row) => row.includes("did not hold")) ? 1 : 0;
