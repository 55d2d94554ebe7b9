/**
 * Where a chain starts. Where means stand for missing entries, a covariance over all rows is that over the complete
 * pairs times the share of them: about f_j·f_k for observed shares f_j, f_k, and f_j for a variance and within a
 * factor, whose columns are missing together. Dividing undoes that, exactly enough to begin with if holes fall
 * independently of each other. The result may fail to be positive definite; then covariances shrink until it is.
 */

import { cholesky } from "../../math/linear.js";
import type { SufficientStatistics } from "../posterior/evidence.js";

export interface FirstValues {
  /** Observed share of every column, and the factor that it belongs to; −1 for none. */
  readonly observed: Float64Array;
  readonly factor: Int32Array;
  /** The share of the covariances that is kept at most: chains that start apart can be seen to meet. */
  readonly keep: number;
}

export function pairwiseStatistics(
  of: SufficientStatistics,
  { observed, factor, keep: most }: FirstValues,
): SufficientStatistics {
  const { size, targetSquares } = of;
  const k = size + 1;
  const share = (i: number, j: number): number =>
    i === j || (factor[i] >= 0 && factor[i] === factor[j]) ? observed[i] : observed[i] * observed[j];
  for (let keep = most; ; keep = Math.max(0, keep - 0.1)) {
    const gram = of.gram.map((value, e) => {
      const [i, j] = [Math.floor(e / size), e % size];
      return ((i === j ? 1 : keep) * value) / share(i, j);
    });
    const cross = of.cross.map((value, j) => (keep * value) / observed[j]);
    const whole = new Float64Array(k * k);
    for (let i = 0; i < size; i++) {
      whole.set(gram.subarray(i * size, (i + 1) * size), i * k);
      whole[size * k + i] = cross[i];
    }
    whole[k * k - 1] = targetSquares;
    if (keep === 0 || cholesky(whole, k)) return { ...of, gram, cross };
  }
}
