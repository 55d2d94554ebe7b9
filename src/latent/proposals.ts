/**
 * Which variable a move proposes, and how likely the way back is (supplement, section S3). Birth draws j ∉ S with
 * probability ∝ w_j, death i ∈ S ∝ 1 − w_i, exchange does both; 1/3 each, except that the empty model only grows
 * and the full one only shrinks. The normalisers Σ_{∉S} w and Σ_{∈S} (1 − w) are kept as the model changes.
 */

import { type AliasTable, aliasTable } from "../math/alias.js";
import type { Rng } from "../math/rng.js";
import { isMember, type Selection } from "./selection.js";

export class Proposals {
  readonly maxSize: number;
  private births: AliasTable | undefined;
  private total: number;
  private outside = 0;
  private inside = 0;

  constructor(
    /** In (0, 1), one per variable; 0 for variables that never move. */
    private weights: Float64Array,
    maxSize: number,
    /** How births are drawn; by the weights unless told. */
    births?: AliasTable,
  ) {
    this.maxSize = Math.min(
      maxSize,
      weights.reduce((count, w) => count + (w > 0 ? 1 : 0), 0),
    );
    this.births = births ?? (this.maxSize > 0 ? aliasTable(weights) : undefined);
    this.total = sum(weights);
  }

  /** New weights; call `enter` before the next move. */
  adapt(weights: Float64Array): void {
    this.weights = weights;
    this.births = aliasTable(weights);
    this.total = sum(weights);
  }

  enter(z: Selection): void {
    this.outside = this.total;
    this.inside = 0;
    for (let i = z.always; i < z.size; i++) this.entered(z.members[i]);
  }

  entered(j: number): void {
    this.outside -= this.weights[j];
    this.inside += 1 - this.weights[j];
  }

  left(i: number): void {
    this.outside += this.weights[i];
    this.inside -= 1 - this.weights[i];
  }

  /** The kind of the next move, or none when nothing can move. */
  kind(rng: Rng, z: Selection): "birth" | "death" | "exchange" | undefined {
    const free = z.size - z.always;
    if (this.maxSize === 0) return undefined;
    if (free === 0) return "birth";
    if (free === this.maxSize) return "death";
    return (["birth", "death", "exchange"] as const)[rng.below(3)];
  }

  drawOutside(rng: Rng, z: Selection): number {
    for (;;) {
      const j = this.births!.draw(rng);
      if (!isMember(z, j)) return j;
    }
  }

  drawInside(rng: Rng, z: Selection): number {
    let u = rng.uniform() * this.inside;
    for (let i = z.always; i < z.size; i++) {
      u -= 1 - this.weights[z.members[i]];
      if (u < 0) return z.members[i];
    }
    return z.members[z.size - 1];
  }

  /** log of the probability to propose the death of j after its birth, less that of its birth. */
  birthRatio(free: number, j: number): number {
    const w = this.weights[j];
    return (
      Math.log((this.deathProbability(free + 1) * (1 - w)) / (this.inside + 1 - w)) -
      Math.log((this.birthProbability(free) * w) / this.outside)
    );
  }

  deathRatio(free: number, i: number): number {
    const w = this.weights[i];
    return (
      Math.log((this.birthProbability(free - 1) * w) / (this.outside + w)) -
      Math.log((this.deathProbability(free) * (1 - w)) / this.inside)
    );
  }

  exchangeRatio(i: number, j: number): number {
    const [wi, wj] = [this.weights[i], this.weights[j]];
    return (
      Math.log(((1 - wj) / (this.inside + wi - wj)) * (wi / (this.outside - wj + wi))) -
      Math.log(((1 - wi) / this.inside) * (wj / this.outside))
    );
  }

  private birthProbability(size: number): number {
    return size === 0 ? 1 : size === this.maxSize ? 0 : 1 / 3;
  }

  private deathProbability(size: number): number {
    return size === 0 ? 0 : size === this.maxSize ? 1 : 1 / 3;
  }
}

function sum(weights: Float64Array): number {
  return weights.reduce((total, w) => total + w, 0);
}
