/**
 * Gaussian blocks given their rows: covariance given mean and rows (covariance-law.ts), then the mean given both,
 *
 *     μ_k | Σ_k, λ_k, rows ~ N(Q^{-1}·n·P·x̄, Q^{-1}),   P = Σ_k^{-1},  Q = n·P + λ_k·I
 *     λ_k | μ_k ~ Gamma((m + d)/2, rate (m + |μ_k|²)/2)
 *
 * on standardised columns: the t law of a mean with m degrees, written as a normal one with a precision of its own. Tied
 * covariances are one, from the squares of all clusters together. In θ a spherical covariance is a diagonal one with
 * equal numbers, and a tied one a full one, the same in every block.
 */

import { backSolve, cholesky, forwardSolve, solve } from "../../math/linear.js";
import { normal } from "../../math/normal.js";
import type { Rng } from "../../math/rng.js";
import { gamma } from "../../math/variates.js";
import { MEAN_FREEDOM } from "../../models/gaussian.js";
import { HoleLaws } from "../../models/observed.js";
import type { Rows } from "../../types.js";
import type { ConjugateBlocks } from "./conjugate.js";
import {
  type CovarianceLaw,
  DiagonalCovariance,
  FullCovariance,
  SphericalCovariance,
} from "./covariance-law.js";
import { Sums } from "./sums.js";

/** What clusters may look like: any shape, along the columns, the same in all columns, or the same in all clusters. */
export type CovarianceShape = "full" | "diagonal" | "spherical" | "tied";

/** How a shape lies in θ. */
export const layoutOf = (shape: CovarianceShape): "full" | "diagonal" =>
  shape === "full" || shape === "tied" ? "full" : "diagonal";

const LAWS = {
  full: FullCovariance,
  tied: FullCovariance,
  diagonal: DiagonalCovariance,
  spherical: SphericalCovariance,
} as const;

export interface GaussianBlocksSettings {
  readonly columns: number;
  readonly count: number;
  readonly shape: CovarianceShape;
  /** Variances that the values cannot show. */
  readonly floor: Float64Array;
  /** Where block k starts in θ. */
  block(k: number): number;
}

export function gaussianBlocks(settings: GaussianBlocksSettings): ConjugateBlocks {
  return new GaussianBlocks(settings);
}

class GaussianBlocks implements ConjugateBlocks {
  readonly parameters: number;
  private readonly full: boolean;
  private readonly sums: readonly Sums[];
  private readonly params: readonly Float64Array[];
  /** Their first d numbers. */
  private readonly means: readonly Float64Array[];
  private readonly law: CovarianceLaw;
  private readonly holes: readonly HoleLaws[];
  /** U of each block, as it was and then as it is. */
  private readonly factors: readonly Float64Array[];
  private readonly squares: Float64Array;
  private readonly precision: Float64Array;
  private readonly pull: Float64Array;
  private readonly row: Float64Array;
  private rng: Rng | undefined;

  constructor(private readonly settings: GaussianBlocksSettings) {
    const { columns: d, count, shape, floor } = settings;
    this.full = layoutOf(shape) === "full";
    this.sums = Array.from({ length: count }, () => new Sums(d, this.full));
    const length = this.full ? 2 * d + (d * (d - 1)) / 2 : 2 * d;
    this.params = Array.from({ length: count }, () => new Float64Array(length));
    this.means = this.params.map((params) => params.subarray(0, d));
    this.law = new LAWS[shape](floor);
    this.holes = this.params.map((params) => new HoleLaws(params, { d, full: this.full }));
    this.factors = this.params.map(() => new Float64Array(d * d));
    this.squares = new Float64Array(d * d);
    this.precision = new Float64Array(d * d);
    this.pull = new Float64Array(d);
    this.row = new Float64Array(d);
    const matrix = (d * (d + 1)) / 2;
    this.parameters =
      count * d + { full: count * matrix, tied: matrix, diagonal: count * d, spherical: count }[shape];
  }

  clear(theta: Float64Array, rng?: Rng): void {
    const { columns: d, block } = this.settings;
    this.rng = rng;
    this.sums.forEach((sums, k) => {
      const params = this.params[k];
      for (let j = 0; j < params.length; j++) {
        const value = theta[block(k) + j];
        params[j] = j >= d && j < 2 * d ? Math.exp(value) : value;
      }
      sums.clear(this.means[k]);
      this.holes[k].clear();
    });
  }

  add(k: number, weight: number, values: Rows["values"], first: number): void {
    const { d } = this.sums[k];
    for (let j = 0; j < d; j++) {
      if (Number.isNaN(values[first + j])) {
        this.addWithHoles(k, weight, values, first);
        return;
      }
    }
    this.sums[k].add(weight, values, first);
  }

  renew(theta: Float64Array, rng?: Rng): void {
    const { columns: d, shape } = this.settings;
    const { law, sums, factors, squares } = this;
    const tight = this.means.map((mean) => {
      let square = MEAN_FREEDOM;
      for (let j = 0; j < d; j++) square += mean[j] ** 2;
      const expected = 0.5 * (MEAN_FREEDOM + d);
      return (rng ? gamma(rng, expected) : expected) / (0.5 * square);
    });
    for (let k = 0; k < sums.length; k++) this.readFactor(k);
    /** Σ(x − μ)(x − μ)' is added to the squares. */
    const add = (k: number): void => {
      sums[k].addAbout(squares, rng ? this.means[k] : this.mean(k, tight[k], undefined));
    };
    if (shape === "tied") {
      squares.fill(0);
      for (let k = 0; k < sums.length; k++) add(k);
      law.renew(
        factors[0],
        squares,
        sums.reduce((rows, each) => rows + each.count, 0),
        rng,
      );
      for (const factor of factors.slice(1)) factor.set(factors[0]);
    } else {
      for (let k = 0; k < sums.length; k++) {
        squares.fill(0);
        add(k);
        law.renew(factors[k], squares, sums[k].count, rng);
      }
    }
    for (let k = 0; k < sums.length; k++) this.write(theta, k, this.mean(k, tight[k], rng));
  }

  /** U as it is in θ. */
  private readFactor(k: number): void {
    const { d } = this.sums[k];
    const params = this.params[k];
    const factor = this.factors[k];
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      factor[j * d + j] = params[d + j];
      if (this.full) for (let i = 0; i < j; i++) factor[j * d + i] = params[next++];
    }
  }

  /** Under the covariance as it is, P = U'U; `tight` is λ. What is returned is written over by the next call. */
  private mean(k: number, tight: number, rng: Rng | undefined): Float64Array {
    const { precision: q, pull } = this;
    const { d, count, centre, first } = this.sums[k];
    const factor = this.factors[k];
    pull.fill(0);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        let p = 0;
        for (let r = i; r < d; r++) p += factor[r * d + i] * factor[r * d + j];
        q[i * d + j] = count * p;
        pull[i] += p * first[j];
        if (j < i) pull[j] += p * first[i];
      }
      q[i * d + i] += tight;
      // About the centre of the sums, where the prior's centre is −c.
      pull[i] -= tight * centre[i];
    }
    if (!cholesky(q, d)) throw new RangeError("a precision is singular");
    if (rng) {
      forwardSolve(q, d, pull);
      for (let j = 0; j < d; j++) pull[j] += normal(rng);
      backSolve(q, d, pull);
    } else solve(q, d, pull);
    for (let j = 0; j < d; j++) pull[j] += centre[j];
    return pull;
  }

  private write(theta: Float64Array, k: number, mean: Float64Array): void {
    const { d } = this.sums[k];
    const factor = this.factors[k];
    const at = this.settings.block(k);
    let next = at + 2 * d;
    for (let j = 0; j < d; j++) {
      theta[at + j] = mean[j];
      theta[at + d + j] = Math.log(factor[j * d + j]);
      if (this.full) for (let i = 0; i < j; i++) theta[next++] = factor[j * d + i];
    }
  }

  private addWithHoles(k: number, weight: number, values: Rows["values"], first: number): void {
    const { row, full, rng } = this;
    const { d, second } = this.sums[k];
    const law = this.holes[k].of(values, first);
    law.fill(row, values, first, rng);
    this.sums[k].add(weight, row, 0);
    if (rng) return;
    const { missing, spread } = law;
    missing.forEach((j, a) => {
      for (let b = 0; b <= a; b++) {
        if (full || a === b) second[j * d + missing[b]] += weight * spread[a * missing.length + b];
      }
    });
  }
}
