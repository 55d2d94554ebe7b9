import { expect, test } from "vitest";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import { readStore } from "../../../src/selection/data/read.js";
import { addGrams, type GramInput, gramJobs, gramOfBlocks } from "../../../src/selection/posterior/gram.js";
import { Arena } from "../../../src/store/batch/arena.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { linearExample } from "../problem.js";

const SCRATCH = 2 ** 22;

test("products of columns that share no set are not worked out, and all others are as if all were", async () => {
  const room = {
    kernels: async (bytes: number) => wasmKernels(kernelMemory(bytes, false)),
    threads: 1,
    scratch: SCRATCH,
  };
  const { store } = await readStore(arrayTable(linearExample(530, 9)), { target: "y" }, () => 100, room);
  const { memory } = store.kernels;
  const summed = (jobs: readonly GramInput[]) => {
    const arena = () => new Arena(memory, store.end, memory.buffer.byteLength);
    return addGrams(jobs.map((job) => gramOfBlocks(store, arena(), job)));
  };
  const columns = [0, 2, 3, 5, 6, 8, 9];
  const sets = [
    [0, 4, 6],
    [4, 1, 2, 6],
    [5, 6],
  ];
  const [some, all] = [sets, undefined].map((wanted) => summed(gramJobs(store.layout, columns, wanted)));
  expect([...some.subarray(0, 7)].every(Number.isFinite)).toBe(true);
  for (let i = 0; i < 7; i++) {
    for (let j = 0; j < 7; j++) {
      const product = some[7 + 7 * i + j];
      const shared = sets.some((set) => set.includes(i) && set.includes(j));
      // Pieces are others, and so is the order of sums.
      if (shared) expect(product).toBeCloseTo(all[7 + 7 * i + j], 8);
      else expect(product).toBeNaN();
    }
  }
});
