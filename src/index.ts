/** `sparrow-bayes`: runs anywhere, on arrays, in the thread that calls it. See `sparrow-bayes/node` for files and threads. */

import { kernelMemory, wasmKernels } from "./kernels/wasm.js";
import { fitMixed as fitMixedMarked, type MixedFit } from "./mixed/fit.js";
import type { CrossProducts } from "./mixed/model/crossproducts.js";
import type { MixedOptions } from "./mixed/options.js";
import type { FitOptions } from "./options/fit.js";
import { type Predictions, predictTable } from "./prediction/predict.js";
import type { Predictor } from "./prediction/predictor.js";
import { spokenMixed, spokenRun } from "./report/spoken.js";
import type { FitResult } from "./selection/answer/result.js";
import { runTable } from "./selection/fit-table.js";
import type { Run } from "./selection/run.js";
import { type ArrayColumn, arrayTable } from "./tables/readers/arrays.js";
import { asProperty, spelt } from "./wording.js";
import { localPool } from "./workers/pool.js";

/** Which columns explain the target, how much, and how sure we are. */
export async function fit(
  columns: Readonly<Record<string, ArrayColumn>>,
  options: FitOptions,
): Promise<FitResult> {
  return (await run(columns, options)).result;
}

/** A fit with all that belongs to it: `details.predictor()` is what `predict` takes. */
export async function run(columns: Readonly<Record<string, ArrayColumn>>, options: FitOptions): Promise<Run> {
  const run = await runTable(arrayTable(columns), options, {
    kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
    pool: async (store) => localPool(store),
    threads: 1,
  });
  return spokenRun(run, asProperty);
}

/** Predicts new rows, and scores the predictions where the columns hold the target. */
export async function predict(
  predictor: Predictor,
  columns: Readonly<Record<string, ArrayColumn>>,
): Promise<Predictions> {
  return predictTable(predictor, arrayTable(columns));
}

/** A mixed model of cross-products; `data.columns[0]` is the intercept, and the options name the others. */
export async function fitMixed(data: CrossProducts, options: MixedOptions): Promise<MixedFit> {
  const { onMessage } = options;
  const heard = onMessage && ((message: string) => onMessage(spelt(message, asProperty)));
  return spokenMixed(await fitMixedMarked(data, { ...options, onMessage: heard }), asProperty);
}

export {
  type Cluster,
  type ClusterSettings,
  type Clusters,
  clusters,
  compareComponents,
} from "./clustering/clusters.js";
export {
  type HiddenState,
  type HiddenStateSettings,
  type HiddenStates,
  hiddenStates,
} from "./clustering/hidden-states.js";
export type { SampleDiagnostics } from "./clustering/judgement.js";
export type { Estimate } from "./clustering/sampled.js";
export { type ErrorCode, SparrowError } from "./errors.js";
export { withNoise } from "./gradients/differences.js";
export { psgld } from "./integrators/psgld.js";
export { sgfs } from "./integrators/sgfs.js";
export { sgfsFull } from "./integrators/sgfs-full.js";
export { sghmc } from "./integrators/sghmc.js";
export { sgld } from "./integrators/sgld.js";
export { sgnht } from "./integrators/sgnht.js";
export { Rng } from "./math/rng.js";
export type { MixedFit, MixedResult } from "./mixed/fit.js";
export { addRow, type CrossProducts, emptyCrossProducts } from "./mixed/model/crossproducts.js";
export type { MixedOptions } from "./mixed/options.js";
export type { FitOptions, Progress } from "./options/fit.js";
export type { Predictions } from "./prediction/predict.js";
export type { Predictor } from "./prediction/predictor.js";
export { rowSample } from "./sampling/row-sample.js";
export { sample } from "./sampling/sample.js";
export { cyclical, polynomial, type StepSizes } from "./sampling/schedule.js";
export type { FitResult, VariableSummary } from "./selection/answer/result.js";
export type { Run } from "./selection/run.js";
export type { Gradient, GradientWithNoise, InnerKernel, Integrator, Model, Rows, Schedule } from "./types.js";
