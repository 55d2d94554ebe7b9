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
  /** Writes plus + log p(row i | block) at out[at + i·stride] for all rows of a batch. */
  logDensities(out: Float64Array, at: number, stride: number, batch: Rows, plus: number): void;
  /** out[offset …) += scale·∇ log p(row | block), `out` being as long as θ. */
  addGrad(out: Float64Array, scale: number, values: Values, first: number): void;
  logPrior(): number;
  addPriorGrad(out: Float64Array, scale: number): void;
}

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

  /** A step without a code tells nothing. */
  logDensity(values: Values, first: number): number {
    return this.params[values[first]] ?? 0;
  }

  logDensities(out: Float64Array, at: number, stride: number, batch: Rows, plus: number): void {
    const { rows, columns, values } = batch;
    for (let i = 0; i < rows; i++) out[at + i * stride] = plus + this.logDensity(values, i * columns);
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
