/**
 * The rows of a query, a chunk at a time, to the last one. DuckDB ends a stream that failed half-way just as one that
 * is exhausted, so a row of our own comes last: where it is missing the query failed, and running it again without
 * a stream tells why.
 */

import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import { SparrowError } from "../errors.js";

export interface StreamedChunk {
  readonly data: DuckDBDataChunk;
  /** Rows of the chunk; the marker of the end is not one of them. */
  readonly rows: number;
}

export async function* streamed(
  connection: DuckDBConnection,
  expressions: readonly string[],
  from: string,
  name: string,
): AsyncIterable<StreamedChunk> {
  const marker = expressions.length;
  const result = await connection.stream(
    `SELECT ${expressions.join(", ")}, false FROM ${from} UNION ALL SELECT ${"NULL, ".repeat(marker)}true`,
  );
  let ended = false;
  for await (const data of ahead(result)) {
    ended = data.getColumnVector(marker).getItem(data.rowCount - 1) === true;
    const rows = ended ? data.rowCount - 1 : data.rowCount;
    if (rows > 0) yield { data, rows };
  }
  if (ended) return;
  await connection.run(
    `SELECT ${expressions.map((expression) => `count(${expression})`).join(", ")} FROM ${from}`,
  );
  throw new SparrowError(`${name} could not be read to its end; check the file and try again.`);
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
