/**
 * The rows of a query, a chunk at a time, to the last one. DuckDB ends a stream that failed half-way just as one that
 * is exhausted. So where the number of rows is not known a row of our own comes last (a third more work for DuckDB
 * with 1,000 columns of CSV): if rows or that one are missing the query failed, and running it again without a stream
 * tells why.
 */

import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import { SparrowError } from "../../errors.js";

export interface StreamedChunk {
  readonly data: DuckDBDataChunk;
  /** Rows of the chunk; the marker of the end is not one of them. */
  readonly rows: number;
}

export async function* streamed(
  connection: DuckDBConnection,
  { expressions, from, name, rows: known }: StreamSettings,
): AsyncIterable<StreamedChunk> {
  const marker = expressions.length;
  const list = expressions.join(", ");
  const result = await connection.stream(
    known === undefined
      ? `SELECT ${list}, false FROM ${from} UNION ALL SELECT ${"NULL, ".repeat(marker)}true`
      : `SELECT ${list} FROM ${from}`,
  );
  let done = 0;
  let ended = false;
  for await (const data of ahead(result)) {
    ended =
      known === undefined
        ? data.getColumnVector(marker).getItem(data.rowCount - 1) === true
        : done + data.rowCount === known;
    const rows = ended && known === undefined ? data.rowCount - 1 : data.rowCount;
    done += rows;
    if (rows > 0) yield { data, rows };
  }
  if (ended) return;
  // Hashes, because what a file's own statistics tell would not be read.
  const hashes = expressions.map((expression) => `max(hash(${expression}))`).join(", ");
  await connection.run(`SELECT ${hashes} FROM ${from}`);
  throw new SparrowError(`${name} could not be read to its end; check the file and try again.`);
}

export interface StreamSettings {
  readonly expressions: readonly string[];
  /** As SQL. */
  readonly from: string;
  /** For messages. */
  readonly name: string;
  readonly rows?: number | undefined;
}

/** The next chunk is on its way, in a thread of DuckDB's, while this one is being worked on. */
async function* ahead(result: DuckDBResult): AsyncIterable<DuckDBDataChunk> {
  const fetch = () => {
    const chunk = result.fetchChunk();
    // Its failure is heard of when its turn comes; until then it must not count as unheard.
    chunk.catch(() => {});
    return chunk;
  };
  let next = fetch();
  try {
    for (let chunk = await next; chunk && chunk.rowCount > 0; chunk = await next) {
      next = fetch();
      yield chunk;
    }
  } finally {
    // Where somebody stops early, the chunk must land before the database is closed.
    await next.catch(() => {});
  }
}
