/** `sparrow-bayes`: runs anywhere, on arrays, in the thread that calls it. See `sparrow-bayes/node` for files and threads. */

import { type ClusterOptions, type ClusterResult, clusters as clustersBy } from "./clustering/clusters.js";
import {
  type CompareComponentsOptions,
  type ComponentComparison,
  compareComponents as compareComponentsBy,
} from "./clustering/compare/compare-components.js";
import {
  type CompareStatesOptions,
  compareStates as compareStatesBy,
  type StateComparison,
} from "./clustering/compare/compare-states.js";
import {
  type HiddenStatesOptions,
  type HiddenStatesResult,
  hiddenStates as hiddenStatesBy,
} from "./clustering/hidden-states.js";
import { untilStopped } from "./errors.js";
import { kernelMemory, wasmKernels } from "./kernels/wasm.js";
import { fitMixed, type MixedFit } from "./mixed/fit.js";
import { type MixedRun, mixedTable } from "./mixed/mixed-table.js";
import type { CrossProducts } from "./mixed/model/crossproducts.js";
import type { MixedOptions } from "./mixed/options.js";
import { mixedReading } from "./mixed/rows/rows-table.js";
import type { DescribeOptions } from "./options/describe.js";
import type { FitOptions } from "./options/fit.js";
import { checkPredict, type PredictOptions } from "./options/predict.js";
import { type AnyPredictor, checkPredictor, knownReading, predictWith } from "./prediction/any-predictor.js";
import type { FormulaPredictor } from "./prediction/formula-predictor.js";
import type { MixedPredictor } from "./prediction/mixed-predictor.js";
import { inOwnWords } from "./prediction/own-words.js";
import type { PredictResult } from "./prediction/predict.js";
import type { MixedPredictResult } from "./prediction/predict-mixed.js";
import type { Predictor } from "./prediction/predictor.js";
import { hearing, spokenDescription, spokenMixed, spokenPrediction, spokenRun } from "./report/spoken.js";
import type { FitResult } from "./selection/answer/result.js";
import { type Description, describeTable } from "./selection/describe/describe.js";
import type { Environment } from "./selection/environment.js";
import { runTable } from "./selection/fit-table.js";
import type { Run } from "./selection/run.js";
import { type DataInMemory, tableInMemory } from "./tables/in-memory.js";
import { readingOf } from "./tables/reading-asked.js";
import type { Rows } from "./types.js";
import { asProperty } from "./wording.js";
import { localPool } from "./workers/pool.js";

const callingThread: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

/** Which columns explain the target, how much, and how sure we are. */
export async function fit(data: DataInMemory, options: FitOptions): Promise<FitResult> {
  return (await run(data, options)).result;
}

/** A fit with all that belongs to it: `details.predictor()` is what `predict` takes. */
export async function run(data: DataInMemory, options: FitOptions): Promise<Run> {
  return untilStopped({ signal: options?.signal }, async () =>
    spokenRun(
      await runTable(tableInMemory(data, readingOf(options ?? {})), options, callingThread),
      asProperty,
    ),
  );
}

/** What each column of the data holds and will become, before anything is fitted. */
export async function describe(data: DataInMemory, options: DescribeOptions = {}): Promise<Description> {
  const table = tableInMemory(data, readingOf(options));
  return untilStopped(options, async () =>
    spokenDescription(await describeTable(table, options), asProperty),
  );
}

/** Predicts new rows, and scores the predictions where the columns hold the target. */
export async function predict(
  predictor: Predictor,
  data: DataInMemory,
  options?: PredictOptions,
): Promise<PredictResult>;
export async function predict(
  predictor: MixedPredictor | FormulaPredictor,
  data: DataInMemory,
  options?: PredictOptions,
): Promise<MixedPredictResult>;
export async function predict(
  predictor: AnyPredictor,
  data: DataInMemory,
  options: PredictOptions = {},
): Promise<PredictResult | MixedPredictResult> {
  checkPredict(options);
  checkPredictor(predictor);
  const table = tableInMemory(data, { ...knownReading(predictor, options), ...readingOf(options) });
  return untilStopped(options, async () =>
    spokenPrediction(await inOwnWords(predictor, () => predictWith(predictor, table, options)), asProperty),
  );
}

/** How effects differ between groups of rows: a mixed model. `predictor()` is what `predict` takes. */
export async function mixed(data: DataInMemory, options: Partial<MixedOptions>): Promise<MixedRun> {
  const asked: Partial<MixedOptions> = { ...options };
  const table = tableInMemory(data, mixedReading(asked));
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

/** Model-based clusters of the rows of a matrix, given row after row. */
export function clusters(values: Rows["values"], options: ClusterOptions): Promise<ClusterResult> {
  return clustersBy(values, options);
}

/** How many clusters? Each number by its Bayesian information criterion and by rows that were left out; one is chosen. */
export function compareComponents(
  values: Rows["values"],
  options: CompareComponentsOptions,
): Promise<ComponentComparison> {
  return compareComponentsBy(values, options);
}

/** The hidden states of one sequence or of several, step after step and within a step column after column. */
export function hiddenStates(
  values: Rows["values"] | readonly Rows["values"][],
  options: HiddenStatesOptions,
): Promise<HiddenStatesResult> {
  return hiddenStatesBy(values, options);
}

/** Like `compareComponents`, for the number of hidden states. */
export function compareStates(
  values: Rows["values"] | readonly Rows["values"][],
  options: CompareStatesOptions,
): Promise<StateComparison> {
  return compareStatesBy(values, options);
}

export type {
  Cluster,
  ClusterOptions,
  ClusterResult,
  PredictiveScore,
} from "./clustering/clusters.js";
export type {
  CompareComponentsOptions,
  ComponentComparison,
  ComponentScore,
} from "./clustering/compare/compare-components.js";
export type {
  CompareStatesOptions,
  StateComparison,
  StateScore,
} from "./clustering/compare/compare-states.js";
export type { NumberChoice, NumberScore, Score } from "./clustering/compare/number-choice.js";
export type { CovarianceShape } from "./clustering/exact/gaussian-blocks.js";
export type {
  EmissionOptions,
  HiddenState,
  HiddenStatesOptions,
  HiddenStatesResult,
} from "./clustering/hidden-states.js";
export type { Judgement, SampleDiagnostics } from "./clustering/judgement.js";
export type { Estimate } from "./clustering/sampled.js";
export type { CategoricalBlock, GaussianBlock } from "./clustering/summary.js";
export type { Chains } from "./diagnostics/chains.js";
export { essBulk, essMean, essTail } from "./diagnostics/ess.js";
export { mcseMean } from "./diagnostics/mcse.js";
export type { GaussianScores } from "./diagnostics/predictive.js";
export { rhat } from "./diagnostics/rhat.js";
export {
  type SteinDiscrepancy,
  type SteinOptions,
  steinDiscrepancy,
  steinPath,
} from "./diagnostics/stein.js";
export { type CoordinateSummary, summariseDraws } from "./diagnostics/summarise-draws.js";
export type { ChainDraws, PosteriorDraws } from "./draws/posterior-draws.js";
export type { SparseDraws } from "./draws/sparse-draws.js";
export { type ErrorCode, SparrowError } from "./errors.js";
export type { FamilyName, Scores } from "./families/register.js";
export { type Differences, withNoise } from "./gradients/differences.js";
export type { FisherSettings } from "./gradients/fisher.js";
export type { IntegratorName } from "./integrators/named.js";
export { type PsgldState, psgld } from "./integrators/psgld.js";
export { type SgfsState, sgfs } from "./integrators/sgfs.js";
export { type SgfsFullState, sgfsFull } from "./integrators/sgfs-full.js";
export { type SghmcState, sghmc } from "./integrators/sghmc.js";
export { type SgldOptions, type SgldState, sgld } from "./integrators/sgld.js";
export { type SgnhtState, sgnht } from "./integrators/sgnht.js";
export type { Wakefulness } from "./integrators/wakefulness.js";
export { normal } from "./math/normal.js";
export { Rng, type RngState } from "./math/rng.js";
export {
  bernoulli,
  beta,
  categorical,
  chiSquare,
  exponential,
  gamma,
  inverseGamma,
  inverseWishart,
  multivariateNormal,
  poisson,
  studentT,
  wishart,
} from "./math/variates.js";
export type { MixedFit } from "./mixed/fit.js";
export type { GroupEffects } from "./mixed/group-effects.js";
export type { MixedRun } from "./mixed/mixed-table.js";
export type { MixedPriors } from "./mixed/model/chart.js";
export { addRow, type CrossProducts, emptyCrossProducts } from "./mixed/model/crossproducts.js";
export type { Differs } from "./mixed/model/differs.js";
export type { Resolution } from "./mixed/model/spike-and-slab.js";
export type { MixedOptions, MixedPlan } from "./mixed/options.js";
export type { GroupCovariance, MixedResult, MixedTerm } from "./mixed/result.js";
export type { PosteriorSummary } from "./mixed/summary.js";
export type { ModelPrior } from "./models/model-priors.js";
export type { DescribeAsked, FitAsked, MixedAsked, PredictAsked, ReadAsked } from "./options/asked.js";
export type { DescribeOptions } from "./options/describe.js";
export type { FitOptions, Progress } from "./options/fit.js";
export type { PredictOptions } from "./options/predict.js";
export type {
  FormulaPredictor,
  FormulaTermEffects,
  FormulaVariable,
} from "./prediction/formula-predictor.js";
export type {
  FixedEffects,
  GroupCoefficients,
  MixedPredictor,
  RandomEffects,
} from "./prediction/mixed-predictor.js";
export type { PredictResult } from "./prediction/predict.js";
export type { MixedPredictResult, MixedScores } from "./prediction/predict-mixed.js";
export type { Predictor, PredictorModel } from "./prediction/predictor.js";
export type { PredictorLaw } from "./prediction/predictor-law.js";
export type { Standing } from "./sampling/chain.js";
export { defaultStepSize, type StepSizeOptions } from "./sampling/default-step-size.js";
export { rowSample } from "./sampling/row-sample.js";
export {
  type Draw,
  type SampleEnd,
  type SampleOptions,
  type SampleStanding,
  sample,
} from "./sampling/sample.js";
export { type Cyclical, cyclical, type Polynomial, polynomial, type StepSizes } from "./sampling/schedule.js";
export type { ModelList, RunDetails } from "./selection/answer/details.js";
export type { PredictedRows } from "./selection/answer/fitted.js";
export type {
  Certificate,
  CertifiedGroups,
  CertifiedOverall,
  CoefficientSummary,
  CredibleSet,
  FitResult,
  FitSettings,
  MissingSummary,
  ModelSizeSummary,
  OtherPrior,
  PriorSummary,
  SteinSummary,
  VariableSummary,
} from "./selection/answer/result.js";
export type { ColumnDescription, Description, TargetDescription } from "./selection/describe/describe.js";
export type { HiddenEntries } from "./selection/missing/hidden-entries.js";
export type { PosteriorSettings } from "./selection/posterior/posterior.js";
export type { ScalePrior, Slab } from "./selection/posterior/slab.js";
export type { SpecificationSettings } from "./selection/posterior/specification.js";
export type { DataRecord, PlannedQuestions, Run, SearchTrace, SentQuestion } from "./selection/run.js";
export type { SearchSettings } from "./selection/search/settings.js";
export type { StepSizePlan } from "./selection/search/types.js";
export type { Stage, Timing } from "./selection/session.js";
export type {
  CategoryEncoding,
  ColumnEncoding,
  Encoding,
  MissingRule,
  NumberEncoding,
  TargetEncoding,
} from "./store/layout/encoding.js";
export type {
  BooleanReading,
  CellReading,
  DateReading,
  EpochReading,
  NumberReading,
  TextReading,
  TimeReading,
} from "./tables/cells/cell-reading.js";
export type { DataInMemory } from "./tables/in-memory.js";
export type { KnownReading, ReadingHints } from "./tables/judge/hints.js";
export type { Aside } from "./tables/judge/remarks.js";
export type { ArrayColumn, ArrayValue } from "./tables/readers/arrays.js";
export type { Records } from "./tables/readers/records.js";
export type { ReadingAsked } from "./tables/reading-asked.js";
export type { AnyTable, Chunk, ColumnKind, ColumnTable, TableColumn } from "./tables/table.js";
export type {
  Batch,
  Coordinates,
  Gradient,
  GradientWithNoise,
  InnerKernel,
  Integrator,
  Model,
  Rows,
  Schedule,
  Steps,
  Vector,
} from "./types.js";
export type { RunningOptions } from "./workers/crew.js";
