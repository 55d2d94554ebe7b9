/** `npm run bench`: the promises of the README, measured in one run. Rivals take turns and minima are compared. */

import { availableParallelism, loadavg } from "node:os";
import { simulatedTable } from "../src/experiments/simulated.js";
import { studyRow } from "../src/experiments/simulation-study.js";
import { referenceKernels } from "../src/kernels/reference.js";
import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { threads } from "../src/node/threads.js";
import { readStore } from "../src/selection/data/read.js";
import { screenColumns, screenFrom, screenJob } from "../src/selection/data/screen.js";
import { targetOf } from "../src/selection/data/target.js";
import { searchChain } from "../src/selection/search/chain.js";
import { paperPlan } from "../src/selection/search/plan.js";
import { searchJob } from "../src/selection/search/rounds.js";
import type { ChainOutput, SearchPlan } from "../src/selection/search/types.js";
import { layout } from "../src/store/layout/layout.js";
import { DATA_START, type Store } from "../src/store/store.js";
import type { Work } from "../src/workers/job.js";
import { fillWithNormals, residentOver, scratchOf } from "./resident.js";

const BLOCK = 200;
const SCRATCH = 64 * 2 ** 20;
/** CPU seconds of this process: unlike the clock they do not count the time that other programs take. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const seconds = (work: () => void): number => {
  const start = cpu();
  work();
  return cpu() - start;
};
const line = (label: string, value: string, target = ""): void =>
  console.log(`  ${label.padEnd(47)}${value.padEnd(26)}${target}`);
const section = (title: string): void => console.log(`\n${title}`);
const micro = (value: number): string => `${(1e6 * value).toFixed(1)} µs`;

console.log(
  `Load of the machine at the start: ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores.`,
);

async function memoryOfAStore(): Promise<void> {
  section("Memory while a store is built (N = 50,000, p = 2,000)");
  const table = simulatedTable({ kind: "linear", rows: 50_000, columns: 2000, seed: 1 });
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  const kernels = async (bytes: number) => wasmKernels(kernelMemory(bytes, true));
  await readStore(table, { target: "y", onProgress: watch }, () => BLOCK, {
    ...{ kernels, threads: 1, scratch: SCRATCH },
  });
  watch();
  const ratio = (peak - before) / (4 * 50_000 * 2001);
  line("peak growth over the float32 size of the data", ratio.toFixed(3), "at most 1.3");
}

/** The paper's plan for a store, with steps of 0.05/N. */
function planFor(store: Store, bytes: number, iterations: number): SearchPlan {
  const sums = screenColumns(store, scratchOf(store.kernels, bytes), {
    first: 0,
    last: store.layout.columns + 1,
  });
  const screen = screenFrom([sums], store.layout.rows);
  const options = { target: "y", preset: "paper", iterations, stepSize: 0.05 / store.layout.rows } as const;
  return paperPlan(
    { options, store, screen, target: targetOf(store, "gaussian"), always: [], seed: 1 },
    undefined,
  );
}

const ENDLESS = 1e9;
const WARM_UP = 3000;
const SLICE = 400;
const ROUNDS = 15;

/** Seconds per iteration of each chain, the least over interleaved slices after a warm-up. */
type SearchWork = Work<ChainOutput>;

function perIteration(chains: readonly SearchWork[]): number[] {
  const least = chains.map(() => Infinity);
  const run = (chain: SearchWork, count: number) => {
    for (let i = 0; i < count; i++) chain.next();
  };
  for (const chain of chains) run(chain, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    chains.forEach((chain, k) => {
      least[k] = Math.min(least[k], seconds(() => run(chain, SLICE)) / SLICE);
    });
  }
  return least;
}

/** Each chain has scratch of its own: they take turns. */
function chainOver(store: Store, bytes: number, slot: number): SearchWork {
  const arena = scratchOf(store.kernels, bytes);
  arena.vector(slot * 2 ** 16);
  return searchChain(store, arena, planFor(store, bytes, ENDLESS), 0);
}

function compared(stores: readonly { label: string; store: Store }[], bytes: number, most: number): void {
  const chains = stores.map(({ store }, slot) => chainOver(store, bytes, slot + 1));
  const times = perIteration(chains);
  stores.forEach(({ label }, k) => {
    const { sizes } = chains[k].result();
    const size = sizes.slice(-500).reduce((a, b) => a + b, 0) / Math.min(500, sizes.length);
    line(label, `${micro(times[k])} an iteration`, `(model size ${size.toFixed(1)})`);
  });
  line("largest over smallest", (Math.max(...times) / Math.min(...times)).toFixed(2), `at most ${most}`);
}

async function largeStores(): Promise<void> {
  const bytes = Math.max(layout(4_000_000, 200, BLOCK).bytes, layout(4000, 200_000, BLOCK).bytes);
  const memory = kernelMemory(DATA_START + bytes + 2 * SCRATCH, true);
  const kernels = await wasmKernels(memory);
  fillWithNormals(kernels, bytes);

  section("An iteration does not depend on N (p = 200, m = 10 models of a batch of 200 rows)");
  const byRows = [200_000, 1_000_000, 4_000_000].map((rows) => ({
    label: `N = ${rows.toLocaleString("en-US")}`,
    store: residentOver(kernels, rows, 200, BLOCK),
  }));
  compared(byRows, bytes, 1.5);

  section("The kernels against plain TypeScript (N = 200,000, p = 200)");
  const plain = residentOver(referenceKernels(memory), 200_000, 200, BLOCK);
  const [fast, slow] = perIteration([chainOver(byRows[0].store, bytes, 1), chainOver(plain, bytes, 2)]);
  line("WASM", `${micro(fast)} an iteration`);
  line("reference", `${micro(slow)} an iteration`, `${(slow / fast).toFixed(1)} times as long`);

  section("Two chains on two threads (N = 4,000,000, p = 200)");
  await twoChains(byRows[2].store, bytes);

  section("One pass over 3.2 GB: the screen against reading");
  await screenSpeed(byRows[2].store, bytes);

  section("An iteration does not depend on p (N = 4,000)");
  const byColumns = [2000, 20_000, 200_000].map((columns) => ({ columns }));
  for (const [k, { columns }] of byColumns.entries()) {
    Object.assign(byColumns[k], {
      label: `p = ${columns.toLocaleString("en-US")}`,
      store: residentOver(kernels, 4000, columns, BLOCK),
    });
  }
  compared(byColumns as unknown as { label: string; store: Store }[], bytes, 2);
}

async function twoChains(store: Store, bytes: number): Promise<void> {
  const iterations = 6000;
  const plan = planFor(store, bytes, iterations);
  const pool = await threads.pool(store, 2);
  /** Iterations per second of the clock, and CPU seconds per iteration. */
  const run = async (chains: number): Promise<[number, number]> => {
    const jobs = Array.from({ length: chains }, (_, index) => ({ plan, index }) as const);
    const [start, spent] = [performance.now(), cpu()];
    await pool.run(searchJob, jobs);
    const total = chains * iterations;
    return [(1000 * total) / (performance.now() - start), (cpu() - spent) / total];
  };
  await run(2);
  const most = [0, 0];
  const least = [Infinity, Infinity];
  for (let round = 0; round < 5; round++) {
    for (const k of [0, 1]) {
      const [rate, cost] = await run(k + 1);
      most[k] = Math.max(most[k], rate);
      least[k] = Math.min(least[k], cost);
    }
  }
  await pool.close();
  for (const k of [0, 1]) {
    const rate = `${Math.round(most[k]).toLocaleString("en-US")} iterations/s`;
    line(k === 0 ? "one chain" : "two chains", rate, `${micro(least[k])} of CPU each`);
  }
  line("gain", (most[1] / most[0]).toFixed(2), "at least 1.8");
  line("its bound, from CPU per iteration", ((2 * least[0]) / least[1]).toFixed(2));
}

async function screenSpeed(store: Store, bytes: number): Promise<void> {
  const { kernels } = store;
  const size = store.layout.bytes;
  const columns = store.layout.columns + 1;
  let [read, screen, shared] = [Infinity, Infinity, Infinity];
  const pool = await threads.pool(store, 2);
  const half = Math.floor(columns / 2);
  for (let round = 0; round < 4; round++) {
    read = Math.min(
      read,
      seconds(() => void kernels.readSum(DATA_START, size / 4)),
    );
    screen = Math.min(
      screen,
      seconds(() => void screenColumns(store, scratchOf(kernels, bytes), { first: 0, last: columns })),
    );
    const start = performance.now();
    await pool.run(screenJob, [
      { first: 0, last: half },
      { first: half, last: columns },
    ]);
    shared = Math.min(shared, (performance.now() - start) / 1000);
  }
  await pool.close();
  const rate = (time: number): string => `${(size / time / 1e9).toFixed(1)} GB/s`;
  line("reading, one thread", rate(read));
  line("screen, one thread", rate(screen), `${(read / screen).toFixed(2)} of reading; at least 0.6`);
  line("screen, two threads", rate(shared));
}

async function paperSetting(): Promise<void> {
  section("The paper's setting (N = 50,000, p = 2,001, n = 200, m = 10, 5000 iterations), one chain");
  for (const moves of [1, 5]) {
    const spent: number[] = [];
    for (let round = 0; round < 3; round++) {
      const settings = {
        kind: "linear",
        datasets: 1,
        rows: 50_000,
        columns: 2000,
        options: { preset: "paper", moves },
      } as const;
      spent.push((await studyRow(settings)).cpuSeconds.mean);
    }
    const target = moves === 1 ? "at most 0.6" : "";
    line(
      `screen and search, ${moves} move${moves > 1 ? "s" : ""} a model`,
      `${Math.min(...spent).toFixed(3)} s of CPU`,
      target,
    );
  }
}

await memoryOfAStore();
await paperSetting();
await largeStores();
