/** Numbers as they come, one for each row, whether or not it is known beforehand how many there will be. */
export class GrowingNumbers {
  private values: Float64Array;
  private length = 0;

  constructor(expected = 4096) {
    this.values = new Float64Array(Math.max(1, expected));
  }

  push(value: number): void {
    this.makeRoom(1);
    this.values[this.length++] = value;
  }

  append(values: Float64Array): void {
    this.makeRoom(values.length);
    this.values.set(values, this.length);
    this.length += values.length;
  }

  private makeRoom(more: number): void {
    if (this.length + more <= this.values.length) return;
    const longer = new Float64Array(Math.max(2 * this.values.length, this.length + more));
    longer.set(this.values);
    this.values = longer;
  }

  all(): Float64Array {
    return this.length === this.values.length ? this.values : this.values.slice(0, this.length);
  }
}
