/** What a query has read, as the server counts: by its list of running queries, and by the summary of newer ones. */

import { randomUUID } from "node:crypto";
import type { Read } from "../engine.js";
import { rowBinary } from "./row-binary.js";

/** A query by the beginning of its name; undefined where it is not running. */
export async function readsOf(
  id: string,
  fetch: (
    sql: string,
    id: string,
    signal: undefined,
  ) => Promise<{ readonly stream: AsyncIterable<Uint8Array> }>,
): Promise<Read | undefined> {
  // Names are ours, without quotes in them.
  const sql = `SELECT toFloat64(count()), toFloat64(sum(read_rows)), toFloat64(sum(read_bytes)), toFloat64(max(total_rows_approx)) FROM system.processes WHERE startsWith(query_id, '${id}')`;
  const { stream } = await fetch(sql, `sparrow ${randomUUID()}`, undefined);
  const types = Array.from({ length: 4 }, () => "number" as const);
  for await (const { columns } of rowBinary(stream, types)) {
    const [count, rows, bytes, total] = columns.map((values) => Number(values[0]));
    // What is expected is a guess by blocks, and may be passed.
    return count > 0 ? { rows, bytes, total: Math.max(rows, total) } : undefined;
  }
  return undefined;
}

/** Of servers that send one. */
export function summaryOf(
  summary: { readonly read_rows?: string; readonly read_bytes?: string } | undefined,
): Read | undefined {
  const [rows, bytes] = [Number(summary?.read_rows), Number(summary?.read_bytes)];
  return rows > 0 ? { rows, bytes, total: rows } : undefined;
}
