/** Writes a table of numbers as CSV or Parquet, through DuckDB. The file appears whole or not at all. */

import { renameSync, rmSync } from "node:fs";
import { DOUBLE, DuckDBDataChunk, DuckDBInstance, FLOAT, INTEGER } from "@duckdb/node-api";
import { SparrowError } from "../errors.js";
import type { Table } from "./table.js";

/** DuckDB's own vector length: the most rows one data chunk can hold. */
const CHUNK_ROWS = 2048;

const TYPES = { float: FLOAT, double: DOUBLE, integer: INTEGER } as const;

export interface WriteOptions {
  /** How the numbers of a column are stored; float unless told. */
  readonly type?: (column: string) => keyof typeof TYPES;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((rows: number) => void) | undefined;
}

export async function writeTable(table: Table, path: string, options: WriteOptions = {}): Promise<void> {
  const temporary = `${path}.partial`;
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const types = table.columns.map(({ name }) => TYPES[options.type?.(name) ?? "float"]);
    const quoted = table.columns.map(({ name }, c) => `"${name.replaceAll('"', '""')}" ${types[c]}`);
    await connection.run(`CREATE TABLE written (${quoted.join(", ")})`);
    const appender = await connection.createAppender("written");
    let rows = 0;
    for await (const chunk of table.chunks(table.columns.map((_, i) => i))) {
      options.signal?.throwIfAborted();
      for (let from = 0; from < chunk.rows; from += CHUNK_ROWS) {
        const count = Math.min(CHUNK_ROWS, chunk.rows - from);
        const data = DuckDBDataChunk.create(types, count);
        chunk.columns.forEach((values, c) => {
          const vector = data.getColumnVector(c) as unknown as { items: number[]; flush(): void };
          for (let i = 0; i < count; i++) vector.items[i] = values[from + i];
          vector.flush();
        });
        appender.appendDataChunk(data);
      }
      appender.flushSync();
      rows += chunk.rows;
      options.onProgress?.(rows);
    }
    appender.closeSync();
    const format = /\.(parquet|pq)$/i.test(path) ? "(FORMAT parquet)" : "(FORMAT csv, HEADER)";
    await connection.run(`COPY written TO '${temporary.replaceAll("'", "''")}' ${format}`);
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    if (error instanceof SparrowError || options.signal?.aborted) throw error;
    throw new SparrowError(`${path} could not be written: ${(error as Error).message.split("\n")[0]}.`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Removes what was written so far. Where nothing could be written there is nothing to remove. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
