/**
 * The files of a run. All but `timing.json` follow from the record in `run.json` alone: the same version, data,
 * options and seed give the same bytes.
 */

import { DRAW_INDEX, type DrawTable, drawTable } from "../draws/posterior-draws.js";
import type { FileContent } from "../files/whole.js";
import type { FitOptions } from "../options/fit.js";
import type { RunRecord } from "../report/stored-run.js";
import type { VariableSummary } from "../selection/answer/result.js";
import type { DataRecord, Run } from "../selection/run.js";
import { writeTable } from "../tables/write.js";
import { version } from "./version.js";

/** Variables that get a column of draws: those with a chance, and never so many that a reader is swamped. */
const MIN_DRAWN = 0.005;
const MAX_DRAWN = 200;

export function runFiles(
  { result, data, details, predicted, search }: Run,
  options: FitOptions,
  imputedAs = "parquet",
): Record<string, FileContent> {
  const { timing, ...summary } = result;
  const draws = details.draws();
  const models = details.models?.();
  const record = runRecord(options, { result, data, draws: draws.kind });
  const table = drawTable(draws, drawnVariables(result.variables));
  return {
    "summary.json": pretty(summary),
    "run.json": pretty(record),
    "model.json": `${JSON.stringify(details.predictor())}\n`,
    ...(models && { "models.json": `${JSON.stringify(models)}\n` }),
    "predicted.json": `${JSON.stringify(predicted)}\n`,
    ...(search && { "search.json": `${JSON.stringify(search)}\n` }),
    "draws.parquet": (path) => writeDraws(table, path),
    ...Object.fromEntries(
      (details.imputations?.() ?? []).map((table, k) => [
        `imputed-${k + 1}.${imputedAs}`,
        (path: string) => writeTable(table, path),
      ]),
    ),
    "timing.json": pretty(timing),
  };
}

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
    version: version(),
    seed: run.result.seed,
    draws: run.draws,
    data: run.data,
    options: Object.fromEntries(asked),
    settings: { ...run.result.settings },
  };
}

const UNRECORDED = ["threads", "onProgress", "onMessage", "signal"];

function drawnVariables(variables: readonly VariableSummary[]): string[] {
  return variables
    .filter(({ pip, selected }) => selected || pip >= MIN_DRAWN)
    .slice(0, MAX_DRAWN)
    .map(({ name }) => name);
}

export function writeDraws({ names, columns }: DrawTable, path: string): Promise<void> {
  const index = new Set<string>(DRAW_INDEX);
  return writeTable(
    {
      by: "columns",
      name: path,
      columns: names.map((name) => ({ name })),
      rows: columns[0].length,
      chunks: () => [{ rows: columns[0].length, columns }],
    },
    path,
    { type: (name) => (index.has(name) ? "integer" : "double") },
  );
}

export function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
