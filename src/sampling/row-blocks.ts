/**
 * Mini-batches of a matrix in memory: whole blocks of `batchRows` consecutive rows, the last one perhaps shorter, each
 * equally likely. With B blocks the weight is B, so that the average over all blocks is exactly the sum over all rows.
 * The rows must be in random order (`shuffled`).
 */

import { SparrowError } from "../errors.js";
import type { Rng } from "../math/rng.js";
import { shuffle } from "../math/shuffle.js";
import type { Rows } from "../types.js";

export interface RowBlocks {
  readonly count: number;
  block(index: number): Rows;
  draw(rng: Rng): Rows;
}

export function rowBlocks(values: Rows["values"], columns: number, batchRows: number): RowBlocks {
  const rows = checkedRows(values, columns);
  const size = Math.min(batchRows, rows);
  const count = Math.ceil(rows / size);
  const blocks = Array.from({ length: count }, (_, b) => {
    const end = Math.min(rows, (b + 1) * size);
    const view = values.subarray(b * size * columns, end * columns);
    return { rows: end - b * size, columns, weight: count, values: view };
  });
  return { count, block: (index) => blocks[index], draw: (rng) => blocks[rng.below(count)] };
}

/** The rows in random order. */
export function shuffled(rng: Rng, values: Rows["values"], columns: number): Float64Array {
  const order = Uint32Array.from({ length: checkedRows(values, columns) }, (_, i) => i);
  shuffle(rng, order);
  const out = new Float64Array(values.length);
  for (let i = 0; i < order.length; i++) {
    for (let j = 0; j < columns; j++) out[i * columns + j] = values[order[i] * columns + j];
  }
  return out;
}

function checkedRows(values: Rows["values"], columns: number): number {
  const rows = values.length / columns;
  if (!Number.isInteger(rows) || rows < 1) {
    throw new SparrowError(`${values.length} values are not whole rows of ${columns} columns.`);
  }
  return rows;
}
