/** Σw, Σw(x − c) and Σw(x − c)(x − c)' of rows, about a centre c near them, so that tight clusters lose no digits. */

import type { Rows } from "../../types.js";

export class Sums {
  count = 0;
  readonly centre: Float64Array;
  readonly first: Float64Array;
  /** Row after row; of the off-diagonal numbers only those below the diagonal, and none where they are not asked for. */
  readonly second: Float64Array;
  private readonly difference: Float64Array;

  constructor(
    readonly d: number,
    private readonly full: boolean,
  ) {
    this.centre = new Float64Array(d);
    this.first = new Float64Array(d);
    this.second = new Float64Array(d * d);
    this.difference = new Float64Array(d);
  }

  clear(centre: Float64Array): void {
    this.count = 0;
    this.centre.set(centre);
    this.first.fill(0);
    this.second.fill(0);
  }

  add(weight: number, values: Rows["values"], at: number): void {
    const { d, full, centre, first, second, difference } = this;
    this.count += weight;
    for (let i = 0; i < d; i++) {
      const e = values[at + i] - centre[i];
      difference[i] = e;
      const we = weight * e;
      first[i] += we;
      second[i * d + i] += we * e;
      if (full) for (let j = 0; j < i; j++) second[i * d + j] += we * difference[j];
    }
  }

  /** What the rows are worth about another centre: out += Σw(x − m)(x − m)', its lower triangle. */
  addAbout(out: Float64Array, mean: Float64Array): void {
    const { d, full, count, centre, first, second } = this;
    for (let i = 0; i < d; i++) {
      const a = mean[i] - centre[i];
      for (let j = full ? 0 : i; j <= i; j++) {
        const b = mean[j] - centre[j];
        out[i * d + j] += second[i * d + j] - a * first[j] - b * first[i] + count * a * b;
      }
    }
  }
}
