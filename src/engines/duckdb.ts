/** DuckDB, in this process: Parquet files of any size are asked where they lie, without being imported. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { SparrowError } from "../errors.js";
import { database } from "../tables/duckdb/database.js";
import { ownName, rawColumn } from "../tables/duckdb/duckdb-table.js";
import type { PlannedColumn } from "../tables/duckdb/plan.js";
import { identifier, literal } from "../tables/duckdb/sql.js";
import type { RawChunk, RawType } from "../tables/judge/raw-table.js";
import { readError } from "../tables/read-errors.js";
import { planParquet, readParquet } from "../tables/readers/parquet.js";
import { option } from "../wording.js";
import {
  type Answering,
  type AnswerType,
  type Dialect,
  type Engine,
  type EngineColumn,
  HASHES,
} from "./engine.js";
import { watching } from "./watching.js";

export const duckdbDialect: Dialect = {
  names: "nested",
  identifier,
  literal,
  number: (expression) => `coalesce((${expression})::DOUBLE, 'nan'::DOUBLE)`,
  text: (expression) => `(${expression})::VARCHAR`,
  isNaN: (expression) => `isnan(${expression})`,
  hash: (expressions) => `(hash(${expressions.join(", ")}) % ${HASHES})`,
  ln: (x) => `ln(${x})`,
};

/** Of the memory, for the database: it does most of the work, and a tenth is for the sample. */
const SHARE = 0.5;

/** What the reader calls the file and the place of a row. */
const FILE = "sparrow file";
const ROW = "file_row_number";

/** Parquet files of the same columns as one table. */
export async function duckdbEngine(
  paths: readonly string[],
  settings: {
    readonly name: string;
    readonly memory?: number | undefined;
    /** A condition on the rows. */
    readonly where?: string | undefined;
  },
): Promise<Engine> {
  const { name, memory, where } = settings;
  const opened = await database({ paths, memory, share: SHARE });
  const failed = (error: unknown) =>
    error instanceof Error && /Out of Memory/i.test(error.message)
      ? new SparrowError(
          `DuckDB ran out of memory over ${name}; give it more with ${option("memory")}.`,
          "data",
        )
      : readError(name, error);
  try {
    const { columns } = await planParquet(opened.connection, paths, settings);
    return {
      name,
      dialect: duckdbDialect,
      limits: { aggregates: 500, columns: 400, letters: 10_000_000 },
      table: readParquet(paths, `filename=${literal(FILE)}`, `${ROW}=true`),
      ...(where !== undefined && { where }),
      // The folder that the files lie in is no part of the data.
      key: [`parse_filename(${identifier(FILE)})`, ROW],
      columns: columns.map(engineColumn),
      rows: (sql, types, how) => answer(opened.connection, sql, types, { ...how, name, failed }),
      close: opened.close,
    };
  } catch (error) {
    opened.close();
    throw failed(error);
  }
}

function engineColumn(planned: PlannedColumn): EngineColumn {
  const raw = rawColumn(planned, false);
  const isReal = /^(FLOAT|DOUBLE)$/.test(planned.type);
  return {
    ...raw,
    value: writtenValue(planned, raw.type),
    ...(isReal && { real: true }),
    bytes: BYTES[planned.type] ?? 8,
  };
}

const BYTES: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  TINYINT: 1,
  UTINYINT: 1,
  SMALLINT: 2,
  USMALLINT: 2,
  INTEGER: 4,
  UINTEGER: 4,
  FLOAT: 4,
  DATE: 4,
};

/** Times without a zone are taken as they stand, wherever the machine is. */
function writtenValue(planned: PlannedColumn, raw: RawType): string {
  const { type } = planned;
  const column = ownName(planned);
  if (raw === "cells" || raw === "words") return `${column}::VARCHAR`;
  if (raw === "date") {
    const moment = type === "TIMESTAMP WITH TIME ZONE" ? column : `${column}::TIMESTAMP`;
    return `epoch(${moment}) / 86400`;
  }
  return type === "TIME" ? `epoch(${column}) / 3600` : `${column}::DOUBLE`;
}

interface Telling extends Answering {
  readonly name: string;
  failed(error: unknown): Error;
}

/** DuckDB ends a stream that failed half-way just as one that is exhausted: so one is counted, or not streamed. */
async function* answer(
  connection: DuckDBConnection,
  sql: string,
  types: readonly AnswerType[],
  { signal, expected, onRead, name, failed }: Telling,
): AsyncIterable<RawChunk> {
  const stop = () => connection.interrupt();
  const watched =
    onRead &&
    watching(() => {
      const { rows_processed: rows, total_rows_to_process: total } = connection.progress;
      return total > 0n ? { rows: Number(rows), total: Number(total) } : undefined;
    }, onRead);
  signal?.addEventListener("abort", stop, { once: true });
  let done = 0;
  try {
    const result = await (expected === undefined ? connection.run(sql) : connection.stream(sql));
    for (;;) {
      const data = await result.fetchChunk();
      if (!data || data.rowCount === 0) break;
      const rows = data.rowCount;
      done += rows;
      const columns = types.map((type, i) => {
        const vector = data.getColumnVector(i);
        if (type === "number") return (vector as unknown as { items: Float64Array }).items;
        return Array.from({ length: rows }, (_, row) => vector.getItem(row) as string | null);
      });
      yield { rows, columns };
    }
    signal?.throwIfAborted();
  } catch (error) {
    throw signal?.aborted ? signal.reason : failed(error);
  } finally {
    watched?.();
    signal?.removeEventListener("abort", stop);
  }
  if (expected !== undefined && done !== expected)
    throw new SparrowError(`${name} could not be read to its end; check the files and try again.`, "data");
}
