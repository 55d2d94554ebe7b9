import { chainKernels } from "./chain-memory.js";
import { Desk, type Owner } from "./desk.js";

const desk = new Desk();

/** Rows that there is room for to begin with. */
const ROOM = 16;
/** Vectors in front of the matrix: a column, room for a product, and the solution. */
const VECTORS = 3;

/**
 * The inverse of a symmetric matrix A and the solution of Ax = b, kept up while A grows or loses a row and column: O(k²)
 * each, where working them out takes O(k³). Rounding piles up, so whoever uses it works it out anew now and then.
 */
export class TrackedInverse implements Owner {
  size = 0;
  away: Float64Array | undefined;
  /** Of the lower triangle of A⁻¹, row-major: numbers from one row to the next. */
  private stride = ROOM;

  get used(): number {
    return this.stride * (VECTORS + this.size);
  }

  at(a: number, b: number): number {
    return this.numbers()[this.stride * (VECTORS + Math.max(a, b)) + Math.min(a, b)];
  }

  /** A⁻¹b, until another inverse is asked for. */
  get solution(): Float64Array {
    return this.numbers().subarray(2 * this.stride, 2 * this.stride + this.size);
  }

  /**
   * A gets a last column c, of which its pivot d = a − c'A⁻¹c is known, and b a last entry, of which the score
   * u = b − c'A⁻¹b is. With w = A⁻¹c the inverse becomes A⁻¹ + ww'/d, bordered by −w/d and 1/d; the solution loses
   * w·u/d and gets u/d.
   */
  border(c: (i: number) => number, d: number, u: number): void {
    const k = this.size;
    if (k === this.stride) this.grow();
    const numbers = this.numbers();
    for (let a = 0; a < k; a++) numbers[a] = c(a);
    const [column, w, solution, matrix, bytes] = this.places();
    chainKernels().borderInverse(matrix, bytes, k, column, w, solution, d, u);
    this.size = k + 1;
  }

  /** A loses row and column i: the rest of A⁻¹ loses its part along them. */
  shrink(i: number): void {
    this.numbers();
    const [, w, solution, matrix, bytes] = this.places();
    chainKernels().shrinkInverse(matrix, bytes, this.size, i, w, solution);
    this.size -= 1;
  }

  /** Nobody will ask for it again: it need not be put away. */
  forget(): void {
    desk.forget(this);
    this.size = 0;
  }

  private numbers(): Float64Array {
    return desk.of(this, this.stride * (VECTORS + this.stride));
  }

  /** In bytes; the last is from one row to the next. */
  private places(): number[] {
    const bytes = 8 * this.stride;
    const first = desk.pointer;
    return [first, first + bytes, first + 2 * bytes, first + VECTORS * bytes, bytes];
  }

  private grow(): void {
    const { stride, used } = this;
    const before = this.numbers().slice(0, used);
    this.stride = 2 * stride;
    const numbers = this.numbers();
    for (let from = 0, to = 0; from < used; from += stride, to += 2 * stride) {
      numbers.set(before.subarray(from, from + stride), to);
    }
  }
}
