/**
 * Cyclic coordinate descent on a quadratic with a penalty,
 *
 *     ½β'Hβ − c'β + Σ_j P_λ(β_j)
 *
 * by covariance updates (Friedman, Hastie and Tibshirani 2010): the gradient c − Hβ of all k coordinates is
 * carried along, so a coordinate that stays costs nothing and one that moves costs k. Rounds over the nonzero
 * coordinates alternate with rounds over all of them.
 */

import type { Penalty } from "./penalty.js";

/** The variables of a working set; H grows with it. */
export class WorkingSet {
  size = 0;
  /** H, row-major with `capacity` numbers a row. */
  hessian: Float64Array;
  gradient: Float64Array;
  beta: Float64Array;

  constructor(public capacity = 64) {
    this.hessian = new Float64Array(capacity * capacity);
    this.gradient = new Float64Array(capacity);
    this.beta = new Float64Array(capacity);
  }

  /** Takes in a coordinate; `row` holds H against those already in and, last, itself. */
  append(row: ArrayLike<number>, gradient: number, beta: number): void {
    if (this.size === this.capacity) this.grow();
    const { size, capacity, hessian } = this;
    for (let i = 0; i <= size; i++) {
      hessian[size * capacity + i] = row[i];
      hessian[i * capacity + size] = row[i];
    }
    this.gradient[size] = gradient;
    this.beta[size] = beta;
    this.size = size + 1;
  }

  private grow(): void {
    const { size, capacity, hessian, gradient, beta } = this;
    this.capacity = 2 * capacity;
    this.hessian = new Float64Array(this.capacity ** 2);
    for (let i = 0; i < size; i++) {
      this.hessian.set(hessian.subarray(i * capacity, i * capacity + size), i * this.capacity);
    }
    this.gradient = new Float64Array(this.capacity);
    this.gradient.set(gradient);
    this.beta = new Float64Array(this.capacity);
    this.beta.set(beta);
  }
}

export interface DescentSettings {
  readonly penalty: Penalty;
  readonly lambda: number;
  /** The first coordinates, this many, carry no penalty. */
  readonly free?: number;
  /** Done when no coordinate moves by more than this in a round: the largest H_jj·δ². */
  readonly tolerance: number;
  readonly maxRounds?: number;
}

/** Returns the rounds it took, or −1 when they did not suffice. */
export function descend(set: WorkingSet, settings: DescentSettings): number {
  const { penalty, lambda, free = 0, tolerance, maxRounds = 100_000 } = settings;
  const { size, capacity, hessian, gradient, beta } = set;

  function round(nonzeroOnly: boolean): number {
    let largest = 0;
    for (let j = 0; j < size; j++) {
      const old = beta[j];
      if (nonzeroOnly && old === 0 && j >= free) continue;
      const v = hessian[j * capacity + j];
      if (!(v > 0)) continue;
      const z = gradient[j] + v * old;
      const next = j < free ? z / v : penalty.minimizer(z, v, lambda);
      const delta = next - old;
      if (delta === 0) continue;
      beta[j] = next;
      const at = j * capacity;
      for (let k = 0; k < size; k++) gradient[k] -= delta * hessian[at + k];
      const change = v * delta * delta;
      if (change > largest) largest = change;
    }
    return largest;
  }

  for (let rounds = 1; rounds <= maxRounds; rounds++) {
    if (round(false) <= tolerance) return rounds;
    while (rounds < maxRounds && round(true) > tolerance) rounds += 1;
  }
  return -1;
}
