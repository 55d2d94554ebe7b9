/** `sparrow-bayes/node`: files and threads. */

import { availableParallelism } from "node:os";
import { type Environment, fitTable } from "./fit.js";
import { kernelMemory, wasmKernels } from "./kernels/wasm.js";
import type { FitOptions } from "./selection/options.js";
import type { FitResult } from "./selection/result.js";
import { arrayTable } from "./sources/arrays.js";
import { fileTable } from "./sources/files.js";
import { threadTeam } from "./team/threads.js";

/** Shared memory and worker threads: one copy of the data for all chains. */
export const threads: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, true)),
  team: threadTeam,
  threads: Math.min(8, availableParallelism()),
};

/** Like `fit` of `sparrow-bayes`, and takes the path of a CSV or Parquet file as well. */
export async function fit(
  data: string | Readonly<Record<string, ArrayLike<number>>>,
  options: FitOptions,
): Promise<FitResult> {
  const table = typeof data === "string" ? await fileTable(data) : arrayTable(data);
  try {
    return await fitTable(table, options, threads);
  } finally {
    table.close?.();
  }
}

export { SparrowError } from "./errors.js";
export { fitTable } from "./fit.js";
export type { FitOptions, Progress } from "./selection/options.js";
export type { FitResult, VariableSummary } from "./selection/result.js";
export { fileTable } from "./sources/files.js";
