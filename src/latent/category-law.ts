/**
 * The levels of one factor given those of all other categories of a row. Of the columns D of the categories, indicators
 * of levels and numbers that take two values, means π and covariance C = Σ_DD are known; the shares of the levels of a
 * factor f are taken for linear in the others,
 *
 *     p(l | d_−f) = the mean of column l in N(π, C) given d_−f,   in shares of its way from low to high,
 *
 * no less than `least` and adding up to one. For two columns of two values that is their table, whatever it is; of more,
 * it keeps means and covariances. To take each factor for itself and leave the rest to the Gaussian, as if columns of two
 * values had normal tails, ties rare ones too closely: of two with a tenth of ones each and a correlation of 0.18 the
 * one was filled in 0.98 of the rows where the other was there, where 0.29 is right.
 */

import { cholesky, solve } from "../math/linear.js";
import type { Factor } from "./missing.js";

/** Plain data: it crosses threads. */
export interface CategoryLaw {
  /** D, and C⁻¹, row-major. */
  readonly columns: readonly number[];
  readonly precision: Float64Array;
  /** Means of the columns, as the Gaussian has them and by the probabilities of the levels: π. */
  readonly mean: Float64Array;
  readonly shares: Float64Array;
  /** The least probability of a level. */
  readonly least: number;
}

/**
 * Of a row in which the factor is at its first level: log p(l | d_−f) + ½(d_l − μ_D)'C⁻¹(d_l − μ_D) of every level, less
 * the last for the first one. What is returned is written over by the next call.
 */
export type LevelsGiven = (x: Float64Array) => Float64Array;

export function levelsGiven(
  { columns: all, precision, mean, shares, least }: CategoryLaw,
  { columns, low, high }: Factor,
): LevelsGiven {
  const size = all.length;
  const count = columns.length;
  const places = columns.map((j) => all.indexOf(j));
  const own = Float64Array.from({ length: count * count }, (_, e) => {
    return precision[places[Math.floor(e / count)] * size + places[e % count]];
  });
  cholesky(own, count);
  const [pull, away] = [new Float64Array(count), new Float64Array(count)];
  const logs = new Float64Array(count + 1);
  return (x) => {
    places.forEach((place, a) => {
      const row = place * size;
      let [about, aboutShares] = [0, 0];
      for (let b = 0; b < size; b++) {
        about += precision[row + b] * (x[all[b]] - mean[b]);
        aboutShares += precision[row + b] * (x[all[b]] - shares[b]);
      }
      pull[a] = about;
      away[a] = aboutShares;
    });
    // Low less the mean of the factor's columns given all others.
    solve(own, count, away);
    let rest = 1;
    for (let a = 0; a < count; a++) {
      const share = Math.max(least, -away[a] / (high[a] - low[a]));
      rest -= share;
      logs[a + 1] = share;
    }
    logs[0] = Math.max(least, rest);
    const total = logs.reduce((sum, share) => sum + share, 0);
    for (let l = 0; l <= count; l++) logs[l] = Math.log(logs[l] / total);
    for (let a = 0; a < count; a++) {
      const step = high[a] - low[a];
      logs[a + 1] += step * (pull[a] + 0.5 * step * precision[places[a] * (size + 1)]);
    }
    return logs;
  };
}
