/**
 * What one cluster or hidden state says of a row: a block of θ, unconstrained, with its prior. A mixture and a hidden
 * Markov model are made of K such blocks.
 */

import { SparrowError } from "../errors.js";
import type { Rows } from "../types.js";
import { addSimplexGrad, logSimplex, sumOf } from "./simplex.js";

type Values = Rows["values"];

export interface Emission {
  /** Of the coordinates of a block. */
  readonly names: readonly string[];
  /** The block whose coordinates are θ[offset …). */
  block(offset: number): Block;
}

/** A block as of the last `unpack`. A row is values[first …). */
export interface Block {
  /** Whatever the other functions need of θ. */
  readonly params: Float64Array;
  /** Once per θ. */
  unpack(theta: Float64Array): void;
  /** log p(row | block) */
  logDensity(values: Values, first: number): number;
  /** out[offset …) += scale·∇ log p(row | block), `out` being as long as θ. */
  addGrad(out: Float64Array, scale: number, values: Values, first: number): void;
  logPrior(): number;
  addPriorGrad(out: Float64Array, scale: number): void;
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
  const names = [
    ...Array.from({ length: d }, (_, j) => `mean ${j + 1}`),
    ...Array.from({ length: d }, (_, j) => `log precision factor ${j + 1}`),
  ];
  if (full) for (let j = 1; j < d; j++) for (let k = 0; k < j; k++) names.push(`factor ${j + 1},${k + 1}`);
  const shape = {
    d,
    full,
    length: names.length,
    spread,
    within,
    centre: Float64Array.from({ length: d }, (_, j) => settings.centre?.[j] ?? 0),
    scale: Float64Array.from({ length: d }, (_, j) => settings.scale?.[j] ?? 1),
    difference: new Float64Array(d),
  };
  return { names, block: (offset) => new GaussianBlock(shape, offset) };
}

/** What all blocks of an emission share; `difference` is scratch memory. */
interface GaussianShape {
  readonly d: number;
  readonly full: boolean;
  readonly length: number;
  readonly spread: number;
  readonly within: number;
  readonly centre: Float64Array;
  readonly scale: Float64Array;
  readonly difference: Float64Array;
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

  logDensity(values: Values, first: number): number {
    const { params } = this;
    const { d, full, length, difference } = this.shape;
    let square = 0;
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      const e = values[first + j] - params[j];
      difference[j] = e;
      let y = params[d + j] * e;
      if (full) for (let k = 0; k < j; k++) y += params[next++] * difference[k];
      square += y * y;
    }
    return params[length] - 0.5 * square - d * HALF_LOG_2PI;
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
    const { d, full, spread, within, centre, scale } = this.shape;
    let sum = 0;
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      const u = params[d + j];
      sum -= 0.5 * ((params[j] - centre[j]) / (spread * scale[j])) ** 2;
      sum += this.degrees(j) * Math.log(u) - 0.5 * within * (scale[j] * u) ** 2;
      if (full) for (let k = 0; k < j; k++) sum -= 0.5 * within * (scale[k] * params[next++]) ** 2;
    }
    return sum;
  }

  addPriorGrad(out: Float64Array, weight: number): void {
    const { params, offset } = this;
    const { d, full, spread, within, centre, scale } = this.shape;
    let next = 2 * d;
    for (let j = 0; j < d; j++) {
      const u = params[d + j];
      out[offset + j] -= (weight * (params[j] - centre[j])) / (spread * scale[j]) ** 2;
      out[offset + d + j] += weight * (this.degrees(j) - within * (scale[j] * u) ** 2);
      if (!full) continue;
      for (let k = 0; k < j; k++, next++) {
        out[offset + next] -= weight * within * scale[k] ** 2 * params[next];
      }
    }
  }

  /** The exponent of U_jj in the prior, j = 0 … d − 1. */
  private degrees(j: number): number {
    return this.shape.full ? 3 + j : 3;
  }
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** One column of codes 0 … levels − 1 with probabilities softmax(block, 0) and a Dirichlet(concentration) prior. */
export function categorical(settings: { levels: number; concentration?: number }): Emission {
  const { levels, concentration = 1 } = settings;
  if (!(levels >= 2)) throw new SparrowError(`A categorical emission needs 2 levels or more, not ${levels}.`);
  const prior = new Float64Array(levels).fill(concentration);
  return {
    names: Array.from({ length: levels - 1 }, (_, k) => `logit ${k + 1}`),
    block: (offset) => new CategoricalBlock(prior, offset),
  };
}

class CategoricalBlock implements Block {
  /** Logs of the probabilities. */
  readonly params: Float64Array;
  /** The counts of a row: 1 at its level. */
  private readonly one: Float64Array;

  constructor(
    private readonly prior: Float64Array,
    private readonly offset: number,
  ) {
    this.params = new Float64Array(prior.length);
    this.one = new Float64Array(prior.length);
  }

  unpack(theta: Float64Array): void {
    logSimplex(this.params, theta, this.offset);
  }

  logDensity(values: Values, first: number): number {
    return this.params[values[first]];
  }

  addGrad(out: Float64Array, weight: number, values: Values, first: number): void {
    const { one, params, offset } = this;
    one[values[first]] = 1;
    addSimplexGrad(out, offset, weight, one, params);
    one[values[first]] = 0;
  }

  logPrior(): number {
    return this.prior[0] * sumOf(this.params);
  }

  addPriorGrad(out: Float64Array, weight: number): void {
    addSimplexGrad(out, this.offset, weight, this.prior, this.params);
  }
}
