/**
 * Gaussian blocks given their rows: covariance given mean and rows (covariance-law.ts), then the mean given both,
 *
 *     μ_k | Σ_k, rows ~ N(Q^{-1}·n·P·x̄, Q^{-1}),   P = Σ_k^{-1},  Q = n·P + I/spread²
 *
 * on standardised columns. Tied covariances are one, from the squares of all clusters together. In θ a spherical
 * covariance is a diagonal one with equal numbers, and a tied one a full one, the same in every block.
 */

import { backSolve, cholesky, forwardSolve, solve } from "../../math/linear.js";
import { normal } from "../../math/normal.js";
import type { Rng } from "../../math/rng.js";
import { SPREAD } from "../../models/gaussian.js";
import { filled } from "../../models/observed.js";
import type { Rows } from "../../types.js";
import type { ConjugateBlocks } from "./conjugate.js";
import {
  type CovarianceState,
  diagonalCovariance,
  fullCovariance,
  lowerInverse,
  sphericalCovariance,
} from "./covariance-law.js";
import { Sums } from "./sums.js";

/** What clusters may look like: any shape, along the columns, the same in all columns, or the same in all clusters. */
export type CovarianceShape = "full" | "diagonal" | "spherical" | "tied";

/** How a shape lies in θ. */
export const layoutOf = (shape: CovarianceShape): "full" | "diagonal" =>
  shape === "full" || shape === "tied" ? "full" : "diagonal";

const LAWS = {
  full: fullCovariance,
  tied: fullCovariance,
  diagonal: diagonalCovariance,
  spherical: sphericalCovariance,
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
  readonly scales: Float64Array;
  readonly parameters: number;
  private readonly full: boolean;
  private readonly sums: readonly Sums[];
  private readonly params: readonly Float64Array[];
  /** Their first d numbers. */
  private readonly means: readonly Float64Array[];
  /** Written anew by every `renew`, but for the scales. */
  private readonly states: readonly CovarianceState[];
  private readonly row: Float64Array;
  private rng: Rng | undefined;

  constructor(private readonly settings: GaussianBlocksSettings) {
    const { columns: d, count, shape } = settings;
    this.full = layoutOf(shape) === "full";
    this.sums = Array.from({ length: count }, () => new Sums(d, this.full));
    const length = this.full ? 2 * d + (d * (d - 1)) / 2 : 2 * d;
    this.params = Array.from({ length: count }, () => new Float64Array(length));
    this.means = this.params.map((params) => params.subarray(0, d));
    this.row = new Float64Array(d);
    this.scales = new Float64Array(count * d).fill(0.1);
    this.states = this.params.map((_, k) => ({
      factor: new Float64Array(d * d),
      scales: this.scales.subarray(k * d, (k + 1) * d),
    }));
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
    const { columns: d, shape, floor } = this.settings;
    const law = LAWS[shape];
    const squares = this.sums.map((sums, k) => {
      const out = new Float64Array(d * d);
      const mean = rng ? this.means[k] : this.modalMean(k);
      sums.about(out, mean);
      return out;
    });
    const { states } = this;
    for (const { factor } of states) factor.fill(0);
    if (shape === "tied") {
      const all = squares[0].map((_, i) => squares.reduce((sum, each) => sum + each[i], 0));
      const rows = this.sums.reduce((sum, each) => sum + each.count, 0);
      law(states[0], all, rows, floor, rng);
      for (const { factor, scales } of states.slice(1)) {
        factor.set(states[0].factor);
        scales.set(states[0].scales);
      }
    } else {
      for (const [k, state] of states.entries()) law(state, squares[k], this.sums[k].count, floor, rng);
    }
    for (const [k, { factor }] of states.entries()) {
      const inverse = lowerInverse(factor, d);
      this.write(theta, k, inverse, this.mean(k, inverse, rng));
    }
  }

  /** Under the covariance as it was. */
  private modalMean(k: number): Float64Array {
    const { d } = this.sums[k];
    const params = this.params[k];
    const inverse = new Float64Array(d * d);
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      inverse[j * d + j] = params[d + j];
      if (this.full) for (let i = 0; i < j; i++) inverse[j * d + i] = params[next++];
    }
    return this.mean(k, inverse, undefined);
  }

  /** `inverse` is U, P = U'U. */
  private mean(k: number, inverse: Float64Array, rng: Rng | undefined): Float64Array {
    const { d, count, centre, first } = this.sums[k];
    const q = new Float64Array(d * d);
    const pull = new Float64Array(d);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j < d; j++) {
        let p = 0;
        for (let r = Math.max(i, j); r < d; r++) p += inverse[r * d + i] * inverse[r * d + j];
        q[i * d + j] = count * p;
        pull[i] += p * first[j];
      }
      q[i * d + i] += SPREAD ** -2;
      // About the centre of the sums, where the prior's centre is −c.
      pull[i] -= SPREAD ** -2 * centre[i];
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

  private write(theta: Float64Array, k: number, inverse: Float64Array, mean: Float64Array): void {
    const { d } = this.sums[k];
    const at = this.settings.block(k);
    let next = at + 2 * d;
    for (let j = 0; j < d; j++) {
      theta[at + j] = mean[j];
      theta[at + d + j] = Math.log(inverse[j * d + j]);
      if (this.full) for (let i = 0; i < j; i++) theta[next++] = inverse[j * d + i];
    }
  }

  private addWithHoles(k: number, weight: number, values: Rows["values"], first: number): void {
    const { row, full, rng } = this;
    const { d, second } = this.sums[k];
    const { missing, factor } = filled(row, this.params[k], { d, full }, values, first, rng);
    this.sums[k].add(weight, row, 0);
    if (rng) return;
    // The square of what is missing is more than that of its expectation: by the inverse of P_mm.
    const m = missing.length;
    missing.forEach((j, a) => {
      const unit = new Float64Array(m);
      unit[a] = 1;
      solve(factor, m, unit);
      for (let b = 0; b <= a; b++) {
        if (full || a === b) second[j * d + missing[b]] += weight * unit[b];
      }
    });
  }
}
