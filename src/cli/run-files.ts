/**
 * The files of a run. All but `timing.json` follow from the record in `run.json` alone: the same version, data,
 * options and seed give the same bytes.
 */

import { DRAW_INDEX, type DrawTable, drawTable } from "../draws/posterior-draws.js";
import type { FileContent } from "../files/whole.js";
import type { FitOptions } from "../options/fit.js";
import { drawnVariables, runRecord } from "../report/run-record.js";
import type { Run } from "../selection/run.js";
import { writeTable } from "../tables/write.js";

export function runFiles(
  { result, data, details, predicted, search, questions }: Run,
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
    ...(questions && {
      "queries.sql": questions.map(({ purpose, sql }) => `-- ${purpose}\n${sql};\n`).join("\n"),
    }),
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
