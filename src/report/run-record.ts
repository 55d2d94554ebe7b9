/** A run as plain data: what is asked of whom on which data, and all that a report is made of. */

import { drawTable } from "../draws/posterior-draws.js";
import type { VariableSummary } from "../selection/answer/result.js";
import type { DataRecord, Run } from "../selection/run.js";
import type { RunRecord, StoredRun } from "./stored-run.js";

/** Of the package: written here because a page has no file to read it from. */
export const VERSION = "0.1.0";

/** What was asked of whom, on which data. Threads and listeners do not change the answer. */
export function runRecord(
  options: object,
  run: {
    readonly result: { readonly seed: number; readonly settings: object };
    readonly data: DataRecord;
    readonly draws: RunRecord["draws"];
  },
): RunRecord {
  const asked = Object.entries(options).filter(([name]) => !UNRECORDED.includes(name));
  return {
    version: VERSION,
    seed: run.result.seed,
    draws: run.draws,
    data: run.data,
    options: Object.fromEntries(asked),
    settings: { ...run.result.settings },
  };
}

const UNRECORDED = ["threads", "onProgress", "onMessage", "signal"];

/** Variables that get a column of draws: those with a chance, and never so many that a reader is swamped. */
const MIN_DRAWN = 0.005;
const MAX_DRAWN = 200;

export function drawnVariables(variables: readonly VariableSummary[]): string[] {
  return variables
    .filter(({ pip, selected }) => selected || pip >= MIN_DRAWN)
    .slice(0, MAX_DRAWN)
    .map(({ name }) => name);
}

/** A run as its folder would hold it. */
export function storedRun(run: Run, options: object): StoredRun {
  const { result, data, details, predicted, search } = run;
  const { timing, ...summary } = result;
  const draws = details.draws();
  const models = details.models?.();
  return {
    result: summary,
    record: runRecord(options, { result, data, draws: draws.kind }),
    timing,
    ...(models && { models }),
    ...(search && { search }),
    draws: drawTable(draws, drawnVariables(result.variables)),
    predicted,
  };
}
