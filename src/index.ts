/** `sparrow-bayes`: runs anywhere, on arrays, in the thread that calls it. See `sparrow-bayes/node` for files and threads. */

import { fitTable } from "./fit.js";
import { kernelMemory, wasmKernels } from "./kernels/wasm.js";
import type { FitOptions } from "./selection/options.js";
import type { FitResult } from "./selection/result.js";
import { type ArrayColumn, arrayTable } from "./sources/arrays.js";
import { localTeam } from "./team/team.js";

/** Which columns explain the target, how much, and how sure we are. */
export async function fit(
  columns: Readonly<Record<string, ArrayColumn>>,
  options: FitOptions,
): Promise<FitResult> {
  return fitTable(arrayTable(columns), options, {
    kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
    team: async (store) => localTeam(store),
    threads: 1,
  });
}

export { SparrowError } from "./errors.js";
export { addRow, type CrossProducts, emptyCrossProducts } from "./math/crossproducts.js";
export { fitMixed, type MixedFit, type MixedResult } from "./mixed/fit.js";
export type { MixedOptions } from "./mixed/options.js";
export type { FitOptions, Progress } from "./selection/options.js";
export type { FitResult, VariableSummary } from "./selection/result.js";
