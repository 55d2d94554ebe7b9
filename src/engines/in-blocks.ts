/**
 * Rows of many columns, some columns at a time: a query has a limit to those that it reads. It takes rows that come in
 * the same order every time, so those that have names, or of which no two have the same hash.
 */

import type { RawChunk } from "../tables/judge/raw-table.js";
import type { Asker } from "./asker.js";

/** Whether rows in the order of a hash come in the same order every time. */
export async function areTold(asker: Asker, hash: string, count: number): Promise<boolean> {
  if (asker.rows.engine.key) return true;
  const [different] = await asker.sums("whether rows can be told apart", {
    layers: [],
    aggregates: [`count(DISTINCT ${hash})`],
  });
  return different === count;
}

/** All rows as one chunk, put together from blocks of columns; `rowsOf` reads some. */
export async function* inBlocks(
  columns: readonly number[],
  width: number,
  count: number,
  rowsOf: (some: readonly number[]) => AsyncIterable<RawChunk>,
): AsyncIterable<RawChunk> {
  const all: (Float64Array | (string | null)[])[] = [];
  for (let from = 0; from < columns.length; from += width) {
    const held: (Float64Array | (string | null)[])[] = [];
    let done = 0;
    for await (const { rows, columns: found } of rowsOf(columns.slice(from, from + width))) {
      found.forEach((values, c) => {
        held[c] ??= values instanceof Float64Array ? new Float64Array(count) : [];
        const own = held[c] as (number | string | null)[];
        for (let i = 0; i < rows; i++) own[done + i] = values[i] as number | string | null;
      });
      done += rows;
    }
    all.push(...held);
  }
  if (count > 0) yield { rows: count, columns: all as RawChunk["columns"] };
}
