/** Numbers as they come, one for each row, whether or not it is known beforehand how many there will be. */
export class GrowingNumbers {
  private values: Float64Array;
  private length = 0;

  constructor(expected = 4096) {
    this.values = new Float64Array(Math.max(1, expected));
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Float64Array(2 * this.length);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[this.length++] = value;
  }

  all(): Float64Array {
    return this.length === this.values.length ? this.values : this.values.slice(0, this.length);
  }
}
