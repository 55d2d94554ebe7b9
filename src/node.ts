/** `sparrow-bayes/node`: files and threads. */

import { availableParallelism } from "node:os";
import { type Environment, type Run, runTable } from "./fit.js";
import { kernelMemory, wasmKernels } from "./kernels/wasm.js";
import type { FitOptions } from "./selection/options.js";
import type { FitResult } from "./selection/result.js";
import { arrayTable } from "./sources/arrays.js";
import { fileTable } from "./sources/duckdb.js";
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
  return (await run(data, options)).result;
}

/** A fit with its draws, its models and a record of the data: what `sparrow fit --out` writes. */
export async function run(
  data: string | Readonly<Record<string, ArrayLike<number>>>,
  options: FitOptions,
): Promise<Run> {
  const table = typeof data === "string" ? await fileTable(data) : arrayTable(data);
  try {
    return await runTable(table, options, threads);
  } finally {
    table.close?.();
  }
}

export { SparrowError } from "./errors.js";
export { type DataRecord, fitTable, type Run, runTable, type SearchTrace } from "./fit.js";
export { mixed } from "./mixed/file.js";
export type { MixedFit, MixedResult } from "./mixed/fit.js";
export type { MixedOptions } from "./mixed/options.js";
export type { FitOptions, Progress } from "./selection/options.js";
export { type Predictions, predictTable } from "./selection/predict.js";
export type { Predictor } from "./selection/predictor.js";
export type { FitResult, VariableSummary } from "./selection/result.js";
export { fileTable } from "./sources/duckdb.js";
