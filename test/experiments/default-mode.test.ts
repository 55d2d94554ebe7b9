import { describe, expect, it } from "vitest";
import { defaultModeRun } from "../../src/experiments/default-mode.js";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { localPool } from "../../src/workers/pool.js";

const environment = {
  kernels: (bytes: number) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store: Parameters<typeof localPool>[0]) => localPool(store),
  threads: 1,
};

describe("the default mode on data like those of Table 1", () => {
  // bench/table1-default.ts has the full size; here 5,000 rows and 500 columns, with the same demands.
  it.each([1, 2])("finds the eight true variables and nothing else, data set %i", async (seed) => {
    const run = await defaultModeRun({ rows: 5000, columns: 500, seed }, environment, () => 0);
    expect(run.weakest).toBeGreaterThanOrEqual(0.999);
    // With eight in, one of the 492 others is in with a prior probability near 1 in 60.
    expect(run.strongest).toBeLessThan(0.2);
    expect(run.modelSize).toBeLessThan(8.6);
    expect(run.mse1 / run.oracleMse1).toBeLessThan(1.05);
    expect(run.complete).toBe(true);
  });
});
