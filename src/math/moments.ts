/**
 * Running mean and variance in one pass, with weights, and mergeable across chunks, chains and workers:
 *
 *     W ← W + w,  δ = x − m,  m ← m + (w/W)δ,  S ← S + wδ(x − m)
 *
 * (Welford 1962, West 1979; two sets merge by Chan, Golub and LeVeque 1983.) Nothing is squared before it is
 * centred, so a mean that is large beside the deviation costs no digits.
 */
export class Moments {
  /** Σw: the count, when every weight is 1. */
  weight = 0;
  /** Σw². */
  squaredWeight = 0;
  mean = 0;
  /** Σw(x − mean)². */
  scatter = 0;

  add(x: number, weight = 1): void {
    if (weight === 0) return;
    this.weight += weight;
    this.squaredWeight += weight * weight;
    const delta = x - this.mean;
    this.mean += (weight / this.weight) * delta;
    this.scatter += weight * delta * (x - this.mean);
  }

  /** As if everything that `other` has seen had been added here. */
  merge(other: Readonly<MomentSums>): void {
    if (other.weight === 0) return;
    const delta = other.mean - this.mean;
    const weight = this.weight + other.weight;
    this.mean += (other.weight / weight) * delta;
    this.scatter += other.scatter + delta * delta * this.weight * (other.weight / weight);
    this.weight = weight;
    this.squaredWeight += other.squaredWeight;
  }

  /**
   * The unbiased variance, S / (W − Σw²/W); NaN for fewer than two observations. With unit weights it divides by
   * n − 1. Weights are taken as reliabilities (importance weights), so their scale does not matter.
   */
  get variance(): number {
    const freedom = this.weight - this.squaredWeight / this.weight;
    return freedom > 0 ? this.scatter / freedom : Number.NaN;
  }

  get deviation(): number {
    return Math.sqrt(this.variance);
  }

  /** Kish's effective number of observations, (Σw)² / Σw². */
  get effectiveCount(): number {
    return this.weight === 0 ? 0 : this.weight ** 2 / this.squaredWeight;
  }
}

/** What two sets need to be merged: also what crosses a thread, where a class loses its methods. */
export type MomentSums = Pick<Moments, "weight" | "squaredWeight" | "mean" | "scatter">;
