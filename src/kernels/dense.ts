/**
 * A positive definite matrix of dozens to hundreds of rows, A = LL', in the kernels' memory, for work of order p³: three
 * to five times as fast as loops over arrays (math/linear.ts). There is one at a time in a thread: who makes another
 * ends the one before, and with it the views that it gave.
 */

import { chainBuffer, chainKernels, Region } from "./chain-memory.js";
import { heldArrays } from "./held-arrays.js";

const region = new Region();
const arraysOf = (n: number) => ({ n, ...heldArrays(region, { sums: 16, a: n * n, b: n * n, c: n * n }) });
let held: ReturnType<typeof arraysOf> | undefined;
/** A pivot below this fraction of its diagonal element, for every row, is rounding error, not information. */
const SINGULAR = 2 ** -52;
/** Rows come in fours; those behind the last are of the identity. */
const FOUR = 4;

/** Row-major, `stride` numbers from one row to the next. */
export interface DenseView {
  readonly values: Float64Array;
  readonly stride: number;
}

/** Rows of an inverse that wait for their turn. */
export interface WaitingRows extends DenseView {
  /** Rows and columns behind t lose `share` times the square of row t. */
  loseSquare(t: number, share: number): void;
}

export interface DenseFactor {
  readonly logDeterminant: number;
  /** Those of A⁻¹ in this order, above the diagonal. */
  inverseOf(order: ArrayLike<number>): WaitingRows;
  /**
   * W = L⁻ᵀB', above the diagonal, for a lower triangle B, of which `fill` writes row after row; and WW'. So if BB' is
   * from a Wishart law of the identity, WW' is from that of A⁻¹.
   */
  squareWith(fill: (row: Float64Array, i: number) => void): {
    readonly root: DenseView;
    readonly square: DenseView;
  };
}

/** Of A = S + diag d, whose lower triangle is read; undefined where that is not positive definite to working precision. */
export function denseFactor(squares: Float64Array, plus: ArrayLike<number>): DenseFactor | undefined {
  const p = plus.length;
  const n = FOUR * Math.ceil(p / FOUR);
  const stride = 8 * n;
  const kernels = chainKernels();
  if (held?.n !== n || held.values.a.buffer !== chainBuffer()) held = arraysOf(n);
  const { at, values } = held;
  for (let i = 0; i < p; i++) {
    values.a.set(squares.subarray(i * p, i * p + i + 1), i * n);
    values.a[i * n + i] += plus[i];
  }
  for (let i = p; i < n; i++) identityRow(values.a, i, n);
  if (!kernels.factoriseDense(at.a, stride, n, p * SINGULAR, at.sums)) return undefined;
  let halfVolume = 0;
  for (let i = 0; i < p; i++) halfVolume += Math.log(values.a[i * n + i]);

  /** L⁻ᵀ, into b. */
  const invert = (): void => {
    for (let i = 0; i < n; i++) identityRow(values.b, i, n);
    kernels.solveDense(at.b, at.a, stride, n, at.sums);
  };
  return {
    logDeterminant: 2 * halfVolume,
    inverseOf(order) {
      invert();
      kernels.squareDense(at.c, at.b, stride, n, at.sums);
      const count = order.length;
      for (let t = 0; t < count; t++) {
        const from = order[t] * n;
        for (let u = t; u < count; u++) values.b[t * n + u] = values.c[from + order[u]];
        values.b.fill(0, t * n + count, (t + 1) * n);
      }
      const width = FOUR * Math.ceil(count / FOUR);
      return {
        values: values.b,
        stride: n,
        loseSquare: (t, share) => kernels.lessSquareDense(at.b, stride, t, width, share),
      };
    },
    squareWith(fill) {
      invert();
      for (let i = 0; i < n; i++) identityRow(values.c, i, n);
      for (let i = 0; i < p; i++) fill(values.c.subarray(i * n, i * n + i + 1), i);
      kernels.multiplyDense(at.a, at.b, at.c, stride, n, at.sums);
      kernels.squareDense(at.c, at.a, stride, n, at.sums);
      return { root: { values: values.a, stride: n }, square: { values: values.c, stride: n } };
    },
  };
}

function identityRow(values: Float64Array, i: number, n: number): void {
  values.fill(0, i * n, (i + 1) * n);
  values[i * n + i] = 1;
}
