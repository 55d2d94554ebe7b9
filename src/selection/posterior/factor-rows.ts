import { chainKernels } from "../../kernels/chain-memory.js";
import { Desk, type Owner } from "../../kernels/desk.js";

const desk = new Desk();

/**
 * The rows of W = L⁻¹A_{S,·} one after the other, with the entry of the target at the end of each: L' stands in the
 * columns of the members. Those that are being worked with lie where the kernels find them; there is a place for one
 * such set, and others are put away until they are asked for again.
 */
export class FactorRows implements Owner {
  /** Numbers from one row to the next. */
  readonly stride: number;
  count = 0;
  away: Float64Array | undefined;

  constructor(size: number) {
    this.stride = size + 1;
  }

  /** All rows, until another row, those of somebody else or more room for anybody is asked for. */
  get values(): Float64Array {
    return this.atHand(this.count);
  }

  /** Where the next row begins, with room for it. */
  next(): number {
    this.atHand(this.count + 1);
    return this.count * this.stride;
  }

  /**
   * Takes the rows out of the one that begins here, each as often as its entry in this column says. Entries before the
   * first are left alone.
   */
  subtractFrom(start: number, column: number, first = 0): void {
    this.atHand(this.count + 1);
    const [rows, bytes] = [desk.pointer, 8 * this.stride];
    chainKernels().subtractRows(rows + 8 * start, rows, bytes, this.count, 8 * column, 8 * first, bytes);
  }

  /**
   * Rows behind the first k are those of G with the entry of the target at the end; the first k become L⁻¹A, A = G + ρI.
   * No pivot will be smaller than the least.
   */
  factor(k: number, ridge: number, least: number): void {
    this.atHand(this.count);
    const [rows, bytes] = [desk.pointer, 8 * this.stride];
    chainKernels().factorRows(rows, rows + k * bytes, bytes, k, ridge, least);
  }

  /** Turns row i and the one below so that the lower one is zero in this column. */
  rotate(i: number, column: number): void {
    this.atHand(this.count);
    const bytes = 8 * this.stride;
    chainKernels().rotateRows(desk.pointer + i * bytes, bytes, 8 * column);
  }

  /** Nobody will ask for these rows again: they need not be put away. */
  forget(): void {
    desk.forget(this);
    this.count = 0;
  }

  get used(): number {
    return this.count * this.stride;
  }

  private atHand(rows: number): Float64Array {
    return desk.of(this, rows * this.stride);
  }

  /** L by itself, row-major. */
  lower(members: readonly number[]): Float64Array {
    const k = members.length;
    const { values, stride } = this;
    const factor = new Float64Array(k * k);
    for (let c = 0; c < k; c++) {
      for (let r = c; r < k; r++) factor[r * k + c] = values[c * stride + members[r]];
    }
    return factor;
  }

  /** L⁻¹b: the entries of the target, of the first rows. */
  target(count = this.count): Float64Array {
    const { values, stride } = this;
    const target = new Float64Array(count);
    for (let r = 0; r < count; r++) target[r] = values[(r + 1) * stride - 1];
    return target;
  }
}

/** The diagonal of A⁻¹, A = LL': (A⁻¹)_ii is the squared length of column i of L⁻¹. */
export function inverseDiagonal(lower: Float64Array, k: number): Float64Array {
  const diagonal = new Float64Array(k);
  const x = new Float64Array(k);
  for (let i = 0; i < k; i++) {
    x[i] = 1 / lower[i * k + i];
    diagonal[i] = x[i] * x[i];
    for (let r = i + 1; r < k; r++) {
      let sum = 0;
      for (let c = i; c < r; c++) sum += lower[r * k + c] * x[c];
      x[r] = -sum / lower[r * k + r];
      diagonal[i] += x[r] * x[r];
    }
  }
  return diagonal;
}
