/**
 * Results hold sentences, and some of them name options. Where a result leaves, they are spelt in the way of those who
 * will read it.
 */

import type { MixedFit } from "../mixed/fit.js";
import type { MixedResult } from "../mixed/result.js";
import type { CompareResult } from "../peers/comparison.js";
import type { AnyPredictResult } from "../prediction/any-predictor.js";
import type { FitResult } from "../selection/answer/result.js";
import type { Description } from "../selection/describe/describe.js";
import type { Run } from "../selection/run.js";
import type { StoreRecord } from "../store/store.js";
import { type Spelling, spelt } from "../wording.js";

const all = (sentences: readonly string[], spelling: Spelling): string[] =>
  sentences.map((sentence) => spelt(sentence, spelling));

export function spokenResult(result: FitResult, spelling: Spelling): FitResult {
  const { notes, verdict, diagnostics, settings } = result;
  const { chosen } = settings;
  return {
    ...result,
    ...(notes && { notes: all(notes, spelling) }),
    ...(verdict !== undefined && { verdict: spelt(verdict, spelling) }),
    diagnostics: { ...diagnostics, warnings: all(diagnostics.warnings, spelling) },
    settings: Array.isArray(chosen) ? { ...settings, chosen: all(chosen.map(String), spelling) } : settings,
  };
}

export function spokenRun(run: Run, spelling: Spelling): Run {
  return { ...run, result: spokenResult(run.result, spelling) };
}

export function spokenMixed<Fit extends MixedFit>(fit: Fit, spelling: Spelling): Fit {
  const { notes, verdict, diagnostics } = fit.result;
  const result: MixedResult = {
    ...fit.result,
    ...(notes && { notes: all(notes, spelling) }),
    verdict: spelt(verdict, spelling),
    diagnostics: { ...diagnostics, warnings: all(diagnostics.warnings, spelling) },
  };
  return { ...fit, result };
}

/** The same for what is said while the work goes on. */
export function hearing<Options extends { readonly onMessage?: ((message: string) => void) | undefined }>(
  options: Options,
  spelling: Spelling,
): Options {
  const { onMessage } = options;
  return onMessage
    ? { ...options, onMessage: (message: string) => onMessage(spelt(message, spelling)) }
    : options;
}

export function spokenCompare(comparison: CompareResult, spelling: Spelling): CompareResult {
  const methods = comparison.methods.map((method) =>
    method.failure === undefined ? method : { ...method, failure: spelt(method.failure, spelling) },
  );
  const { notes } = comparison;
  return { ...comparison, ...(notes && { notes: all(notes, spelling) }), methods };
}

export function spokenDescription(description: Description, spelling: Spelling): Description {
  const { target } = description;
  return {
    ...description,
    notes: all(description.notes, spelling),
    ...(target && { target: spokenProblem(target, spelling) }),
    columns: description.columns.map((column) => ({
      ...spokenProblem(column, spelling),
      odd: all(column.odd, spelling),
    })),
  };
}

function spokenProblem<T extends { readonly problem?: string }>(of: T, spelling: Spelling): T {
  return of.problem === undefined ? of : { ...of, problem: spelt(of.problem, spelling) };
}

export function spokenPrediction<Result extends AnyPredictResult>(
  result: Result,
  spelling: Spelling,
): Result {
  return result.notes ? { ...result, notes: all(result.notes, spelling) } : result;
}

/** What a store says of how it was made. */
export function spokenRecord(record: StoreRecord, spelling: Spelling): StoreRecord {
  return { ...record, notes: all(record.notes, spelling) };
}
