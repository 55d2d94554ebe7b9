/**
 * Variances that values cannot show. Values that are known to their last digit only are as good as values with a
 * uniform error of that digit, r²/12 of variance, r being the smallest step between two values of the column.
 */

import type { Rows } from "../../types.js";

/**
 * In units of the column's variance: below, rounding in the sums would matter. Clusters 10⁶ of their widths apart, or a
 * row that lies as far out, leave 10⁻¹² of it to each; of 10⁻⁹ they had three times their width.
 */
const LEAST = 1e-14;
/** Steps shorter than this, in units of the column's range, are errors of arithmetic and not digits. */
const SAME = 1e-9;
/** Rows that are looked at; among more, equal digits show as well. */
const LOOKED = 20_000;

export function resolution(values: Rows["values"], columns: number): Float64Array {
  const rows = Math.min(values.length / columns, LOOKED);
  return Float64Array.from({ length: columns }, (_, j) => {
    const column = Float64Array.from({ length: rows }, (_, i) => values[i * columns + j])
      .filter((value) => !Number.isNaN(value))
      .sort();
    const same = SAME * (column[column.length - 1] - column[0]);
    let step = Number.POSITIVE_INFINITY;
    for (let i = 1; i < column.length; i++) {
      const gap = column[i] - column[i - 1];
      if (gap > same && gap < step) step = gap;
    }
    return Math.max(LEAST, Number.isFinite(step) ? step ** 2 / 12 : 0);
  });
}
