/**
 * The Cholesky factor of a matrix that gains and loses rows, as a model gains and loses variables: O(k²) for either
 * and no allocation. A is k × k positive definite, A = LLᵀ.
 *
 * Append c, d:  A' = [A c; cᵀ d]  has the new row (wᵀ, √(d − wᵀw)) with w = L⁻¹c.
 * Remove i:     L without row i has one element above the diagonal in each later row; Givens rotations of
 *               neighbouring columns remove them (Golub and Van Loan, section 6.5.4).
 */

import { backSolve, forwardSolve, logDeterminant } from "./linear.js";

export class GrowingCholesky {
  #size = 0;
  /** L, row-major, with `capacity` numbers a row. Read it with the functions of linear.ts and that stride. */
  readonly factor: Float64Array;
  private readonly cosine: Float64Array;
  private readonly sine: Float64Array;

  constructor(readonly capacity: number) {
    this.factor = new Float64Array(capacity * capacity);
    this.cosine = new Float64Array(capacity);
    this.sine = new Float64Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
  }

  /**
   * d − cᵀA⁻¹c, what the candidate row adds to the determinant: its information given the rows already in. The
   * factor is unchanged. `column` holds c in its first `size` numbers.
   */
  pivot(column: ArrayLike<number>, diagonal: number): number {
    const { factor, capacity } = this;
    const k = this.#size;
    if (k === capacity) throw new RangeError(`no room for more than ${capacity} rows`);
    // w is written where the row would go, beyond the part of the factor that is in use.
    const row = k * capacity;
    let rest = diagonal;
    for (let i = 0; i < k; i++) {
      let sum = column[i];
      for (let j = 0; j < i; j++) sum -= factor[i * capacity + j] * factor[row + j];
      const w = sum / factor[i * capacity + i];
      factor[row + i] = w;
      rest -= w * w;
    }
    return rest;
  }

  /**
   * Adds a row and column at the end. Returns false, and changes nothing, when the pivot is within rounding error
   * of zero: the new row is a combination of those already in.
   */
  append(column: ArrayLike<number>, diagonal: number): boolean {
    const pivot = this.pivot(column, diagonal);
    const k = this.#size;
    if (!(pivot > (k + 1) * 2 ** -52 * diagonal && pivot < Number.POSITIVE_INFINITY)) return false;
    this.factor[k * this.capacity + k] = Math.sqrt(pivot);
    this.#size = k + 1;
    return true;
  }

  /** Removes row and column i; those after it move up by one. */
  remove(index: number): void {
    const { factor, capacity, cosine, sine } = this;
    const k = this.#size;
    if (!(index >= 0 && index < k)) throw new RangeError(`there is no row ${index} among ${k}`);
    for (let i = index; i < k - 1; i++) {
      const row = i * capacity;
      const next = row + capacity;
      for (let j = 0; j < index; j++) factor[row + j] = factor[next + j];
      // Row by row instead of rotation by rotation, so that memory is read in order.
      let left = factor[next + index];
      for (let j = index; j < i; j++) {
        const right = factor[next + j + 1];
        factor[row + j] = cosine[j] * left + sine[j] * right;
        left = cosine[j] * right - sine[j] * left;
      }
      const right = factor[next + i + 1];
      const length = Math.sqrt(left * left + right * right);
      cosine[i] = left / length;
      sine[i] = right / length;
      factor[row + i] = length;
    }
    this.#size = k - 1;
  }

  /** x ← L⁻¹x. */
  forwardSolve(x: Float64Array): void {
    forwardSolve(this.factor, this.#size, x, this.capacity);
  }

  /** x ← A⁻¹x. */
  solve(x: Float64Array): void {
    forwardSolve(this.factor, this.#size, x, this.capacity);
    backSolve(this.factor, this.#size, x, this.capacity);
  }

  logDeterminant(): number {
    return logDeterminant(this.factor, this.#size, this.capacity);
  }
}
