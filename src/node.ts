/** `sparrow-bayes/node`: all of `sparrow-bayes`, with files and threads. */

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
import type { MixedRun } from "./mixed/mixed-table.js";
import type { MixedOptions } from "./mixed/options.js";
import { compareData } from "./node/compare-data.js";
import { describeData } from "./node/describe-data.js";
import { importData } from "./node/import-data.js";
import { mixedData } from "./node/mixed-data.js";
import { open as openData } from "./node/open.js";
import { runPage } from "./node/pages.js";
import { predictData } from "./node/predict-data.js";
import { runData } from "./node/run-data.js";
import { crew } from "./node/threads.js";
import type { CompareOptions } from "./options/compare.js";
import type { DescribeOptions } from "./options/describe.js";
import type { FitOptions, ForFiles } from "./options/fit.js";
import type { ImportOptions } from "./options/import.js";
import type { PredictOptions } from "./options/predict.js";
import type { CompareResult } from "./peers/comparison.js";
import type { AnyPredictResult } from "./prediction/any-predictor.js";
import type { FormulaPredictor } from "./prediction/formula-predictor.js";
import type { MixedPredictor } from "./prediction/mixed-predictor.js";
import type { PredictResult } from "./prediction/predict.js";
import type { MixedPredictResult } from "./prediction/predict-mixed.js";
import type { Predictor } from "./prediction/predictor.js";
import { readPredictor } from "./prediction/read-predictor.js";
import {
  hearing,
  spokenCompare,
  spokenDescription,
  spokenMixed,
  spokenPrediction,
  spokenRun,
} from "./report/spoken.js";
import type { FitResult } from "./selection/answer/result.js";
import type { Description } from "./selection/describe/describe.js";
import type { Run } from "./selection/run.js";
import type { StoreRecord } from "./store/store.js";
import type { DataInMemory } from "./tables/in-memory.js";
import type { Data, DataInFiles, OpenOptions } from "./tables/open.js";
import type { Table } from "./tables/table.js";
import type { Rows } from "./types.js";
import { asProperty } from "./wording.js";

// What is defined below takes the place of what has the same name there.
export * from "./index.js";

/** Like `fit` of `sparrow-bayes`; takes the path of a file, a list or pattern of files, or a store as well. */
export async function fit(data: DataInMemory, options: FitOptions): Promise<FitResult>;
export async function fit(data: DataInFiles, options?: ForFiles<FitOptions>): Promise<FitResult>;
export async function fit(data: Data, options: ForFiles<FitOptions> = {}): Promise<FitResult> {
  return (await untilStopped(options, async () => spokenRun(await runData(data, options), asProperty)))
    .result;
}

/** A fit with its draws, its models and a record of the data: what `sparrow fit --out` writes. */
export async function run(data: DataInMemory, options: FitOptions): Promise<Run>;
export async function run(data: DataInFiles, options?: ForFiles<FitOptions>): Promise<Run>;
export async function run(data: Data, options: ForFiles<FitOptions> = {}): Promise<Run> {
  return untilStopped(options, async () => spokenRun(await runData(data, options), asProperty));
}

/** What each column of the data holds and will become: what `sparrow describe --json` prints. */
export async function describe(data: Data, options: DescribeOptions = {}): Promise<Description> {
  return untilStopped(options, async () => spokenDescription(await describeData(data, options), asProperty));
}

/** Several selection methods side by side on the same data: what `sparrow compare --json` prints. */
export async function compare(data: DataInMemory, options: CompareOptions): Promise<CompareResult>;
export async function compare(data: DataInFiles, options?: ForFiles<CompareOptions>): Promise<CompareResult>;
export async function compare(data: Data, options: ForFiles<CompareOptions> = {}): Promise<CompareResult> {
  return untilStopped(options, async () => spokenCompare(await compareData(data, options), asProperty));
}

/**
 * How effects differ between groups of rows; `result` is what `sparrow mixed --json` prints. Target and group may be
 * left to data that know them, as folders of MovieLens do.
 */
export async function mixed(data: Data, options: Partial<MixedOptions> = {}): Promise<MixedRun> {
  return untilStopped(options, async () =>
    spokenMixed(await mixedData(data, hearing(options, asProperty)), asProperty),
  );
}

/**
 * Predicts new rows from a run folder or a predictor, and scores them where the data hold the target. A folder may be
 * that of a `fit` or of a mixed model: only predictions of the first have a `median`, only those of the second `known`.
 */
export async function predict(from: Predictor, data: Data, options?: PredictOptions): Promise<PredictResult>;
export async function predict(
  from: MixedPredictor | FormulaPredictor,
  data: Data,
  options?: PredictOptions,
): Promise<MixedPredictResult>;
export async function predict(
  from: string | Predictor | MixedPredictor | FormulaPredictor,
  data: Data,
  options?: PredictOptions,
): Promise<AnyPredictResult>;
export async function predict(
  from: string | Predictor | MixedPredictor | FormulaPredictor,
  data: Data,
  options: PredictOptions = {},
): Promise<AnyPredictResult> {
  const predictor = typeof from === "string" ? readPredictor(from) : from;
  return untilStopped(options, async () =>
    spokenPrediction(await predictData(predictor, data, options), asProperty),
  );
}

/** The page of a run folder, of a `fit` or of a mixed model, as the text of one HTML file: what `sparrow report` writes. */
export function report(run: string): Promise<string> {
  return runPage(run);
}

/** Like `clusters` of `sparrow-bayes`, each chain in a thread of its own. */
export function clusters(values: Rows["values"], options: ClusterOptions): Promise<ClusterResult> {
  return clustersBy(values, options, crew);
}

/** Like `compareComponents` of `sparrow-bayes`, each number in a thread of its own. */
export function compareComponents(
  values: Rows["values"],
  options: CompareComponentsOptions,
): Promise<ComponentComparison> {
  return compareComponentsBy(values, options, crew);
}

/** Like `hiddenStates` of `sparrow-bayes`, each chain in a thread of its own. */
export function hiddenStates(
  values: Rows["values"] | readonly Rows["values"][],
  options: HiddenStatesOptions,
): Promise<HiddenStatesResult> {
  return hiddenStatesBy(values, options, crew);
}

/** Like `compareStates` of `sparrow-bayes`, each number in a thread of its own. */
export function compareStates(
  values: Rows["values"] | readonly Rows["values"][],
  options: CompareStatesOptions,
): Promise<StateComparison> {
  return compareStatesBy(values, options, crew);
}

/** Reads files once and writes them as a store, which `fit` opens at once. */
export async function importFiles(
  data: Data,
  path: string,
  options: ForFiles<ImportOptions> = {},
): Promise<StoreRecord> {
  return untilStopped(options, () => importData(data, path, options, asProperty));
}

/** The table behind a path, a list of paths, a pattern, `-` (standard input) or a folder; or of data in memory. */
export function open(data: Data, options: OpenOptions = {}): Promise<Table> {
  return openData(data, options);
}

export type { CompareAsked, ImportAsked } from "./options/asked.js";
export type { CompareOptions } from "./options/compare.js";
export type { ForFiles } from "./options/fit.js";
export type { ImportOptions } from "./options/import.js";
export type { CompareResult, MethodResult } from "./peers/comparison.js";
export type { AnyPredictResult } from "./prediction/any-predictor.js";
export type { Apart, StoreRecord, Treated } from "./store/store.js";
export type { Data, DataInFiles, OpenOptions } from "./tables/open.js";
export type { Reader, ReaderSettings, Source } from "./tables/reader.js";
export type {
  EntryTable,
  SparseChunk,
  Table,
} from "./tables/table.js";
