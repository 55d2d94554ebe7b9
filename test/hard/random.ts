/** Random numbers of the hard designs: their own, so that data and truth depend on nothing else. */

export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** Small fast counter (Doty-Humphrey), 32 bits. */
  constructor(seed: number) {
    [this.a, this.b, this.c] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0];
    for (let i = 0; i < 20; i++) this.next();
  }

  private next(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  /** In (0, 1). */
  uniform(): number {
    return (this.next() + 0.5) / 2 ** 32;
  }

  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Of mean 1 and variance 1/shape, for a whole or half shape: a sum of squares. */
  gamma(shape: number): number {
    let sum = 0;
    for (let i = 0; i < 2 * shape; i++) sum += this.normal() ** 2;
    return sum / (2 * shape);
  }

  poisson(mean: number): number {
    // In pieces, so that the exponential does not underflow.
    if (mean > 30) return this.poisson(30) + this.poisson(mean - 30);
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.uniform(); product > limit; product *= this.uniform()) count += 1;
    return count;
  }

  bernoulli(eta: number): number {
    return this.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
  }

  /** `count` different whole numbers below n. */
  some(count: number, n: number): number[] {
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(this.below(n));
    return [...chosen];
  }
}
