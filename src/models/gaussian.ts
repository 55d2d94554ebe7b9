/**
 * N(μ, (U'U)^{-1}) with U lower triangular (diagonal if so told), U_jj = e^{ω_j}; the block is μ, ω, then U_jk for
 * j > k row by row. A factor of the precision rather than of the covariance needs no solve in density or gradient.
 *
 *     log p(x) = Σ ω_j − ½|U(x − μ)|² − ½d·log 2π
 *
 * Priors: μ_j ~ N(centre_j, (spread·scale_j)²), and a law of the covariance that lets it be small in any direction
 * (Huang and Wand 2013): standard deviations are half-t with ν = 2 degrees and scale A_j = width·scale_j, correlations
 * uniform. With P = U'U its density in P is
 *
 *     |P|^{(ν−2)/2} Π_j (νP_jj + A_j^{−2})^{−(ν+d)/2} · exp(−½Σ_j floor_j·P_jj)
 *
 * where the last factor, of our own, keeps variances off those that values known to their last digit only cannot show:
 * equal values would otherwise draw a cluster of their own to variance 0. With the Jacobian of P in U (Π U_jj^j) and of
 * U_jj in ω_j the exponents of U_jj are ν − 1 + j, j = 1 … d; a diagonal U has d such laws of one column: ν each.
 */

import type { Rows } from "../types.js";
import type { Block, Emission } from "./emissions.js";
import { observedDensity } from "./observed.js";

type Values = Rows["values"];

/** Degrees of freedom of the half-t law of a standard deviation: with 2, correlations are uniform. */
export const FREEDOM = 2;
/** The prior sd of a mean, in standard deviations of its column. */
export const SPREAD = 3;

export interface GaussianSettings {
  readonly columns: number;
  readonly covariance: "diagonal" | "full";
  /** Where the priors are centred and how wide they are, column by column: 0 and 1 for standardised data. */
  readonly centre?: ArrayLike<number>;
  readonly scale?: ArrayLike<number>;
  /** The prior sd of a mean, in units of `scale`. */
  readonly spread?: number;
  /** The scale of the half-t law of a standard deviation, in units of `scale`. */
  readonly width?: number;
  /** Variances that the values cannot show, column by column; 0 unless told. */
  readonly floor?: ArrayLike<number>;
}

export function gaussian(settings: GaussianSettings): Emission {
  const { columns: d, spread = SPREAD, width = 1 } = settings;
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
  readonly difference: Float64Array;
  readonly precision: Float64Array;
}

/** A class, because its methods are compiled once for all blocks: as closures they took 10% longer. */
class GaussianBlock implements Block {
  /** μ, U_jj, U_jk as in the block but on the natural scale, then Σω. */
  readonly params: Float64Array;

  constructor(
    private readonly shape: GaussianShape,
    private readonly offset: number,
  ) {
    this.params = new Float64Array(shape.length + 1);
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
  }

  /** Of a row with holes: that of what is there. */
  logDensity(values: Values, first: number): number {
    const { params, shape } = this;
    const square = squareOf(params, shape, values, first);
    if (Number.isNaN(square)) return observedDensity(params, shape, values, first);
    return params[shape.length] - 0.5 * square - shape.d * HALF_LOG_2PI;
  }

  /** Here and not row by row in the models: sweeps spend most of their time in it. */
  logDensities(out: Float64Array, at: number, stride: number, batch: Rows, plus: number): void {
    const { params, shape } = this;
    const { rows, columns, values } = batch;
    const logFactor = params[shape.length];
    const unit = shape.d * HALF_LOG_2PI;
    for (let i = 0; i < rows; i++) {
      const square = squareOf(params, shape, values, i * columns);
      out[at + i * stride] =
        plus +
        (Number.isNaN(square)
          ? observedDensity(params, shape, values, i * columns)
          : logFactor - 0.5 * square - unit);
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
    const { d, centre, spread, narrow, floor, precision } = this.shape;
    this.precisions();
    let sum = 0;
    for (let j = 0; j < d; j++) {
      sum -= 0.5 * ((params[j] - centre[j]) / spread[j]) ** 2;
      sum += this.degrees(j) * Math.log(params[d + j]) - 0.5 * floor[j] * precision[j];
      sum -= this.power() * Math.log(FREEDOM * precision[j] + narrow[j]);
    }
    return sum;
  }

  addPriorGrad(out: Float64Array, weight: number): void {
    const { params, offset } = this;
    const { d, full, centre, spread, narrow, floor, precision } = this.shape;
    this.precisions();
    // From here on half the derivative in P_jj, with its sign turned: that in U_ij is −2·U_ij of it.
    for (let j = 0; j < d; j++) {
      precision[j] = 0.5 * floor[j] + (this.power() * FREEDOM) / (FREEDOM * precision[j] + narrow[j]);
    }
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      const u = params[d + j];
      out[offset + j] -= (weight * (params[j] - centre[j])) / spread[j] ** 2;
      out[offset + d + j] += weight * (this.degrees(j) - 2 * precision[j] * u * u);
      if (!full) continue;
      for (let k = 0; k < j; k++, next++) out[offset + next] -= weight * 2 * precision[k] * params[next];
    }
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

  /** The exponent of U_jj in the prior, j = 0 … d − 1. */
  private degrees(j: number): number {
    return this.shape.full ? FREEDOM + j : FREEDOM;
  }

  /** (ν + d)/2. */
  private power(): number {
    return 0.5 * (FREEDOM + (this.shape.full ? this.shape.d : 1));
  }
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** |U(x − μ)|² */
function squareOf(params: Float64Array, shape: GaussianShape, values: Values, first: number): number {
  const { d, full, difference } = shape;
  let square = 0;
  let next = 2 * d;
  for (let j = 0; j < d; j++) {
    const e = values[first + j] - params[j];
    let y = params[d + j] * e;
    if (full) {
      difference[j] = e;
      for (let k = 0; k < j; k++) y += params[next++] * difference[k];
    }
    square += y * y;
  }
  return square;
}
