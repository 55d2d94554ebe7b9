/** A fit of arrays in this thread, with the time of the processor that it took. */

import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import type { FitOptions } from "../../src/options/fit.js";
import { fitTable } from "../../src/selection/fit-table.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { localPool } from "../../src/workers/pool.js";
import type { Design, Response } from "./designs.js";

export async function fitArrays(
  { columns, y }: Design,
  family: Response = "gaussian",
  seed = 1,
  options: Partial<FitOptions> = {},
) {
  const table = arrayTable({ ...Object.fromEntries(columns.map((x, j) => [`x${j}`, x])), y });
  const before = process.cpuUsage();
  const result = await fitTable(
    table,
    { target: "y", family, seed, ...options },
    {
      kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
      pool: async (store) => localPool(store),
      threads: 1,
    },
  );
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}
