/**
 * What becomes of a fit when a server dies in the middle of it: `npm run kills [moments] [seed] [stage...]`. A cluster of three is
 * started; in each of four stages one of its servers is killed, so many times, at a random moment of that stage. A moment
 * counts when a question of the stage was under way as the server died; others are tried again. The fit must come to the
 * right answer or to one clear sentence, and, with the server back, to the right answer. What was said is counted at the end.
 */

import { clickHouseEngine } from "../src/engines/clickhouse/clickhouse.js";
import { runEngine } from "../src/engines/run-engine.js";
import { SparrowError } from "../src/errors.js";
import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { Rng } from "../src/math/rng.js";
import type { Progress } from "../src/options/fit.js";
import type { Environment } from "../src/selection/environment.js";
import { localPool } from "../src/workers/pool.js";
import { type Cluster, startCluster } from "./cluster.js";

const [moments = 10, seed = 1] = process.argv.slice(2, 4).map(Number);
const asked = process.argv.slice(4);

/** What the questions of a stage are for. */
const STAGES: Readonly<Record<string, readonly string[]>> = {
  screen: ["what each column holds", "means, scales and correlations with the target"],
  sample: ["how many rows the sample has", "a sample of rows"],
  certify: ["every column beside the models that judge it"],
  polish: ["products of the candidates"],
};

const here: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

const ROWS = 100_000;
const COLUMNS = 45;

async function fill({ run, servers }: Cluster): Promise<string> {
  const x = Array.from({ length: COLUMNS }, (_, j) => j);
  const types = [...x.map((j) => `x${j} Float64`), "y Float64"].join(", ");
  const uniform = (j: number) => `((intHash64(number * 1024 + ${j}) % 1048576) / 1048576 - 0.5) * 3.4`;
  const y = `0.5 * (${uniform(3)}) - 0.2 * (${uniform(17)}) + 0.05 * (${uniform(41)}) + (${uniform(COLUMNS)})`;
  const list = [...x.map((j) => `${uniform(j)} AS x${j}`), `${y} AS y`].join(", ");
  const third = Math.ceil(ROWS / servers.length);
  for (const s of servers.keys()) {
    await run(s, `CREATE TABLE part (${types}) ENGINE = MergeTree ORDER BY tuple()`);
    const numbers = `SELECT number + ${s * third} AS number FROM system.numbers LIMIT ${third}`;
    await run(s, `INSERT INTO part SELECT ${list} FROM (${numbers})`);
  }
  await run(0, "CREATE TABLE whole AS part ENGINE = Distributed(three, default, part)");
  return `clickhouse://reader@127.0.0.1:${servers[0].port}/default/whole`;
}

type Answer = readonly (readonly [string, number])[];

async function fit(address: string, onProgress?: (progress: Progress) => void): Promise<Answer> {
  const engine = await clickHouseEngine(address, { password: "sparrow" });
  try {
    const options = { target: "y", seed: 1, ...(onProgress && { onProgress }) };
    const settings = { environment: here, sampleRows: 5000, direct: false };
    const { result } = await runEngine(engine, options, settings);
    return result.variables.map(({ name, pip }) => [name, pip] as const);
  } finally {
    await engine.close();
  }
}

/** Sums may be added in another order. */
function isSame(found: Answer, expected: Answer): boolean {
  const by = new Map(expected);
  return (
    found.length === expected.length && found.every(([name, pip]) => Math.abs(by.get(name)! - pip) < 1e-6)
  );
}

/** What the question is for that is being asked. */
const purposeOf = ({ part = "" }: Progress): string => part.split(": ")[1] ?? "";

/** Milliseconds that the questions of each stage take. */
async function durations(address: string): Promise<Map<string, number>> {
  const took = new Map<string, number>();
  let running: { readonly stage: string; readonly since: number } | undefined;
  await fit(address, (progress) => {
    const now = performance.now();
    if (running) took.set(running.stage, (took.get(running.stage) ?? 0) + now - running.since);
    const purpose = purposeOf(progress);
    const stage = Object.keys(STAGES).find((own) => STAGES[own].includes(purpose));
    running = stage === undefined ? undefined : { stage, since: now };
  });
  return took;
}

/** One server, and how far into the questions of a stage it dies, in milliseconds. */
interface Death {
  readonly server: number;
  readonly delay: number;
  readonly purposes: readonly string[];
}

async function moment(cluster: Cluster, address: string, { server, delay, purposes }: Death) {
  let killed: Promise<void> | undefined;
  let purpose = "";
  let asking = "";
  let left = delay;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const kill = () => {
    asking = purpose;
    killed = cluster.kill(server);
  };
  // The time that questions of the stage have been running; others stop the clock.
  const onProgress = (progress: Progress): void => {
    const now = performance.now();
    clearTimeout(timer);
    if (since !== undefined) left -= now - since;
    since = undefined;
    purpose = purposeOf(progress);
    if (killed || !purposes.includes(purpose)) return;
    since = now;
    timer = setTimeout(kill, Math.max(0, left));
  };
  const outcome = await fit(address, onProgress).then(
    (found) => ({ found, error: undefined }),
    (error: unknown) => ({ found: undefined, error }),
  );
  clearTimeout(timer);
  await killed;
  return { ...outcome, wasKilled: killed !== undefined, isWithin: purposes.includes(asking) };
}

const cluster = await startCluster();
const said = new Map<string, number>();
let wrong = 0;
try {
  const address = await fill(cluster);
  const expected = await fit(address);
  if (!isSame(await fit(address), expected)) throw new Error("The same fit twice differs.");
  const took = await durations(address);
  for (const [stage, ms] of took) console.log(`${stage} takes ${Math.round(ms)} ms`);
  const rng = Rng.seeded(seed);
  for (const [stage, purposes] of Object.entries(STAGES)) {
    if (asked.length > 0 && !asked.includes(stage)) continue;
    for (let m = 0; m < moments; ) {
      const server = Math.floor(3 * rng.uniform());
      const delay = took.get(stage)! * rng.uniform();
      const { found, error, wasKilled, isWithin } = await moment(cluster, address, {
        ...{ server, delay, purposes },
      });
      const message = error instanceof Error ? error.message : "";
      const isClear = error instanceof SparrowError && /^[^\n]{10,400}\.$/.test(message);
      const isRight = found !== undefined && isSame(found, expected);
      if (wasKilled) await cluster.revive(server);
      const isBack = isSame(await fit(address), expected);
      const outcome = isRight ? "the right answer" : message.replaceAll(/:\d{4,5}/g, ":PORT");
      const when = isWithin ? stage : `after ${stage}, not counted`;
      said.set(`${when}: ${outcome}`, (said.get(`${when}: ${outcome}`) ?? 0) + 1);
      const good = (isClear || isRight) && isBack;
      if (!good) wrong += 1;
      console.log(
        `${stage} ${m + 1}${isWithin ? "" : ", too late"}: server ${server} after ${Math.round(delay)} ms${wasKilled ? "" : ", never killed"}: ${outcome}${isBack ? "" : "; WRONG when started again"}${good ? "" : "  ← WRONG"}`,
      );
      if (isWithin) m += 1;
    }
  }
} finally {
  await cluster.stop();
}
console.log("\nWhat became of it:");
for (const [outcome, count] of [...said].sort()) console.log(`${String(count).padStart(4)}  ${outcome}`);
console.log(wrong === 0 ? "\nEvery one a clear sentence or the right answer." : `\n${wrong} WRONG.`);
process.exit(wrong === 0 ? 0 : 1);
