/** `sparrow-bayes`: runs anywhere, on arrays, in the thread that calls it. See `sparrow-bayes/node` for files and threads. */

import { untilStopped } from "./errors.js";
import { kernelMemory, wasmKernels } from "./kernels/wasm.js";
import { fitMixed, type MixedFit } from "./mixed/fit.js";
import { type MixedRun, mixedTable } from "./mixed/mixed-table.js";
import type { CrossProducts } from "./mixed/model/crossproducts.js";
import type { MixedOptions } from "./mixed/options.js";
import type { FitOptions } from "./options/fit.js";
import { checkPredict, type PredictOptions } from "./options/predict.js";
import { checkPredictor, keysOf, predictWith } from "./prediction/any-predictor.js";
import type { MixedPredictor } from "./prediction/mixed-predictor.js";
import type { PredictResult } from "./prediction/predict.js";
import type { MixedPredictResult } from "./prediction/predict-mixed.js";
import type { Predictor } from "./prediction/predictor.js";
import { hearing, spokenMixed, spokenRun } from "./report/spoken.js";
import type { FitResult } from "./selection/answer/result.js";
import type { Environment } from "./selection/environment.js";
import { runTable } from "./selection/fit-table.js";
import type { Run } from "./selection/run.js";
import { type ArrayColumn, arrayTable } from "./tables/readers/arrays.js";
import { asProperty } from "./wording.js";
import { localPool } from "./workers/pool.js";

const callingThread: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

/** Which columns explain the target, how much, and how sure we are. */
export async function fit(
  columns: Readonly<Record<string, ArrayColumn>>,
  options: FitOptions,
): Promise<FitResult> {
  return (await run(columns, options)).result;
}

/** A fit with all that belongs to it: `details.predictor()` is what `predict` takes. */
export async function run(columns: Readonly<Record<string, ArrayColumn>>, options: FitOptions): Promise<Run> {
  return untilStopped({ signal: options?.signal }, async () =>
    spokenRun(await runTable(arrayTable(columns), options, callingThread), asProperty),
  );
}

/** Predicts new rows, and scores the predictions where the columns hold the target. */
export async function predict(
  predictor: Predictor,
  columns: Readonly<Record<string, ArrayColumn>>,
  options?: PredictOptions,
): Promise<PredictResult>;
export async function predict(
  predictor: MixedPredictor,
  columns: Readonly<Record<string, ArrayColumn>>,
  options?: PredictOptions,
): Promise<MixedPredictResult>;
export async function predict(
  predictor: Predictor | MixedPredictor,
  columns: Readonly<Record<string, ArrayColumn>>,
  options: PredictOptions = {},
): Promise<PredictResult | MixedPredictResult> {
  checkPredict(options);
  checkPredictor(predictor);
  const table = arrayTable(columns, undefined, keysOf(predictor));
  return untilStopped(options, () => predictWith(predictor, table, options));
}

/** How effects differ between groups of rows: a mixed model. `predictor()` is what `predict` takes. */
export async function mixed(
  columns: Readonly<Record<string, ArrayColumn>>,
  options: MixedOptions,
): Promise<MixedRun> {
  const asked: Partial<MixedOptions> = { ...options };
  const table = arrayTable(columns, undefined, asked.group === undefined ? [] : [asked.group]);
  return untilStopped(asked, async () =>
    spokenMixed(await mixedTable(table, hearing(asked, asProperty)), asProperty),
  );
}

/** The same for those who have cross-products already; `data.columns[0]` is the intercept, the options name the others. */
export async function mixedFromProducts(data: CrossProducts, options: MixedOptions): Promise<MixedFit> {
  return untilStopped({ signal: options?.signal }, async () =>
    spokenMixed(await fitMixed(data, hearing(options, asProperty)), asProperty),
  );
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
export type { MixedRun } from "./mixed/mixed-table.js";
export { addRow, type CrossProducts, emptyCrossProducts } from "./mixed/model/crossproducts.js";
export type { MixedOptions } from "./mixed/options.js";
export type { FitOptions, Progress } from "./options/fit.js";
export type { PredictOptions } from "./options/predict.js";
export type { MixedPredictor } from "./prediction/mixed-predictor.js";
export type { PredictResult } from "./prediction/predict.js";
export type { MixedPredictResult } from "./prediction/predict-mixed.js";
export type { Predictor } from "./prediction/predictor.js";
export { rowSample } from "./sampling/row-sample.js";
export { sample } from "./sampling/sample.js";
export { cyclical, polynomial, type StepSizes } from "./sampling/schedule.js";
export type { FitResult, VariableSummary } from "./selection/answer/result.js";
export type { Run } from "./selection/run.js";
export type { Gradient, GradientWithNoise, InnerKernel, Integrator, Model, Rows, Schedule } from "./types.js";
