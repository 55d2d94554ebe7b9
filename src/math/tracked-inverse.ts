/**
 * The inverse of a symmetric matrix A and the solution of Ax = b, kept up while A grows or loses a row and column: O(k²)
 * each, where working them out takes O(k³). Rounding piles up, so whoever uses it works it out anew now and then.
 */
export class TrackedInverse {
  size = 0;
  /** The lower triangle of A⁻¹, row-major, `stride` numbers from one row to the next. */
  private values = new Float64Array(16 * 16);
  private stride = 16;
  /** A⁻¹b. */
  solution = new Float64Array(16);
  private column = new Float64Array(16);
  private w = new Float64Array(16);

  at(a: number, b: number): number {
    return this.values[Math.max(a, b) * this.stride + Math.min(a, b)];
  }

  /**
   * A gets a last column c, of which its pivot d = a − c'A⁻¹c is known, and b a last entry, of which the score
   * u = b − c'A⁻¹b is. With w = A⁻¹c the inverse becomes A⁻¹ + ww'/d, bordered by −w/d and 1/d; the solution loses
   * w·u/d and gets u/d.
   */
  border(c: (i: number) => number, d: number, u: number): void {
    const k = this.size;
    if (k === this.stride) this.grow();
    const { values, stride, column, w, solution } = this;
    for (let a = 0; a < k; a++) column[a] = c(a);
    // Every entry below the diagonal stands for the one above it, too.
    for (let a = 0, row = 0; a < k; a++, row += stride) {
      const value = column[a];
      let sum = values[row + a] * value;
      for (let b = 0; b < a; b++) {
        const entry = values[row + b];
        sum += entry * column[b];
        w[b] += entry * value;
      }
      w[a] = sum;
    }
    const last = k * stride;
    for (let a = 0, row = 0; a < k; a++, row += stride) {
      const share = w[a] / d;
      for (let b = 0; b <= a; b++) values[row + b] += share * w[b];
      values[last + a] = -share;
      solution[a] -= share * u;
    }
    values[last + k] = 1 / d;
    solution[k] = u / d;
    this.size = k + 1;
  }

  /** A loses row and column i: the rest of A⁻¹ loses its part along them. */
  shrink(i: number): void {
    const { values, stride, w, solution, size: k } = this;
    const pivot = this.at(i, i);
    const own = solution[i];
    for (let b = 0; b < k; b++) w[b] = this.at(i, b);
    for (let a = 0; a < i; a++) {
      const share = w[a] / pivot;
      const row = a * stride;
      for (let b = 0; b <= a; b++) values[row + b] -= share * w[b];
      solution[a] -= share * own;
    }
    // Rows below move up by one, and what stands right of the column moves to the left.
    for (let a = i + 1; a < k; a++) {
      const share = w[a] / pivot;
      const row = a * stride;
      const to = row - stride;
      for (let b = 0; b < i; b++) values[to + b] = values[row + b] - share * w[b];
      for (let b = i + 1; b <= a; b++) values[to + b - 1] = values[row + b] - share * w[b];
      solution[a - 1] = solution[a] - share * own;
    }
    this.size = k - 1;
  }

  private grow(): void {
    const { values, stride, size, solution } = this;
    this.stride = 2 * stride;
    this.values = new Float64Array(this.stride ** 2);
    this.column = new Float64Array(this.stride);
    this.w = new Float64Array(this.stride);
    this.solution = new Float64Array(this.stride);
    this.solution.set(solution);
    for (let a = 0; a < size; a++) {
      this.values.set(values.subarray(a * stride, a * stride + size), a * this.stride);
    }
  }
}
