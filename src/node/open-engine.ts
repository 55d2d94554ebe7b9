/** Data that are asked instead of read: an address of ClickHouse, or files with an engine of ours. */

import { isClickHouseAddress } from "../engines/clickhouse/address.js";
import { clickHouseEngine } from "../engines/clickhouse/clickhouse.js";
import { duckdbEngine } from "../engines/duckdb.js";
import type { Engine } from "../engines/engine.js";
import { SparrowError } from "../errors.js";
import type { FitOptions } from "../options/fit.js";
import { type Data, isInFiles, locate } from "../tables/open.js";
import { parquet } from "../tables/readers/parquet.js";
import { option } from "../wording.js";
import { readers } from "./open.js";

type Asked = Pick<FitOptions, "engine" | "where" | "query" | "memory">;

/** Undefined where the data are to be read. */
export async function engineOf(
  data: Data,
  { engine, where, query, memory }: Asked,
): Promise<Engine | undefined> {
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
