/** Memory goes by columns, and a file of entries may name a far one in a few bytes. */

import { SparrowError } from "../../errors.js";

/** As many columns as this are never too many. */
export const ANY_COLUMNS = 1e6;
/** The sparsest data in use (counts of word triples, hashed clicks) have ten entries a column and more. */
const COLUMNS_PER_ENTRY = 10;

export function tooFar(name: string, index: number): SparrowError {
  return new SparrowError(
    `${name} has the index ${index}, far beyond what its entries can fill; indices number the columns from 1 on: correct the index, or number the columns anew.`,
    "data",
  );
}

/** Once all rows have been seen. */
export function checkReach(name: string, columns: number, entries: number): void {
  if (columns > Math.max(ANY_COLUMNS, COLUMNS_PER_ENTRY * entries)) throw tooFar(name, columns);
}
