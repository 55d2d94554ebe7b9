/**
 * The files of a run. All but `timing.json` follow from the record in `run.json` alone: the same version, data,
 * options and seed give the same bytes.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DRAW_INDEX, type DrawTable, drawTable } from "../draws/posterior-draws.js";
import { SparrowError } from "../errors.js";
import type { FitOptions } from "../options/fit.js";
import type { RunRecord, StoredRun } from "../report/stored-run.js";
import type { VariableSummary } from "../selection/answer/result.js";
import type { DataRecord, Run } from "../selection/run.js";
import { parquet } from "../tables/readers/parquet.js";
import { writeTable } from "../tables/write.js";
import { option } from "../wording.js";
import type { FileContent } from "./run-folder.js";
import { version } from "./version.js";

/** Variables that get a column of draws: those with a chance, and never so many that a reader is swamped. */
const MIN_DRAWN = 0.005;
const MAX_DRAWN = 200;

export function runFiles(
  { result, data, details, predicted, search }: Run,
  options: FitOptions,
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

/** Reads the run of a `fit` back, for the report. */
export async function readRun(path: string): Promise<StoredRun> {
  if (!existsSync(path)) throw new SparrowError(`There is no run folder ${path}; check the path.`, "file");
  const read = (name: string): unknown => readJson(join(path, name), "sparrow fit");
  const result = read("summary.json");
  const record = read("run.json");
  if (!result || !record) {
    throw new SparrowError(
      `${path} is not a run folder; sparrow fit and sparrow mixed write one with ${option("out", "DIR")}.`,
      "file",
    );
  }
  const draws = join(path, "draws.parquet");
  const optional = {
    timing: read("timing.json"),
    models: read("models.json"),
    search: read("search.json"),
    predicted: read("predicted.json"),
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    ...present,
    result,
    record,
    ...(existsSync(draws) && { draws: await readDraws(draws) }),
  } as StoredRun;
}

export async function readDraws(path: string): Promise<DrawTable> {
  const table = await parquet.open([path], { name: path });
  try {
    if (table.by !== "columns" || table.rows === undefined) {
      throw new SparrowError(`${path} is damaged: it holds no draws; run the command again.`, "format");
    }
    const { rows } = table;
    const columns = table.columns.map(() => new Float64Array(rows));
    let row = 0;
    for await (const chunk of table.chunks(table.columns.map((_, i) => i))) {
      chunk.columns.forEach((values, c) => {
        for (let i = 0; i < chunk.rows; i++) columns[c][row + i] = values[i];
      });
      row += chunk.rows;
    }
    return { names: table.columns.map(({ name }) => name), columns };
  } finally {
    table.close?.();
  }
}

/** Undefined where there is no such file; `command` is what would write it again. */
export function readJson(file: string, command: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new SparrowError(`${file} is damaged: it is not JSON; run ${command} again.`, "format");
  }
}

export function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
