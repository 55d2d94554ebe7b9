/**
 * A covariance given the squares of rows about their means, under the prior of the Gaussian block
 * (models/covariance-prior.ts) written with its degrees ν and a scale r_j for every column (Huang and Wand 2013):
 *
 *     Σ | r, ν ~ inverse Wishart(ν + d − 1, diag(2ν·r_j + floor_j)),   r_j ~ Gamma(½, rate A_j^{−2})
 *     Σ | r, ν, rows ~ inverse Wishart(ν + d − 1 + n, S + diag(2ν·r_j + floor_j))
 *     ν | Σ as the prior weighs it, with r summed out
 *     r_j | Σ, ν ~ Gamma((ν + d)/2, rate A_j^{−2} + ν(Σ^{-1})_jj)
 *
 * A diagonal covariance has such a law for each column, a spherical one a single variance for all of them. The mode is
 * that of Σ with ν and r at their expectations: steps of EM in these, several of them for one pass over the rows.
 */

import { SparrowError } from "../../errors.js";
import { cholesky } from "../../math/linear.js";
import { normal } from "../../math/normal.js";
import type { Rng } from "../../math/rng.js";
import { gamma, inverseGamma, inverseWishartFactor } from "../../math/variates.js";
import { CovariancePrior } from "../../models/covariance-prior.js";

/** Columns are standardised: A = 1. */
const NARROW = 1;

/** U, lower triangular with Σ^{-1} = U'U, row after row: as it was, and written over. */
type Factor = Float64Array;

export interface CovarianceLaw {
  /** From the lower triangle of S in `squares`, of n rows, which is written over; without a generator the mode. */
  renew(factor: Factor, squares: Float64Array, n: number, rng: Rng | undefined): void;
}

/** Steps of EM in ν and r at most, and how still they are at the end, in log variances. */
const INNER = { steps: 20, still: 0.01 };

export class FullCovariance implements CovarianceLaw {
  private readonly d: number;
  private readonly prior: CovariancePrior;
  private readonly narrow: Float64Array;
  private readonly precision: Float64Array;
  private readonly scales: Float64Array;
  private readonly scratch: Float64Array;
  private readonly covariance: Float64Array;

  constructor(private readonly floor: Float64Array) {
    const d = floor.length;
    this.d = d;
    this.prior = new CovariancePrior(d, true);
    this.narrow = new Float64Array(d).fill(NARROW);
    this.precision = new Float64Array(d);
    this.scales = new Float64Array(d);
    this.scratch = new Float64Array(d * d);
    this.covariance = new Float64Array(d * d);
  }

  renew(factor: Factor, squares: Float64Array, n: number, rng: Rng | undefined): void {
    const { d, floor } = this;
    for (let j = 0; j < d; j++) squares[j * d + j] += floor[j];
    if (rng) this.draw(factor, squares, n, rng);
    else this.climb(factor, squares, n);
  }

  private draw(factor: Factor, squares: Float64Array, n: number, rng: Rng): void {
    const { d, prior, precision, scales, scratch, covariance } = this;
    this.weigh(factor);
    let g = 0;
    let u = rng.uniform();
    while (g < prior.weights.length - 1 && u >= prior.weights[g]) u -= prior.weights[g++];
    const nu = prior.degrees[g];
    scratch.set(squares);
    for (let j = 0; j < d; j++) {
      scales[j] = gamma(rng, prior.power(g)) / (NARROW + nu * precision[j]);
      scratch[j * d + j] += 2 * nu * scales[j];
    }
    factorise(scratch, d);
    inverseWishartFactor(rng, covariance, nu + d - 1 + n, scratch, d);
    lowerInverse(factor, covariance, d);
    for (let j = 0; j < d; j++) this.rescale(factor, squares, n, j, rng);
  }

  /**
   * A standard deviation and its scale are tied by the prior, the more so the larger ν is, and would follow each other
   * slowly: both are multiplied by a common e^t, which the prior of Σ given r does not see, in a Metropolis step.
   */
  private rescale(factor: Factor, squares: Float64Array, n: number, j: number, rng: Rng): void {
    const { d } = this;
    // Σ_i P_ij S_ij, the first with i = j, the second without.
    let [own, others] = [0, 0];
    for (let r = j; r < d; r++) {
      const u = factor[r * d + j];
      let sum = 0;
      for (let i = 0; i <= r; i++) {
        if (i !== j) sum += factor[r * d + i] * (i > j ? squares[i * d + j] : squares[j * d + i]);
      }
      own += u * u * squares[j * d + j];
      others += u * sum;
    }
    const t = (STEP / Math.sqrt(n + 2)) * normal(rng);
    const c = Math.exp(t);
    const gain =
      (1 - n) * t -
      0.5 * own * (1 / (c * c) - 1) -
      others * (1 / c - 1) -
      NARROW * this.scales[j] * (c * c - 1);
    if (gain < 0 && Math.log(rng.uniformOpen()) > gain) return;
    for (let r = j; r < d; r++) factor[r * d + j] /= c;
  }

  private climb(factor: Factor, squares: Float64Array, n: number): void {
    const { d, prior, precision, scratch } = this;
    const { degrees, weights } = prior;
    for (let step = 0; step < INNER.steps; step++) {
      this.weigh(factor);
      let degree = 0;
      for (let g = 0; g < degrees.length; g++) degree += weights[g] * degrees[g];
      scratch.set(squares);
      for (let j = 0; j < d; j++) {
        for (let g = 0; g < degrees.length; g++) {
          const scale = prior.power(g) / (NARROW + degrees[g] * precision[j]);
          scratch[j * d + j] += weights[g] * 2 * degrees[g] * scale;
        }
      }
      for (let i = 0; i < d * d; i++) scratch[i] /= n + degree + 2 * d;
      factorise(scratch, d);
      lowerInverse(factor, scratch, d);
      let moved = 0;
      for (let j = 0; j < d; j++) {
        const before = precision[j];
        moved = Math.max(moved, Math.abs(Math.log(this.precisionOf(factor, j) / before)));
      }
      if (moved < INNER.still) return;
    }
  }

  private weigh(factor: Factor): void {
    const { d, precision } = this;
    let halfLogDet = 0;
    for (let j = 0; j < d; j++) {
      precision[j] = this.precisionOf(factor, j);
      halfLogDet += Math.log(factor[j * d + j]);
    }
    this.prior.weigh(halfLogDet, precision, this.narrow);
  }

  /** (Σ^{-1})_jj = Σ_i U_ij². */
  private precisionOf(factor: Factor, j: number): number {
    const { d } = this;
    let sum = 0;
    for (let i = j; i < d; i++) sum += factor[i * d + j] ** 2;
    return sum;
  }
}

/** Of the Metropolis step, in standard deviations of the logarithm of a standard deviation, about. */
const STEP = 1.5;

/** Columns on their own have these degrees. */
const FREEDOM = 2;

/** One variance for columns whose squares, of n numbers in all, are added up; from the precision as it was. */
function oneVariance(
  precision: number,
  square: number,
  n: number,
  floor: number,
  rng: Rng | undefined,
): number {
  const shape = 0.5 * (FREEDOM + 1);
  const scale = (rng ? gamma(rng, shape) : shape) / (NARROW + FREEDOM * precision);
  const about = square + 2 * FREEDOM * scale + floor;
  return rng ? inverseGamma(rng, 0.5 * (FREEDOM + n), 0.5 * about) : about / (n + FREEDOM + 2);
}

export class DiagonalCovariance implements CovarianceLaw {
  constructor(private readonly floor: Float64Array) {}

  renew(factor: Factor, squares: Float64Array, n: number, rng: Rng | undefined): void {
    const { floor } = this;
    const d = floor.length;
    for (let i = 0; i < d * d; i += d + 1) {
      factor[i] = oneVariance(factor[i] ** 2, squares[i], n, floor[i / (d + 1)], rng) ** -0.5;
    }
  }
}

export class SphericalCovariance implements CovarianceLaw {
  constructor(private readonly floor: Float64Array) {}

  renew(factor: Factor, squares: Float64Array, n: number, rng: Rng | undefined): void {
    const { floor } = this;
    const d = floor.length;
    let [square, least] = [0, 0];
    for (let j = 0; j < d; j++) {
      square += squares[j * d + j];
      least += floor[j];
    }
    const variance = oneVariance(factor[0] ** 2, square, n * d, least, rng);
    for (let i = 0; i < d * d; i += d + 1) factor[i] = variance ** -0.5;
  }
}

/** out ← L^{-1}, its lower triangle, from that of L. */
function lowerInverse(out: Float64Array, lower: Float64Array, d: number): void {
  for (let c = 0; c < d; c++) {
    out[c * d + c] = 1 / lower[c * d + c];
    for (let r = c + 1; r < d; r++) {
      let sum = 0;
      for (let k = c; k < r; k++) sum += lower[r * d + k] * out[k * d + c];
      out[r * d + c] = -sum / lower[r * d + r];
    }
  }
}

function factorise(a: Float64Array, d: number): void {
  if (cholesky(a, d)) return;
  throw new SparrowError(
    "A cluster's covariance is singular to working precision: a column follows from others; leave it out, or take a diagonal covariance.",
    "column",
  );
}
