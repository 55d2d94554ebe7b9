/** The law of one coefficient over several models: a mixture of t distributions, of which moments and sign are kept. */

import { quickStudentTCdf, studentTVariance } from "../../math/distributions.js";

/** A part that weighs less than this beside the others takes its sign from its mean: that is quicker. */
const SLIGHT = 1e-6;

export class CoefficientMixture {
  weight = 0;
  private sum = 0;
  private squares = 0;
  private above = 0;

  /** `freedom` is infinite where the parts are normal. */
  constructor(private readonly freedom: number) {}

  clear(): void {
    this.weight = this.sum = this.squares = this.above = 0;
  }

  add(weight: number, mean: number, squaredScale: number): void {
    this.weight += weight;
    this.sum += weight * mean;
    this.squares += weight * (mean * mean + squaredScale * studentTVariance(this.freedom));
    const slight = weight < SLIGHT * this.weight;
    const above = mean > 0 ? 1 : 0;
    this.above += weight * (slight ? above : quickStudentTCdf(mean / Math.sqrt(squaredScale), this.freedom));
  }

  /** Another mixture, as a part of this one that weighs so much of itself. */
  include(other: CoefficientMixture, share: number): void {
    this.weight += share * other.weight;
    this.sum += share * other.sum;
    this.squares += share * other.squares;
    this.above += share * other.above;
  }

  get mean(): number {
    return this.weight > 0 ? this.sum / this.weight : 0;
  }

  /** Mean of the square. */
  get square(): number {
    return this.weight > 0 ? this.squares / this.weight : 0;
  }

  /** Probability that it is positive. */
  get positive(): number {
    return this.weight > 0 ? this.above / this.weight : 0.5;
  }
}
