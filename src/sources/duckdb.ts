/** CSV and Parquet files as tables, through DuckDB. Names and paths are data: always quoted, never executed. */

import { statSync } from "node:fs";
import { type DuckDBDataChunk, DuckDBInstance } from "@duckdb/node-api";
import { SparrowError } from "../errors.js";
import type { Chunk, Table, TableColumn } from "./table.js";

export async function fileTable(path: string): Promise<Table> {
  checkPath(path);
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" });
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    const from = reader(path);
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
    const columns = described.getRows().map(([name, type]) => tableColumn(String(name), String(type)));
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
    const rows = Number(counted.getRows()[0][0]);
    if (rows === 0) throw new SparrowError(`${path} has a header but no rows of data.`);
    return {
      name: path,
      columns,
      rows,
      async *chunks(wanted): AsyncIterable<Chunk> {
        const list = wanted.map((i) => `coalesce(${identifier(columns[i].name)}::DOUBLE, 'nan'::DOUBLE)`);
        try {
          const result = await connection.stream(`SELECT ${list.join(", ")} FROM ${from}`);
          for await (const chunk of result) yield numbersOf(chunk);
        } catch (error) {
          throw readError(path, error);
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw readError(path, error);
  }
}

function numbersOf(chunk: DuckDBDataChunk): Chunk {
  const columns = Array.from({ length: chunk.columnCount }, (_, i) => {
    return (chunk.getColumnVector(i) as unknown as { items: Float64Array }).items;
  });
  return { rows: chunk.rowCount, columns };
}

function checkPath(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new SparrowError(`There is no file ${path}; check the path.`);
  if (stats.isDirectory()) throw new SparrowError(`${path} is a directory; name a CSV or Parquet file.`);
  if (stats.size === 0) throw new SparrowError(`${path} is empty.`);
}

function reader(path: string): string {
  const quoted = `'${path.replaceAll("'", "''")}'`;
  return /\.(parquet|pq)$/i.test(path) ? `read_parquet(${quoted})` : `read_csv(${quoted})`;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const NUMERIC =
  /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT|FLOAT|DOUBLE|DECIMAL.*|BOOLEAN)$/;

function tableColumn(name: string, type: string): TableColumn {
  if (NUMERIC.test(type)) return { name };
  return { name, problem: type === "VARCHAR" ? "text" : `values of type ${type.toLowerCase()}` };
}

function readError(path: string, error: unknown): Error {
  if (error instanceof SparrowError || !(error instanceof Error)) return error as Error;
  return new SparrowError(`${path} could not be read: ${error.message.split("\n")[0]}.`);
}
