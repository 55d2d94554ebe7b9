/**
 * The rows of W = L⁻¹A_{S,·} one after the other in one array, with the entry of the target at the end of each: L' stands
 * in the columns of the members. Loops along one array take half the time of loops along many.
 */
export class FactorRows {
  /** Numbers from one row to the next. */
  readonly stride: number;
  count = 0;
  values: Float64Array;

  /** There is room for so many rows to begin with. */
  constructor(size: number, rows = ROOM) {
    this.stride = size + 1;
    this.values = new Float64Array(rows * this.stride);
  }

  /** Where the next row begins, with room for it. */
  next(): number {
    const start = this.count * this.stride;
    if (start + this.stride > this.values.length) {
      const grown = new Float64Array(2 * this.values.length);
      grown.set(this.values);
      this.values = grown;
    }
    return start;
  }

  /**
   * Takes the rows out of the one that begins here, each as often as its entry in this column says. Entries before the
   * first are left alone.
   */
  subtractFrom(start: number, column: number, first = 0): void {
    const { values, stride, count } = this;
    const end = start + stride;
    let row = 0;
    // Four at a time spare the memory.
    for (; row + 4 * stride <= count * stride; row += 4 * stride) {
      const [a, b] = [values[row + column], values[row + stride + column]];
      const [c, d] = [values[row + 2 * stride + column], values[row + 3 * stride + column]];
      for (let to = start + first, from = row + first; to < end; to++, from++) {
        values[to] =
          values[to] -
          a * values[from] -
          b * values[from + stride] -
          c * values[from + 2 * stride] -
          d * values[from + 3 * stride];
      }
    }
    for (; row < count * stride; row += stride) {
      const a = values[row + column];
      for (let to = start + first, from = row + first; to < end; to++, from++) values[to] -= a * values[from];
    }
  }

  /** Turns row i and the one below so that the lower one is zero in this column. */
  rotate(i: number, column: number): void {
    const { values, stride } = this;
    const start = i * stride;
    const [a, b] = [values[start + column], values[start + stride + column]];
    const h = Math.sqrt(a * a + b * b);
    const [c, s] = [a / h, b / h];
    const end = start + stride;
    for (let at = start; at < end; at++) {
      const upper = values[at];
      const lower = values[at + stride];
      values[at] = c * upper + s * lower;
      values[at + stride] = c * lower - s * upper;
    }
  }

  /** L by itself, row-major. */
  lower(members: readonly number[]): Float64Array {
    const k = members.length;
    const factor = new Float64Array(k * k);
    for (let c = 0; c < k; c++) {
      for (let r = c; r < k; r++) factor[r * k + c] = this.values[c * this.stride + members[r]];
    }
    return factor;
  }

  /** L⁻¹b: the entries of the target. */
  target(): Float64Array {
    const target = new Float64Array(this.count);
    for (let r = 0; r < this.count; r++) target[r] = this.values[(r + 1) * this.stride - 1];
    return target;
  }
}

const ROOM = 8;

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
