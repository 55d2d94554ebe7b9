/**
 * N(μ, (U'U)^{-1}) with U lower triangular (diagonal if so told), U_jj = e^{ω_j}; the block is μ, ω, then U_jk for
 * j > k row by row. A factor of the precision rather than of the covariance needs no solve in density or gradient.
 *
 *     log p(x) = Σ ω_j − ½|U(x − μ)|² − ½d·log 2π
 *
 * Priors: μ is a multivariate t about `centre` with 4 degrees and scales spread·scale_j: as wide as columns are, with
 * room for clusters far out. The covariance has a law that lets it be small in any direction (covariance-prior.ts), with
 * A_j = width·scale_j, times
 *
 *     exp(−½Σ_j floor_j·P_jj),   P = U'U
 *
 * which, of our own, keeps variances off those that values known to their last digit only cannot show: equal values
 * would otherwise draw a cluster of their own to variance 0. With the Jacobian of P in U (Π U_jj^j) and of U_jj in ω_j the
 * exponents of U_jj are ν − 1 + j, j = 1 … d; a diagonal U has d laws of one column: ν each.
 */

import type { Rows } from "../types.js";
import { CovariancePrior } from "./covariance-prior.js";
import type { Block, Emission } from "./emissions.js";
import { HoleLaws } from "./observed.js";

type Values = Rows["values"];

/** Degrees of freedom of the t law of a mean. */
export const MEAN_FREEDOM = 4;

export interface GaussianSettings {
  readonly columns: number;
  readonly covariance: "diagonal" | "full";
  /** Where the priors are centred and how wide they are, column by column: 0 and 1 for standardised data. */
  readonly centre?: ArrayLike<number>;
  readonly scale?: ArrayLike<number>;
  /** The scale of the t law of a mean, in units of `scale`. */
  readonly spread?: number;
  /** The scale of the half-t law of a standard deviation, in units of `scale`. */
  readonly width?: number;
  /** Variances that the values cannot show, column by column; 0 unless told. */
  readonly floor?: ArrayLike<number>;
}

export function gaussian(settings: GaussianSettings): Emission {
  const { columns: d, spread = 1, width = 1 } = settings;
  const full = settings.covariance === "full";
  const names = [
    ...Array.from({ length: d }, (_, j) => `mean ${j + 1}`),
    ...Array.from({ length: d }, (_, j) => `log precision factor ${j + 1}`),
  ];
  if (full) for (let j = 1; j < d; j++) for (let k = 0; k < j; k++) names.push(`factor ${j + 1},${k + 1}`);
  const scale = Float64Array.from({ length: d }, (_, j) => settings.scale?.[j] ?? 1);
  const shape = {
    d,
    full,
    length: names.length,
    centre: Float64Array.from({ length: d }, (_, j) => settings.centre?.[j] ?? 0),
    spread: scale.map((s) => spread * s),
    narrow: scale.map((s) => (width * s) ** -2),
    floor: Float64Array.from({ length: d }, (_, j) => settings.floor?.[j] ?? 0),
    prior: new CovariancePrior(d, full),
    difference: new Float64Array(d),
    precision: new Float64Array(d),
  };
  return { names, block: (offset) => new GaussianBlock(shape, offset) };
}

/** What all blocks of an emission share; the last two are scratch memory. */
interface GaussianShape {
  readonly d: number;
  readonly full: boolean;
  readonly length: number;
  readonly centre: Float64Array;
  /** Of the means. */
  readonly spread: Float64Array;
  /** A^{−2} */
  readonly narrow: Float64Array;
  readonly floor: Float64Array;
  readonly prior: CovariancePrior;
  readonly difference: Float64Array;
  readonly precision: Float64Array;
}

/** A class, because its methods are compiled once for all blocks: as closures they took 10% longer. */
class GaussianBlock implements Block {
  /** μ, U_jj, U_jk as in the block but on the natural scale, then Σω. */
  readonly params: Float64Array;
  private readonly holes: HoleLaws;

  constructor(
    private readonly shape: GaussianShape,
    private readonly offset: number,
  ) {
    this.params = new Float64Array(shape.length + 1);
    this.holes = new HoleLaws(this.params, shape);
  }

  unpack(theta: Float64Array): void {
    const { params, offset } = this;
    const { d, length } = this.shape;
    let sum = 0;
    for (let j = 0; j < length; j++) {
      const x = theta[offset + j];
      const isLog = j >= d && j < 2 * d;
      params[j] = isLog ? Math.exp(x) : x;
      if (isLog) sum += x;
    }
    params[length] = sum;
    this.holes.clear();
  }

  /** Of a row with holes: that of what is there. */
  logDensity(values: Values, first: number): number {
    const { params, shape } = this;
    const { d, difference } = shape;
    const square = (shape.full ? fullSquare : diagonalSquare)(params, d, difference, values, first);
    if (Number.isNaN(square)) return this.holes.of(values, first).logDensity(values, first);
    return params[shape.length] - 0.5 * square - shape.d * HALF_LOG_2PI;
  }

  /** Here and not row by row in the models: sweeps spend most of their time in it. */
  logDensities(out: Float64Array, at: number, stride: number, batch: Rows, plus: number): void {
    const { params, shape } = this;
    const { d, full, length } = shape;
    const { rows, columns, values } = batch;
    const top = plus + params[length] - d * HALF_LOG_2PI;
    const squares = full ? fullSquare : diagonalSquare;
    for (let i = 0; i < rows; i++) {
      const first = i * columns;
      const square = squares(params, d, shape.difference, values, first);
      // Of a row with holes it is no number.
      out[at + i * stride] = Number.isNaN(square)
        ? plus + this.holes.of(values, first).logDensity(values, first)
        : top - 0.5 * square;
    }
  }

  addGrad(out: Float64Array, weight: number, values: Values, first: number): void {
    const { params, offset } = this;
    const { d, full, difference } = this.shape;
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      const u = params[d + j];
      const e = values[first + j] - params[j];
      difference[j] = e;
      let y = u * e;
      const row = next;
      if (full) for (let k = 0; k < j; k++) y += params[next++] * difference[k];
      const wy = weight * y;
      out[offset + j] += wy * u;
      out[offset + d + j] += weight - wy * u * e;
      if (full) {
        for (let k = 0; k < j; k++) {
          out[offset + k] += wy * params[row + k];
          out[offset + row + k] -= wy * difference[k];
        }
      }
    }
  }

  logPrior(): number {
    const { params } = this;
    const { d, full, length, narrow, floor, precision, prior } = this.shape;
    this.precisions();
    let sum = prior.weigh(params[length], precision, narrow);
    for (let j = 0; j < d; j++) {
      if (full) sum += j * Math.log(params[d + j]);
      sum -= 0.5 * floor[j] * precision[j];
    }
    return sum - 0.5 * (MEAN_FREEDOM + d) * Math.log1p(this.distance() / MEAN_FREEDOM);
  }

  addPriorGrad(out: Float64Array, weight: number): void {
    const { params, offset } = this;
    const { d, full, length, centre, spread, narrow, floor, precision, prior } = this.shape;
    const { degrees, weights } = prior;
    this.precisions();
    prior.weigh(params[length], precision, narrow);
    const degree = degrees.reduce((sum, nu, g) => sum + weights[g] * nu, 0);
    // From here on half the derivative in P_jj, with its sign turned: that in U_ij is −2·U_ij of it.
    for (let j = 0; j < d; j++) {
      let turned = 0.5 * floor[j];
      for (let g = 0; g < degrees.length; g++) {
        turned += (weights[g] * prior.power(g) * degrees[g]) / (degrees[g] * precision[j] + narrow[j]);
      }
      precision[j] = turned;
    }
    const pull = (weight * (MEAN_FREEDOM + d)) / (MEAN_FREEDOM + this.distance());
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      const u = params[d + j];
      out[offset + j] -= (pull * (params[j] - centre[j])) / spread[j] ** 2;
      out[offset + d + j] += weight * (degree + (full ? j : 0) - 2 * precision[j] * u * u);
      if (!full) continue;
      for (let k = 0; k < j; k++, next++) out[offset + next] -= weight * 2 * precision[k] * params[next];
    }
  }

  /** |μ − centre|² in units of the spread. */
  private distance(): number {
    const { d, centre, spread } = this.shape;
    let sum = 0;
    for (let j = 0; j < d; j++) sum += ((this.params[j] - centre[j]) / spread[j]) ** 2;
    return sum;
  }

  /** P_jj = Σ_i U_ij². */
  private precisions(): void {
    const { params } = this;
    const { d, full, precision } = this.shape;
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      precision[j] = params[d + j] ** 2;
      if (full) for (let k = 0; k < j; k++) precision[k] += params[next++] ** 2;
    }
  }
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** |U(x − μ)|² */
function fullSquare(
  params: Float64Array,
  d: number,
  difference: Float64Array,
  values: Values,
  first: number,
): number {
  let square = 0;
  let next = 2 * d;
  for (let j = 0; j < d; j++) {
    const e = values[first + j] - params[j];
    difference[j] = e;
    let y = params[d + j] * e;
    for (let k = 0; k < j; k++) y += params[next + k] * difference[k];
    next += j;
    square += y * y;
  }
  return square;
}

function diagonalSquare(
  params: Float64Array,
  d: number,
  _difference: Float64Array,
  values: Values,
  first: number,
): number {
  let square = 0;
  for (let j = 0; j < d; j++) {
    const y = params[d + j] * (values[first + j] - params[j]);
    square += y * y;
  }
  return square;
}
