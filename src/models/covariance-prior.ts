/**
 * The prior of a Gaussian block's covariance: standard deviations are half-t with ν degrees and scale A_j, and columns are
 * the less correlated, the larger ν is (Huang and Wand 2013). With P the precision its density in P is
 *
 *     p(P | ν) ∝ C_ν |P|^{(ν−2)/2} Π_j (νP_jj + A_j^{−2})^{−(ν+d)/2}
 *     log C_ν = ½d(ν + d − 1)·log ν + d·log Γ(½(ν + d)) − log Γ_d(½(ν + d − 1))
 *
 * With ν = 2 correlations are uniform; how far they are from that is asked of the data: every block has one of the
 * degrees below, each as probable as the others beforehand. Were it 2 for all, a cluster in many columns would have to
 * pay for correlations that are not there, and would be merged with another. Columns on their own have ν = 2.
 */

import { logGamma } from "../math/special.js";

const MOST = 8;

export class CovariancePrior {
  readonly degrees: Float64Array;
  /** How probable each of them is given the block, as of the last `weigh`. */
  readonly weights: Float64Array;
  private readonly constants: Float64Array;
  /** Columns of one covariance: 1 where they are on their own. */
  private readonly size: number;

  constructor(
    private readonly d: number,
    full: boolean,
  ) {
    this.size = full ? d : 1;
    this.degrees = Float64Array.from({ length: this.size === 1 ? 1 : MOST }, (_, g) => 2 ** (1 + g));
    this.weights = new Float64Array(this.degrees.length);
    this.constants = this.degrees.map((nu) => logConstant(nu, this.size) - Math.log(this.degrees.length));
  }

  /** (ν + d)/2: the exponent of a column's factor, and the shape of its scale given the covariance. */
  power(g: number): number {
    return 0.5 * (this.degrees[g] + this.size);
  }

  /** log(|P|·p(P)), up to a constant, from ½log|P| and the P_jj. */
  weigh(halfLogDet: number, precision: Float64Array, narrow: Float64Array): number {
    const { d, degrees, constants, weights } = this;
    let top = Number.NEGATIVE_INFINITY;
    for (let g = 0; g < degrees.length; g++) {
      const nu = degrees[g];
      let [logs, product] = [0, 1];
      for (let j = 0; j < d; j++) {
        product *= nu * precision[j] + narrow[j];
        if (product < LARGE && product > 1 / LARGE) continue;
        logs += Math.log(product);
        product = 1;
      }
      logs += Math.log(product);
      weights[g] = constants[g] + nu * halfLogDet - this.power(g) * logs;
      if (weights[g] > top) top = weights[g];
    }
    let sum = 0;
    for (let g = 0; g < degrees.length; g++) {
      weights[g] = Math.exp(weights[g] - top);
      sum += weights[g];
    }
    for (let g = 0; g < degrees.length; g++) weights[g] /= sum;
    return top + Math.log(sum);
  }
}

/** The logarithm of a product is taken before it is larger. */
const LARGE = 1e140;

function logConstant(nu: number, d: number): number {
  const freedom = nu + d - 1;
  let sum = 0.5 * d * freedom * Math.log(nu) + d * logGamma(0.5 * (freedom + 1));
  for (let j = 0; j < d; j++) sum -= logGamma(0.5 * (freedom - j));
  return sum;
}
