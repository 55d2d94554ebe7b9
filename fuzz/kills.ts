/** Commands killed at random moments: what is left is whole or nothing, and what is resumed ends as it would have. */

import { type SpawnSyncReturns, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { verifyRun } from "../src/cli/verify/run.js";
import { verifyStore } from "../src/cli/verify/store.js";
import { claim } from "../src/files/claim.js";
import { removeLeftovers } from "../src/files/temporary.js";
import { Rng } from "../src/math/rng.js";
import type { Commanded } from "./commands.js";

export interface Killing {
  readonly commands: Readonly<Record<string, Commanded>>;
  /** The commands to kill. */
  readonly names: readonly string[];
  readonly kills: number;
  readonly seed: number;
  readonly at: (...names: string[]) => string;
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  sparrow(argv: readonly string[]): SpawnSyncReturns<string>;
}

/** How many there were of each command. */
export interface Killed {
  readonly name: string;
  readonly kills: number;
  /** Those that were resumed, and those of them that went on from a state. */
  readonly resumed: number;
  readonly fromState: number;
  readonly problems: readonly string[];
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGABRT"] as const;

export async function killing(asked: Killing): Promise<Killed[]> {
  const { commands, names, at } = asked;
  const seconds = new Map<string, number>();
  // Predictions are made by a fit.
  for (const name of new Set(["fit", ...names])) {
    const start = performance.now();
    const out = at(`ref-${name}${commands[name].ending}`);
    const { status, stderr } = asked.sparrow([...commands[name].argv, "--out", out, "--quiet"]);
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    seconds.set(name, (performance.now() - start) / 1000);
  }
  const rng = Rng.seeded(asked.seed);
  const counts = names.map((name) => ({
    name,
    kills: 0,
    resumed: 0,
    fromState: 0,
    problems: [] as string[],
  }));
  for (let i = 0; i < asked.kills; i++) {
    const count = counts[i % names.length];
    const round = Math.floor(i / names.length);
    const moment = { signal: SIGNALS[round % SIGNALS.length], isBrief: round % 2 === 0 };
    // Each signal comes in either moment.
    if (Math.floor(round / SIGNALS.length) % 2 === 1) moment.isBrief = !moment.isBrief;
    const { problem, resumed, fromState } = await killOnce(asked, rng, count.name, {
      ...moment,
      seconds: seconds.get(count.name)!,
    });
    count.kills += 1;
    if (resumed) count.resumed += 1;
    if (fromState) count.fromState += 1;
    if (problem !== undefined) {
      count.problems.push(problem);
      process.stderr.write(`${problem}\n`);
    }
  }
  return counts;
}

interface Moment {
  readonly signal: NodeJS.Signals;
  /** Whether to wait for the short part of the command. */
  readonly isBrief: boolean;
  /** How long the command takes. */
  readonly seconds: number;
}

interface Found {
  readonly problem?: string | undefined;
  readonly resumed: boolean;
  readonly fromState: boolean;
}

/** Kills one run at a random moment and looks at what is left; tells what does not hold. */
async function killOnce(asked: Killing, rng: Rng, name: string, moment: Moment): Promise<Found> {
  const { at, sparrow } = asked;
  const { argv, ending, resumable } = asked.commands[name];
  const { signal } = moment;
  const temporary = at("tmp");
  const out = at("outs", `out${ending}`);
  for (const each of readdirSync(at("outs"))) rmSync(at("outs", each), { recursive: true });
  const waited = await killedRun(asked, rng, name, out, moment);
  const what = `${name}, ${signal} after ${waited.toFixed(2)} s`;
  const found = { resumed: false, fromState: false };
  const bad = (problem: string): Found => ({ ...found, problem: `${what}: ${problem}` });
  const reference = at(`ref-${name}${ending}`);
  if (existsSync(out)) {
    const problem = await damageOf(out, ending);
    if (problem !== undefined) return bad(`what was left is not whole: ${problem}`);
    if (ending !== "" && !same(out, reference)) return bad("what was left is not the same");
  }
  const unfinished = `${out}.unfinished`;
  if (resumable && existsSync(join(unfinished, "command.json"))) {
    found.fromState = readdirSync(unfinished).some((file) => /^(loop|state)-[-\d]+$/.test(file));
    const { status, stderr } = sparrow(["resume", out]);
    if (status !== 0) return bad(`resume said ${stderr}`);
    found.resumed = true;
  }
  // Whoever comes next sweeps, and may write to the same place.
  if (!existsSync(out)) {
    const next = sparrow([...argv, "--out", out, "--quiet"]);
    if (next.status !== 0) return bad(`the next run said ${next.stderr}`);
  } else {
    removeLeftovers(temporary);
    try {
      claim(out).release();
    } catch {}
  }
  const summary = join(out, "summary.json");
  const partial = existsSync(summary) && /"partial": true/.test(readFileSync(summary, "utf8"));
  if (partial && found.resumed) return bad("a resumed run is a part of itself");
  if (!partial && !same(out, reference)) return bad("other bytes than an uninterrupted run");
  const left = [...readdirSync(temporary), ...readdirSync(at("outs")).filter((each) => each.startsWith("."))];
  return left.length > 0 ? bad(`left ${left.join(", ")}`) : found;
}

/** Returns the seconds after which the command was killed. */
async function killedRun(
  { commands, program, env }: Killing,
  rng: Rng,
  name: string,
  out: string,
  { signal, isBrief, seconds }: Moment,
): Promise<number> {
  const { argv, brief } = commands[name];
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...argv, "--out", out, "--quiet"], {
    env,
    stdio: "ignore",
  });
  let isOver = false;
  const ended = new Promise<void>((resolve) =>
    child.on("close", () => {
      isOver = true;
      resolve();
    }),
  );
  const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  if (brief !== undefined && isBrief) {
    while (!isOver && !existsSync(`${out}${brief}`)) await sleep(2);
    await sleep(rng.uniform() * LENGTH_OF_BRIEF);
  } else await sleep(rng.uniform() * 1100 * seconds);
  child.kill(signal);
  await ended;
  return (performance.now() - start) / 1000;
}

/** Milliseconds that writing a store takes, for which an import is killed while it does. */
const LENGTH_OF_BRIEF = 300;

/** In this process, which is not the one that wrote it. */
async function damageOf(out: string, ending: string): Promise<string | undefined> {
  try {
    if (ending === ".sparrow") verifyStore(out);
    else if (ending === "") await verifyRun(out);
    return undefined;
  } catch (error) {
    return String(error);
  }
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
