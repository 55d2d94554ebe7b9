/**
 * What one cluster or hidden state says of a row: a block of θ, unconstrained, with its prior. A mixture and a hidden
 * Markov model are made of K such blocks.
 */

import { SparrowError } from "../errors.js";
import type { Rows } from "../types.js";
import { addSimplexGrad, logSimplex, sumOf } from "./simplex.js";

type Values = Rows["values"];

export interface Emission {
  readonly names: readonly string[];
  /** Numbers that `unpack` writes. */
  readonly size: number;
  /** Once per θ: writes at params[at …) whatever the row-wise functions need of the block theta[offset …). */
  unpack(params: Float64Array, at: number, theta: Float64Array, offset: number): void;
  /** log p(row | block), the row being values[first …). */
  logDensity(params: Float64Array, at: number, values: Values, first: number): number;
  /** out[offset …) += scale·∇ log p(row | block). */
  addGrad(
    out: Float64Array,
    offset: number,
    scale: number,
    params: Float64Array,
    at: number,
    values: Values,
    first: number,
  ): void;
  logPrior(params: Float64Array, at: number): number;
  addPriorGrad(out: Float64Array, offset: number, scale: number, params: Float64Array, at: number): void;
}

export interface GaussianSettings {
  readonly columns: number;
  readonly covariance: "diagonal" | "full";
  /** Where the priors are centred and how wide they are, column by column: 0 and 1 for standardised data. */
  readonly centre?: ArrayLike<number>;
  readonly scale?: ArrayLike<number>;
  /** The prior sd of a mean, in units of `scale`. */
  readonly spread?: number;
  /** Prior guess of the variance inside a cluster, in units of scale². */
  readonly within?: number;
}

/**
 * N(μ, (U'U)^{-1}) with U lower triangular (diagonal if so told), U_jj = e^{ω_j}; the block is μ, ω, then U_jk for
 * j > k row by row. A factor of the precision rather than of the covariance needs no solve in density or gradient.
 *
 *     log p(x) = Σ ω_j − ½|U(x − μ)|² − ½d·log 2π
 *
 * Priors: μ_j ~ N(centre_j, (spread·scale_j)²); U'U ~ Wishart(ν = d + 2, diag(1/b_j)) with b_j = within·scale_j², so
 * that E Σ = diag(b) (Fraley and Raftery 2007). With the Jacobian of U'U in U (Π U_jj^j) and of U_jj in ω_j that is
 * Σ_j (ν − d + j)·ω_j − ½Σ_jk b_k·U_jk², j = 1 … d; for diagonal U every precision is Gamma(3/2, b_j/2): 3ω_j − ½b_jU_jj².
 */
export function gaussian(settings: GaussianSettings): Emission {
  const { columns: d, spread = 3, within = 1 } = settings;
  const full = settings.covariance === "full";
  const centre = Float64Array.from({ length: d }, (_, j) => settings.centre?.[j] ?? 0);
  const scale = Float64Array.from({ length: d }, (_, j) => settings.scale?.[j] ?? 1);
  const length = 2 * d + (full ? (d * (d - 1)) / 2 : 0);
  const difference = new Float64Array(d);
  /** The exponent of U_jj in the prior, j = 0 … d − 1. */
  const degrees = (j: number): number => (full ? 3 + j : 3);

  const names = [
    ...Array.from({ length: d }, (_, j) => `mean ${j + 1}`),
    ...Array.from({ length: d }, (_, j) => `log precision factor ${j + 1}`),
  ];
  if (full) for (let j = 1; j < d; j++) for (let k = 0; k < j; k++) names.push(`factor ${j + 1},${k + 1}`);

  return {
    names,
    // μ, U_jj, U_jk as in the block but on the natural scale, then Σω.
    size: length + 1,
    unpack(params, at, theta, offset) {
      let sum = 0;
      for (let j = 0; j < length; j++) {
        const x = theta[offset + j];
        const isLog = j >= d && j < 2 * d;
        params[at + j] = isLog ? Math.exp(x) : x;
        if (isLog) sum += x;
      }
      params[at + length] = sum;
    },
    logDensity(params, at, values, first) {
      let square = 0;
      let next = at + 2 * d;
      for (let j = 0; j < d; j++) {
        const e = values[first + j] - params[at + j];
        difference[j] = e;
        let y = params[at + d + j] * e;
        if (full) for (let k = 0; k < j; k++) y += params[next++] * difference[k];
        square += y * y;
      }
      return params[at + length] - 0.5 * square - d * HALF_LOG_2PI;
    },
    addGrad(out, offset, weight, params, at, values, first) {
      let next = 2 * d;
      for (let j = 0; j < d; j++) {
        const u = params[at + d + j];
        const e = values[first + j] - params[at + j];
        difference[j] = e;
        let y = u * e;
        const row = next;
        if (full) for (let k = 0; k < j; k++) y += params[at + next++] * difference[k];
        const wy = weight * y;
        out[offset + j] += wy * u;
        out[offset + d + j] += weight - wy * u * e;
        if (full) {
          for (let k = 0; k < j; k++) {
            out[offset + k] += wy * params[at + row + k];
            out[offset + row + k] -= wy * difference[k];
          }
        }
      }
    },
    logPrior(params, at) {
      let sum = 0;
      let next = at + 2 * d;
      for (let j = 0; j < d; j++) {
        const u = params[at + d + j];
        sum -= 0.5 * ((params[at + j] - centre[j]) / (spread * scale[j])) ** 2;
        sum += degrees(j) * Math.log(u) - 0.5 * within * (scale[j] * u) ** 2;
        if (full) for (let k = 0; k < j; k++) sum -= 0.5 * within * (scale[k] * params[next++]) ** 2;
      }
      return sum;
    },
    addPriorGrad(out, offset, weight, params, at) {
      let next = 2 * d;
      for (let j = 0; j < d; j++) {
        const u = params[at + d + j];
        out[offset + j] -= (weight * (params[at + j] - centre[j])) / (spread * scale[j]) ** 2;
        out[offset + d + j] += weight * (degrees(j) - within * (scale[j] * u) ** 2);
        if (!full) continue;
        for (let k = 0; k < j; k++, next++) {
          out[offset + next] -= weight * within * scale[k] ** 2 * params[at + next];
        }
      }
    },
  };
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** One column of codes 0 … levels − 1 with probabilities softmax(block, 0) and a Dirichlet(concentration) prior. */
export function categorical(settings: { levels: number; concentration?: number }): Emission {
  const { levels, concentration = 1 } = settings;
  if (!(levels >= 2)) throw new SparrowError(`A categorical emission needs 2 levels or more, not ${levels}.`);
  const prior = new Float64Array(levels).fill(concentration);
  const one = new Float64Array(levels);
  return {
    names: Array.from({ length: levels - 1 }, (_, k) => `logit ${k + 1}`),
    size: levels,
    unpack: (params, at, theta, offset) => logSimplex(params, at, theta, offset, levels),
    logDensity: (params, at, values, first) => params[at + values[first]],
    addGrad(out, offset, weight, params, at, values, first) {
      one[values[first]] = 1;
      addSimplexGrad(out, offset, weight, one, 0, params, at, levels);
      one[values[first]] = 0;
    },
    logPrior: (params, at) => concentration * sumOf(params, at, levels),
    addPriorGrad: (out, offset, weight, params, at) =>
      addSimplexGrad(out, offset, weight, prior, 0, params, at, levels),
  };
}
