/**
 * From sums of the stored numbers u to the statistics of the model's columns: centred where the intercept is flat,
 * moved back by the shift where there is none, and scaled, x_j = s_j·(u_j − mean) or s_j·(u_j + shift_j).
 */

import type { SufficientStatistics } from "./evidence.js";
import type { GramSums } from "./gram.js";

/** The last column of `sums` and of `shift` is the target; `scale` holds s_j of the others. */
export function standardStatistics(
  sums: GramSums,
  rows: number,
  scale: ArrayLike<number>,
  centring: { readonly centred: true } | { readonly centred: false; readonly shift: ArrayLike<number> },
): SufficientStatistics {
  const size = scale.length;
  const k = size + 1;
  const away = (i: number): number => (centring.centred ? -sums[i] / rows : centring.shift[i]);
  // Σ(u_i + a_i)(u_j + a_j)
  const product = (i: number, j: number): number =>
    sums[k + i * k + j] + away(i) * sums[j] + away(j) * sums[i] + rows * away(i) * away(j);
  const gram = new Float64Array(size * size);
  const cross = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    cross[i] = scale[i] * product(i, size);
    for (let j = 0; j < size; j++) gram[i * size + j] = scale[i] * scale[j] * product(i, j);
  }
  const freedom = rows - (centring.centred ? 1 : 0);
  return { size, gram, cross, targetSquares: product(size, size), freedom };
}
