/**
 * The kernels against memory and against the reference: `node --import tsx bench/kernels.ts`.
 * The data are blocks [block][column][row] of 200 rows, 400 MB, well beyond the caches; every figure is the best
 * of several rounds, since whatever else runs on the machine can only make one slower.
 */
import type { Kernels } from "../src/kernels/interface.js";
import { referenceKernels } from "../src/kernels/reference.js";
import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { Rng } from "../src/math/rng.js";

const ROWS = 200;
const COLUMNS = 2000;
const BLOCKS = 250;
const VALUES = ROWS * COLUMNS * BLOCKS;
const PANEL = 8;

const at = { sums: 0, y: 65536, d: 73728, out: 81920, panel: 131072, data: 1 << 20 };
const memory = kernelMemory(at.data + 4 * VALUES, false);
const wasm = await wasmKernels(memory);
const reference = referenceKernels(memory);

const rng = Rng.seeded(1);
const data = new Float32Array(memory.buffer, at.data, VALUES);
const pattern = Float32Array.from({ length: 1 << 16 }, () => 4 * rng.uniform() - 2);
for (let i = 0; i < VALUES; i += pattern.length)
  data.set(pattern.subarray(0, Math.min(pattern.length, VALUES - i)), i);
new Float32Array(memory.buffer, at.y, 2000).set(pattern.slice(0, 2000).map((v) => (v > 0 ? 1 : 0)));
new Float32Array(memory.buffer, at.d, 2000).set(pattern.slice(0, 2000).map((v) => 0.4 * v));
new Float32Array(memory.buffer, at.panel, PANEL * ROWS).set(pattern.subarray(0, PANEL * ROWS));

let sink = 0;

/** CPU seconds of the fastest of `rounds`: the clock on the wall would count whoever shares the machine. */
function best(rounds: number, work: () => number | undefined): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    sink += work() ?? 0;
    const { user, system } = process.cpuUsage(start);
    fastest = Math.min(fastest, user + system);
  }
  return fastest / 1e6;
}

function overBlocks(call: (block: number) => void, blocks = BLOCKS): undefined {
  for (let b = 0; b < blocks; b++) call(at.data + 4 * b * COLUMNS * ROWS);
}

function overColumns(call: (x: number) => void, blocks = BLOCKS): undefined {
  for (let c = 0; c < blocks * COLUMNS; c++) call(at.data + 4 * c * ROWS);
}

const gigabytes = (4 * VALUES) / 1e9;
const bandwidth = gigabytes / best(7, () => wasm.readSum(at.data, VALUES));
console.log(`reading memory            ${bandwidth.toFixed(1).padStart(6)} GB/s`);

const passes: [string, () => undefined][] = [
  ["screen (blockSums)", () => overBlocks((x) => wasm.blockSums(at.sums, x, COLUMNS, ROWS, at.y, ROWS))],
  ["columnSums, n = 200", () => overColumns((x) => wasm.columnSums(at.sums, x, at.y, ROWS))],
  [
    "affineDot, n = 200",
    () =>
      overColumns((x) => {
        sink += wasm.affineDot(1, 0.1, x, at.y, ROWS);
      }),
  ],
  ...[1, 4, 8].map((k): [string, () => undefined] => [
    `panelDots, ${k} column${k > 1 ? "s" : ""}`,
    () => overColumns((x) => wasm.panelDots(at.sums, x, at.panel, ROWS, k, ROWS)),
  ]),
];
for (const [name, pass] of passes) {
  const rate = gigabytes / best(7, pass);
  const share = `${((100 * rate) / bandwidth).toFixed(0)}% of reading`;
  console.log(`${name.padEnd(26)}${rate.toFixed(1).padStart(6)} GB/s  ${share}`);
}

/** Nanoseconds per value, WASM and reference, on the same columns. */
function compare(name: string, call: (k: Kernels, x: number) => void): void {
  const blocks = 10;
  const values = blocks * COLUMNS * ROWS;
  const fast = (1e9 * best(9, () => overColumns((x) => call(wasm, x), blocks))) / values;
  const plain = (1e9 * best(4, () => overColumns((x) => call(reference, x), 1))) / (values / blocks);
  const ratio = `${(plain / fast).toFixed(0)} times the reference`;
  console.log(`${name.padEnd(26)}${fast.toFixed(2).padStart(6)} ns/value  ${ratio}`);
}

compare("columnSums", (k, x) => k.columnSums(at.sums, x, at.y, ROWS));
compare("affineDot", (k, x) => void k.affineDot(1, 0.1, x, at.y, ROWS));
compare("affineAxpy", (k, x) => k.affineAxpy(at.out, 1e-9, 0, x, ROWS));
compare("gaussianChange", (k, x) => void k.gaussianChange(at.d, x, at.y, ROWS));
compare("weightedSquare", (k, x) => void k.weightedSquare(0, x, at.d, ROWS));
compare("exp", (k, x) => k.exp(at.out, x, ROWS));
for (const family of ["binomial", "poisson"] as const) {
  compare(`${family}LogLikelihood`, (k, x) => void k[`${family}LogLikelihood`](x, at.y, ROWS));
  compare(`${family}Score`, (k, x) => k[`${family}Score`](at.out, x, at.y, ROWS));
  compare(`${family}Weights`, (k, x) => k[`${family}Weights`](at.out, x, ROWS));
  compare(`${family}Change`, (k, x) => void k[`${family}Change`](at.d, x, at.y, ROWS));
  compare(`${family}OneVariable`, (k, x) =>
    k[`${family}OneVariable`](at.sums, 0.1, 0.5, 0, 1, x, at.y, ROWS),
  );
}
for (const family of ["binomial", "poisson"] as const) {
  const seconds = best(2, () =>
    overColumns((x) => wasm[`${family}OneVariable`](at.sums, 0.1, 0.5, 0, 1, x, at.y, ROWS)),
  );
  const what = `four ${family} Newton passes over ${BLOCKS * ROWS} rows and ${COLUMNS} columns`;
  console.log(`${what}: ${(4 * seconds).toFixed(2)} s of CPU`);
}
if (Number.isNaN(sink)) throw new Error("a kernel returned NaN");
