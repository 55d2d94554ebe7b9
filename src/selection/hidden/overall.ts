/**
 * How much do all columns together explain beyond the model? Two sums over all columns, of squared scores
 *
 *     Q₁ = Σ z_j²        many small effects
 *     Q₂ = Σ t_j²        t_j the score of what is left of a column after its nearest neighbours: what hides between
 *                        columns that are alike
 *
 * are compared with what they come to when the signs of the residuals are random (Wu 1986). The cube root of such a
 * sum is nearly normal (Wilson and Hilferty 1931), so its distance from the flips follows a t distribution. Where there
 * are too many columns to compare each with each, neighbours are known only of those with the largest scores: a sum over
 * these alone would be large whatever the data, so Q₁ has all columns, and there is no Q₂.
 */

import { studentTCdf } from "../../math/distributions.js";
import { cholesky, solve } from "../../math/linear.js";
import type { Around } from "./groups.js";
import { FLIPS } from "./residual-panel.js";

/** Where less of a column is left after its neighbours, it says nothing of its own. */
const LEFT = 1e-3;

/** Columns without known neighbours: how many, and whether they are those with the smallest scores. */
export interface Others {
  readonly count: number;
  readonly byScore: boolean;
}

/** Sums over all columns, of the residual and of any number of flips. */
export function overallSums(count: number, others: Others, aroundOf: (j: number) => Around) {
  const regressions = Array.from({ length: count }, (_, j) => onNeighbours(aroundOf(j)));
  const width = FLIPS + 1;
  const own = new Float64Array(count);
  let [plain, freed]: [number[], number[]] = [[], []];
  return {
    /** Squared scores of every column after its neighbours. */
    own,
    /**
     * `flipped` in the order of the sketches and turned with them: the residual, then its flips, of every column;
     * `rest` the sums of their squares over the others.
     */
    add(flipped: Float32Array, rest: Float64Array): void {
      const [q1, q2] = [rest.slice(), new Float64Array(width)];
      regressions.forEach(({ near, weights, left }, j) => {
        for (let k = 0; k < width; k++) {
          const z = flipped[j * width + k];
          let t = z;
          for (let a = 0; a < near.length; a++) t -= weights[a] * flipped[near[a] * width + k];
          const square = left > LEFT ? (t * t) / left : 0;
          q1[k] += z * z;
          q2[k] += square;
          if (k === 0) own[j] = square;
        }
      });
      plain = [q1[0], ...plain.slice(1), ...q1.subarray(1)];
      freed = [q2[0], ...freed.slice(1), ...q2.subarray(1)];
    },
    /**
     * How often columns that mean nothing would seem to explain as much, and the rough share of what the model leaves
     * that all of them explain.
     */
    verdict(rows: number): { readonly pValue: number; readonly share: number } {
      const [first, second] = [plain, freed].map((sums) => against(sums, count + others.count, rows));
      if (others.byScore) return first;
      const worst = first.pValue <= second.pValue ? first : second;
      return { pValue: Math.min(1, 2 * worst.pValue), share: worst.share };
    },
  };
}

/** The sum itself, first, against its flips. */
function against(sums: readonly number[], columns: number, rows: number): { pValue: number; share: number } {
  const roots = sums.map(Math.cbrt);
  const flips = roots.slice(1);
  const { mean, sd } = momentsOf(flips);
  if (!(sd > 0)) return { pValue: 1, share: 0 };
  const t = (roots[0] - mean) / (sd * Math.sqrt(1 + 1 / flips.length));
  // Under effects of variance h²/p the sum rises by rows·h²·Σρ²/p, and 2Σρ² is its variance under none.
  const none = momentsOf(sums.slice(1));
  const unit = none.mean / columns;
  const alike = 0.5 * (none.sd / unit) ** 2;
  const excess = (sums[0] - none.mean) / unit;
  const share = Math.max(0, Math.min(1, (excess * columns) / (rows * alike)));
  return { pValue: 1 - studentTCdf(t, flips.length - 1), share };
}

function momentsOf(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(square / (values.length - 1)) };
}

/** A column by itself. */
const ALONE = { near: [], weights: new Float64Array(0), left: 1 };

/** A column on its neighbours, and the share of it that they leave, by the sketches. */
function onNeighbours({ members, gram }: Around) {
  if (members.length === 1) return ALONE;
  const near = members.slice(1);
  const size = near.length;
  const weights = gram.slice(1, members.length);
  const against = weights.slice();
  const factor = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    const row = (1 + i) * members.length + 1;
    factor.set(gram.subarray(row, row + size), i * size);
  }
  if (!cholesky(factor, size)) return { near, weights: weights.fill(0), left: 1 };
  solve(factor, size, weights);
  return { near, weights, left: 1 - weights.reduce((sum, w, a) => sum + w * against[a], 0) };
}
