/** Neighbours from an earlier look: which columns are alike hardly depends on the model that they are freed of. */

import type { Sketched } from "./groups.js";
import { NEIGHBOURS, type neighbourLists, sketchedCorrelation, worthOf } from "./pair-scan.js";

/** NEIGHBOURS columns of the store for every column of it, −1 where there are fewer. */
export type Remembered = Int32Array;

/** Where more columns than this share have more neighbours than a list holds, lists do not tell all. */
const CROWDED = 0.1;

/** Positions become columns of the store; undefined where neighbours are too many to be remembered. */
export function remember(
  neighbours: Int32Array,
  columns: readonly number[],
  total: number,
): Remembered | undefined {
  const full = columns.filter((_, j) => neighbours[(j + 1) * NEIGHBOURS - 1] >= 0).length;
  if (full > CROWDED * columns.length) return undefined;
  const out = new Int32Array(total * NEIGHBOURS).fill(-1);
  columns.forEach((column, j) => {
    for (let at = 0; at < NEIGHBOURS; at++) {
      const other = neighbours[j * NEIGHBOURS + at];
      if (other >= 0) out[column * NEIGHBOURS + at] = columns[other];
    }
  });
  return out;
}

/** Compares remembered neighbours again: fills their lists, and returns the pairs of at least this worth. */
export function recall(
  sketched: Sketched,
  columns: readonly number[],
  remembered: Remembered,
  lists: ReturnType<typeof neighbourLists>,
  least: number,
): { readonly pairs: number[]; readonly worth: number[] } {
  const { strength } = sketched;
  const at = new Map(columns.map((column, j) => [column, j]));
  const [pairs, worth]: [number[], number[]] = [[], []];
  columns.forEach((column, a) => {
    for (const other of remembered.subarray(column * NEIGHBOURS, (column + 1) * NEIGHBOURS)) {
      const b = at.get(other);
      if (b === undefined) continue;
      const r = sketchedCorrelation(sketched, a, b);
      // This look may have come across them, too.
      if (!lists.holds(a, b)) lists.put(a, b, r);
      const value = worthOf(strength[a], strength[b], r);
      if (value < least) continue;
      pairs.push(a, b);
      worth.push(value);
    }
  });
  return { pairs, worth };
}
