/** `sparrow-bayes/browser`: all of `sparrow-bayes`, with the files that a page is given, and its threads. */

import { type News, telling } from "./browser/news.js";
import { type NamedBlob, type OpenedFile, openFile } from "./browser/opened-file.js";
import { comparisonReport, predictionsCsv, report } from "./browser/outputs.js";
import { SimulatedData } from "./browser/simulated-data.js";
import {
  canShare,
  crewOf,
  environmentOf,
  type ThreadProgram,
  threadsToHave,
} from "./browser/surroundings.js";
import { type DataInPage, withTable } from "./browser/with-table.js";
import { untilStopped } from "./errors.js";
import { type MixedRun, mixedTable } from "./mixed/mixed-table.js";
import type { MixedOptions } from "./mixed/options.js";
import { wordsOfMixed } from "./mixed/read/words-of-mixed.js";
import { mixedReading } from "./mixed/rows/rows-table.js";
import type { CompareOptions } from "./options/compare.js";
import { checkDescribe, type DescribeOptions } from "./options/describe.js";
import type { FitOptions, ForFiles, Progress } from "./options/fit.js";
import { checkPredict, type PredictOptions } from "./options/predict.js";
import { compareTable } from "./peers/compare.js";
import type { CompareResult } from "./peers/comparison.js";
import {
  type AnyPredictor,
  type AnyPredictResult,
  checkPredictor,
  knownReading,
  predictWith,
} from "./prediction/any-predictor.js";
import type { FormulaPredictor } from "./prediction/formula-predictor.js";
import type { MixedPredictor } from "./prediction/mixed-predictor.js";
import { inOwnWords } from "./prediction/own-words.js";
import type { PredictResult } from "./prediction/predict.js";
import type { MixedPredictResult } from "./prediction/predict-mixed.js";
import type { Predictor } from "./prediction/predictor.js";
import {
  hearing,
  spokenCompare,
  spokenDescription,
  spokenMixed,
  spokenPrediction,
  spokenRun,
} from "./report/spoken.js";
import type { FitResult } from "./selection/answer/result.js";
import { targetName } from "./selection/data/columns.js";
import { type Description, describeTable } from "./selection/describe/describe.js";
import { runTable } from "./selection/fit-table.js";
import type { Run } from "./selection/run.js";
import { readingOf } from "./tables/reading-asked.js";
import { asFlag, asProperty, type Spelling } from "./wording.js";

// What is defined below takes the place of what has the same name there.
export * from "./index.js";

/** How a page lets Sparrow work. */
export interface PageOptions {
  /**
   * The program of a thread: the address of `sparrow-bayes/browser-worker`, or a function that starts it. Bundlers that
   * know `new Worker(new URL(…, import.meta.url))` find it without.
   */
  readonly worker?: ThreadProgram | undefined;
  /** Hears how far a fit is, and what the chains of its search have come to. */
  readonly onNews?: ((news: News) => void) | undefined;
  /** How sentences name options: `missing: "drop"` (library, unless told) or `--missing drop` (command). */
  readonly spelling?: "library" | "command" | undefined;
}

const spellingOf = ({ spelling }: PageOptions): Spelling => (spelling === "command" ? asFlag : asProperty);

/** Opens a file: finds out what is in it, by its name or its first bytes, and whether it fits. Nothing else is read yet. */
export function open(file: NamedBlob): Promise<OpenedFile> {
  return openFile(file);
}

/** Like `fit` of `sparrow-bayes`; takes a file as well. */
export async function fit(
  data: DataInPage,
  options: ForFiles<FitOptions> = {},
  page: PageOptions = {},
): Promise<FitResult> {
  return (await run(data, options, page)).result;
}

/** A fit with its draws, its models and a record of the data. */
export async function run(
  data: DataInPage,
  options: ForFiles<FitOptions> = {},
  page: PageOptions = {},
): Promise<Run> {
  const { environment, onProgress } = listening(options, page);
  return untilStopped(options, async () => {
    const fitted = await withTable(data, { ...readingOf(options), memory: options.memory }, (table) =>
      runTable(
        table,
        { ...options, target: targetName(table, options.target), ...(onProgress && { onProgress }) },
        environment,
      ),
    );
    return spokenRun(fitted, spellingOf(page));
  });
}

function listening(options: Pick<FitOptions, "onProgress">, { worker, onNews }: PageOptions) {
  const environment = environmentOf(worker);
  const told = onNews && telling(environment, onNews);
  if (!told) return { environment, onProgress: options.onProgress };
  const onProgress = (progress: Progress) => {
    options.onProgress?.(progress);
    told.onProgress(progress);
  };
  return { environment: told.environment, onProgress };
}

/** What each column of the data holds and will become: what `sparrow describe --json` prints. */
export async function describe(
  data: DataInPage,
  options: DescribeOptions = {},
  page: Pick<PageOptions, "spelling"> = {},
): Promise<Description> {
  checkDescribe(options);
  return untilStopped(options, async () => {
    const settings = { ...readingOf(options), memory: options.memory };
    const description = await withTable(data, settings, (table) => describeTable(table, options));
    return spokenDescription(description, spellingOf(page));
  });
}

/** Several selection methods side by side on the same data: what `sparrow compare --json` prints. */
export async function compare(
  data: DataInPage,
  options: ForFiles<CompareOptions> = {},
  page: Omit<PageOptions, "onNews"> = {},
): Promise<CompareResult> {
  const environment = environmentOf(page.worker);
  return untilStopped(options, async () => {
    const settings = { ...readingOf(options), memory: options.memory };
    const compared = await withTable(data, settings, (table) =>
      compareTable(table, { ...options, target: targetName(table, options.target) }, environment),
    );
    return spokenCompare(compared, spellingOf(page));
  });
}

/** How effects differ between groups of rows: a mixed model. `predictor()` is what `predict` takes. */
export async function mixed(
  data: DataInPage,
  options: Partial<MixedOptions> = {},
  page: Omit<PageOptions, "onNews"> = {},
): Promise<MixedRun> {
  const asked = hearing(options, spellingOf(page));
  const settings = { ...mixedReading(options), memory: options.memory };
  return untilStopped(options, async () => {
    const fitted = await wordsOfMixed(options, () =>
      withTable(data, settings, (table) => mixedTable(table, asked, crewOf(page.worker))),
    );
    return spokenMixed(fitted, spellingOf(page));
  });
}

/** Predicts new rows, and scores the predictions where the data hold the target. */
export async function predict(
  predictor: Predictor,
  data: DataInPage,
  options?: PredictOptions,
  page?: Pick<PageOptions, "spelling">,
): Promise<PredictResult>;
export async function predict(
  predictor: MixedPredictor | FormulaPredictor,
  data: DataInPage,
  options?: PredictOptions,
  page?: Pick<PageOptions, "spelling">,
): Promise<MixedPredictResult>;
export async function predict(
  predictor: AnyPredictor,
  data: DataInPage,
  options: PredictOptions = {},
  page: Pick<PageOptions, "spelling"> = {},
): Promise<AnyPredictResult> {
  checkPredict(options);
  checkPredictor(predictor);
  const settings = { ...knownReading(predictor, options), ...readingOf(options), memory: options.memory };
  return untilStopped(options, async () =>
    spokenPrediction(
      await inOwnWords(predictor, () =>
        withTable(data, settings, (table) => predictWith(predictor, table, options)),
      ),
      spellingOf(page),
    ),
  );
}

/** Whether threads can share memory here, and how many a run has unless told. */
export function threads(): { readonly shared: boolean; readonly count: number } {
  return { shared: canShare(), count: threadsToHave() };
}

export { drawsFile } from "./browser/draws.js";
export { commandLine, libraryCode } from "./browser/equivalent.js";
export type { InclusionNews, News, SearchNews } from "./browser/news.js";
export type { NamedBlob, OpenedFile } from "./browser/opened-file.js";
export type { ThreadProgram } from "./browser/surroundings.js";
export type { DataInPage } from "./browser/with-table.js";
export type { DrawTable } from "./draws/posterior-draws.js";
export type { Simulation, SimulationKind } from "./experiments/simulated.js";
export type { CompareAsked } from "./options/asked.js";
export type { CompareOptions } from "./options/compare.js";
export type { ForFiles } from "./options/fit.js";
export type { CompareResult, MethodResult } from "./peers/comparison.js";
export type { AnyPredictResult } from "./prediction/any-predictor.js";
export { storedRun } from "./report/run-record.js";
export { type RunWords, runWords } from "./report/run-words.js";
export type { RunRecord, StoredRun } from "./report/stored-run.js";
export { scoreLines } from "./report/text/prediction.js";
export type { Exactness } from "./report/text/sentences.js";
export type { FileFormat } from "./tables/readers/kinds.js";
export { comparisonReport, predictionsCsv, report, SimulatedData };
