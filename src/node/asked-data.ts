/** Data that are asked instead of read: an address of ClickHouse, or files with an engine of ours. */

import { isClickHouseAddress } from "../engines/clickhouse/address.js";
import { clickHouseEngine } from "../engines/clickhouse/clickhouse.js";
import { clickHouseTable } from "../engines/clickhouse/written-table.js";
import { compareEngine } from "../engines/compare.js";
import { duckdbEngine } from "../engines/duckdb.js";
import type { Engine } from "../engines/engine.js";
import { mixedEngine } from "../engines/mixed.js";
import { type Explained, explain } from "../engines/plan/explain.js";
import { predictAsked, predictInto } from "../engines/predictions.js";
import { runEngine } from "../engines/run-engine.js";
import { SparrowError } from "../errors.js";
import type { MixedRun } from "../mixed/mixed-table.js";
import type { MixedOptions } from "../mixed/options.js";
import type { CompareOptions } from "../options/compare.js";
import type { FitOptions, ForFiles } from "../options/fit.js";
import type { PredictOptions } from "../options/predict.js";
import type { CompareResult } from "../peers/comparison.js";
import type { AnyPredictor, AnyPredictResult } from "../prediction/any-predictor.js";
import { targetName } from "../selection/data/columns.js";
import type { Environment } from "../selection/environment.js";
import type { Run } from "../selection/run.js";
import { disk } from "../store/open/disk.js";
import { type Data, isInFiles, locate } from "../tables/open.js";
import { parquet } from "../tables/readers/parquet.js";
import { option } from "../wording.js";
import type { Crew } from "../workers/crew.js";
import type { Journal } from "../workers/journal.js";
import { readers } from "./open.js";
import { threads } from "./threads.js";

type Asked = Pick<FitOptions, "engine" | "where" | "query" | "memory">;

/** Undefined where the data are to be read. */
async function engineOf(data: Data, { engine, where, query, memory }: Asked): Promise<Engine | undefined> {
  if (isClickHouseAddress(data)) {
    if (engine !== undefined) {
      throw new SparrowError(
        `${data} is asked by ClickHouse itself; leave out ${option("engine", engine)}.`,
        "option",
      );
    }
    return clickHouseEngine(data, { where, query });
  }
  if (engine === undefined) return undefined;
  const files = isInFiles(data) && data !== "-" ? await locate(data, { readers }) : undefined;
  if (files?.reader !== parquet) {
    files?.close();
    throw new SparrowError(
      `${option("engine", engine)} is for Parquet files; leave it out to read ${files?.name ?? "the data"}.`,
      "option",
    );
  }
  if (query !== undefined) {
    throw new SparrowError(
      `${option("query")} is for a table in ClickHouse; use ${option("where")} and ${option("columns")} here.`,
      "option",
    );
  }
  return duckdbEngine(files.paths, { name: files.name, memory, where });
}

/** What a fit would ask of a database. */
export async function explainData(data: Data, options: ForFiles<FitOptions>): Promise<Explained> {
  const engine = await engineOf(data, options);
  if (!engine) {
    throw new SparrowError(
      `${option("explain")} is for data that are asked where they lie: Parquet files with ${option("engine", "duckdb")}, or a table in ClickHouse.`,
      "option",
    );
  }
  try {
    const target = targetName({ columns: engine.columns }, options.target);
    return await explain(engine, { ...options, target }, options.memory ?? disk.memory);
  } finally {
    await engine.close();
  }
}

/** A fit of data for which `engineOf` knows an engine. */
export async function runAskedData(
  data: Data,
  options: ForFiles<FitOptions>,
  journal: Journal | undefined,
): Promise<Run> {
  const engine = (await engineOf(data, options))!;
  try {
    const target = targetName({ columns: engine.columns }, options.target);
    return await runEngine(engine, { ...options, target }, { environment: threads, journal });
  } finally {
    await engine.close();
  }
}

/** Methods side by side. */
export async function compareAskedData(
  data: Data,
  options: ForFiles<CompareOptions>,
  environment: Environment,
  held: () => number,
): Promise<CompareResult> {
  const engine = (await engineOf(data, options))!;
  try {
    const target = targetName({ columns: engine.columns }, options.target);
    return await compareEngine(engine, { ...options, target }, environment, { held });
  } finally {
    await engine.close();
  }
}

/** A mixed model from sums by group; one that needs the rows themselves is refused with the reason. */
export async function mixedAskedData(
  data: Data,
  options: Partial<MixedOptions>,
  crew: Crew,
): Promise<MixedRun> {
  const engine = (await engineOf(data, options))!;
  try {
    return await mixedEngine(engine, options, crew);
  } finally {
    await engine.close();
  }
}

/** Predictions for rows that are asked for. */
export async function predictAskedData(
  predictor: AnyPredictor,
  data: Data,
  options: PredictOptions,
): Promise<AnyPredictResult> {
  const engine = (await engineOf(data, options))!;
  try {
    return await predictAsked(engine, predictor, options);
  } finally {
    await engine.close();
  }
}

/** The same, written into a table of a database as they come. */
export async function predictIntoTable(
  predictor: AnyPredictor,
  data: Data,
  out: string,
  options: PredictOptions,
): Promise<Pick<AnyPredictResult, "rows" | "scores">> {
  if ((options.id ?? []).length === 0) {
    throw new SparrowError(
      `Rows of a table have no numbers: name the columns that tell them apart with ${option("id")}, so that predictions can be joined to them.`,
      "option",
    );
  }
  const engine = await engineOf(data, options);
  if (!engine) {
    throw new SparrowError(
      `${out} is filled from data that are asked: a table in ClickHouse, or Parquet files with ${option("engine", "duckdb")}.`,
      "option",
    );
  }
  try {
    return await predictInto(engine, predictor, await clickHouseTable(out, undefined), options);
  } finally {
    await engine.close();
  }
}

export { askedText, explainedText } from "../engines/plan/explain.js";
