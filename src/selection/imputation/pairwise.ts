/**
 * Where a chain starts. Where means stand for missing entries, a covariance over all rows is that over the complete
 * pairs times the share of them: about f_j·f_k for observed shares f_j, f_k, and f_j for a variance. Dividing undoes
 * that, exactly enough to begin with if holes fall independently of each other. The result may fail to be positive
 * definite; then covariances shrink until it is.
 */

import { cholesky } from "../../math/linear.js";
import type { SufficientStatistics } from "../evidence.js";

export function pairwiseStatistics(
  of: SufficientStatistics,
  observed: ArrayLike<number>,
): SufficientStatistics {
  const { size, targetSquares } = of;
  const k = size + 1;
  for (let keep = 1; ; keep = Math.max(0, keep - 0.1)) {
    const gram = of.gram.map((value, e) => {
      const [i, j] = [Math.floor(e / size), e % size];
      return i === j ? value / observed[i] : (keep * value) / (observed[i] * observed[j]);
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
