/**
 * The numbers of a store in the order in which its rows came. The order of the blocks follows from the seed and the
 * number of rows alone, so it can be undone: place i of the store holds the row that came as number order[i].
 */

import { rowOrder } from "../build/order.js";
import { firstRow, rowsIn } from "../layout/layout.js";
import type { Store } from "../store.js";

/** Calls `visit` with every block and the original numbers of its rows. */
export function eachBlock(
  { layout, record }: Store,
  visit: (block: number, rows: Uint32Array) => void,
): void {
  const order = rowOrder(record.seed, layout.rows);
  for (let block = 0; block < layout.blocks; block++) {
    const from = firstRow(layout, block);
    visit(block, order.subarray(from, from + rowsIn(layout, block)));
  }
}
