/** Rows that are there more than once: each counts as a row, so that a few rows many times look like clusters. */

import { grouped } from "../../wording.js";

/** Fewer are there by chance, or by the rounding of their values. */
const MANY = 0.1;

/** Rows that are looked at. */
const MOST = 200_000;

/** Of a single column values repeat, which is no copy. */
export function copyNotes(values: Float64Array, columns: number): readonly string[] {
  if (columns < 2) return [];
  const all = values.length / columns;
  const rows = Math.min(all, MOST);
  const known = new Set<string>();
  for (let i = 0; i < rows; i++) known.add(values.subarray(i * columns, (i + 1) * columns).join());
  const copies = rows - known.size;
  if (copies < MANY * rows) return [];
  return [
    `${grouped(copies)} of ${rows < all ? "the first " : ""}${grouped(rows)} rows are copies of others: each counts as a row of its own, so that more clusters seem to be there; remove those that were not observed again.`,
  ];
}
