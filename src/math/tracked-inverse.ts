/**
 * The inverse of a symmetric matrix A, kept up while A grows or loses a row and column: O(k²) each, where working it
 * out takes O(k³). Rounding piles up, so whoever uses it works it out anew now and then.
 */
export class TrackedInverse {
  size = 0;
  /** Row-major, `stride` numbers from one row to the next. */
  private values = new Float64Array(16 * 16);
  private stride = 16;
  private w = new Float64Array(16);

  at(a: number, b: number): number {
    return this.values[a * this.stride + b];
  }

  /**
   * A gets a last column c, of which its pivot d = a − c'A⁻¹c is known. With w = A⁻¹c the inverse becomes
   * A⁻¹ + ww'/d, bordered by −w/d and 1/d.
   */
  border(c: (i: number) => number, d: number): void {
    const k = this.size;
    if (k === this.stride) this.grow();
    const { values, stride, w } = this;
    w.fill(0, 0, k);
    for (let b = 0; b < k; b++) {
      const value = c(b);
      for (let a = 0; a < k; a++) w[a] += value * values[b * stride + a];
    }
    for (let a = 0; a < k; a++) {
      const share = w[a] / d;
      for (let b = 0; b < k; b++) values[a * stride + b] += share * w[b];
      values[a * stride + k] = -share;
      values[k * stride + a] = -share;
    }
    values[k * stride + k] = 1 / d;
    this.size = k + 1;
  }

  /** A loses row and column i: the rest of A⁻¹ loses its part along them. */
  shrink(i: number): void {
    const { values, stride, w, size: k } = this;
    const pivot = values[i * stride + i];
    for (let b = 0; b < k; b++) w[b] = values[i * stride + b];
    for (let a = 0, to = 0; a < k; a++) {
      if (a === i) continue;
      const share = w[a] / pivot;
      for (let b = 0, at = to * stride; b < k; b++) {
        if (b !== i) values[at++] = values[a * stride + b] - share * w[b];
      }
      to += 1;
    }
    this.size = k - 1;
  }

  private grow(): void {
    const { values, stride, size } = this;
    this.stride = 2 * stride;
    this.values = new Float64Array(this.stride ** 2);
    this.w = new Float64Array(this.stride);
    for (let a = 0; a < size; a++) {
      this.values.set(values.subarray(a * stride, a * stride + size), a * this.stride);
    }
  }
}
