/** Writes a table of numbers as CSV or Parquet, through DuckDB. */

import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SparrowError } from "../errors.js";
import type { Claim } from "../files/claim.js";
import { database } from "./duckdb/database.js";
import { duckdb } from "./duckdb/package.js";
import { literal } from "./duckdb/sql.js";
import type { ColumnTable } from "./table.js";

/** DuckDB's own vector length: the most rows one data chunk can hold. */
const CHUNK_ROWS = 2048;

export interface WriteOptions {
  /** What the file will be called; its path unless told. */
  readonly called?: string;
  /** How the numbers of a column are stored; float unless told. Texts are texts. */
  readonly type?: (column: string) => "float" | "double" | "integer";
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** The file appears whole or not at all. */
export async function writeTableWhole(
  table: ColumnTable,
  claimed: Claim,
  options: Omit<WriteOptions, "called"> = {},
): Promise<void> {
  await writeTable(table, claimed.partial, { ...options, called: claimed.path });
  claimed.publish();
}

export async function writeTable(
  table: ColumnTable,
  path: string,
  options: WriteOptions = {},
): Promise<void> {
  const { called = path } = options;
  checkTablePath(path);
  const { DOUBLE, DuckDBDataChunk, FLOAT, INTEGER, VARCHAR } = await duckdb();
  const TYPES = { float: FLOAT, double: DOUBLE, integer: INTEGER } as const;
  const { connection, close } = await database({ paths: [path] });
  try {
    const types = table.columns.map(({ name, kind }) =>
      kind === "text" ? VARCHAR : TYPES[options.type?.(name) ?? "float"],
    );
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
          const { levels } = table.columns[c];
          if (levels) {
            data.setColumnValues(
              c,
              Array.from({ length: count }, (_, i) => levels[values[from + i]]),
            );
            return;
          }
          const vector = data.getColumnVector(c) as unknown as { items: number[]; flush(): void };
          for (let i = 0; i < count; i++) vector.items[i] = values[from + i];
          vector.flush();
        });
        appender.appendDataChunk(data);
      }
      appender.flushSync();
      rows += chunk.rows;
      options.onProgress?.(rows);
      // Ctrl-C is heard between turns of the event loop.
      await setImmediate();
    }
    appender.closeSync();
    const format = PARQUET.test(path) ? "FORMAT parquet" : "FORMAT csv, HEADER";
    await connection.run(`COPY written TO ${literal(path)} (${format}, USE_TMP_FILE false)`);
  } catch (error) {
    discard(path);
    if (error instanceof SparrowError || options.signal?.aborted) throw error;
    throw new SparrowError(`${called} could not be written: ${reason((error as Error).message)}.`, "write");
  } finally {
    close();
  }
}

export const PARQUET = /\.(parquet|pq)$/i;
const CSV = /\.csv$/i;

export const isCsv = (path: string): boolean => CSV.test(path);

/** Fails before any work is done where the name tells no format or the folder is not there. */
export function checkTablePath(path: string, more: readonly string[] = []): void {
  const isKnown = more.some((ending) => path.toLowerCase().endsWith(ending));
  if (!PARQUET.test(path) && !isCsv(path) && !isKnown) {
    const known = [".csv", ".parquet", ...more];
    const listed = `${known.slice(0, -1).join(", ")} or ${known[known.length - 1]}`;
    throw new SparrowError(`${path} must end in ${listed}: the ending tells the format.`, "option");
  }
  if (!existsSync(dirname(path))) {
    throw new SparrowError(`${path} could not be written: its folder does not exist.`, "write");
  }
}

/** What DuckDB says, without its own names for things. */
function reason(message: string): string {
  if (/No space left/i.test(message)) return "the disk is full";
  if (/Permission denied|Read-only/i.test(message)) return "the folder may not be written to";
  return message
    .split("\n")[0]
    .replace(/^[\w ]*Error: /, "")
    .replace(/\.$/, "");
}

/** Removes what was written so far. Where nothing could be written there is nothing to remove. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
