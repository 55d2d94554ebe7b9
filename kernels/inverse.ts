// A⁻¹, its lower triangle, and the solution of Ax = b while A gains or loses a row and column, two columns at a time in
// float64: see src/kernels/tracked-inverse.ts. Rows of the matrix are `stride` bytes apart.
import { total } from "./lanes";

// y += a·x, the first n numbers of both.
// @ts-ignore: decorator
@inline
function axpy(y: usize, a: f64, x: usize, n: usize): void {
  const factor = f64x2.splat(a);
  const paired = (n & ~1) << 3;
  let i: usize = 0;
  for (; i < paired; i += 16) v128.store(y + i, f64x2.add(v128.load(y + i), f64x2.mul(factor, v128.load(x + i))));
  if (n & 1) store<f64>(y + i, load<f64>(y + i) + a * load<f64>(x + i));
}

// out = x − a·y, the first n numbers; out may begin before x.
// @ts-ignore: decorator
@inline
function minus(out: usize, x: usize, a: f64, y: usize, n: usize): void {
  const factor = f64x2.splat(a);
  const paired = (n & ~1) << 3;
  let i: usize = 0;
  for (; i < paired; i += 16) v128.store(out + i, f64x2.sub(v128.load(x + i), f64x2.mul(factor, v128.load(y + i))));
  if (n & 1) store<f64>(out + i, load<f64>(x + i) - a * load<f64>(y + i));
}

// A gets a last column, of which `column` holds the first k entries; d is its pivot and u its score. Room for k numbers
// is at w.
export function borderInverse(
  matrix: usize, stride: usize, k: i32, column: usize, w: usize, solution: usize, d: f64, u: f64,
): void {
  const n = <usize>k;
  let row = matrix;
  // w = A⁻¹c: every entry below the diagonal stands for the one above it, too.
  for (let a: usize = 0; a < n; a++, row += stride) {
    const value = load<f64>(column + (a << 3));
    const factor = f64x2.splat(value);
    const paired = (a & ~1) << 3;
    let sums = f64x2.splat(0);
    let i: usize = 0;
    for (; i < paired; i += 16) {
      const entry = v128.load(row + i);
      sums = f64x2.add(sums, f64x2.mul(entry, v128.load(column + i)));
      v128.store(w + i, f64x2.add(v128.load(w + i), f64x2.mul(entry, factor)));
    }
    let sum = total(sums) + load<f64>(row + (a << 3)) * value;
    if (a & 1) {
      const entry = load<f64>(row + i);
      sum += entry * load<f64>(column + i);
      store<f64>(w + i, load<f64>(w + i) + entry * value);
    }
    store<f64>(w + (a << 3), sum);
  }
  row = matrix;
  const last = matrix + n * stride;
  for (let a: usize = 0; a < n; a++, row += stride) {
    const share = load<f64>(w + (a << 3)) / d;
    axpy(row, share, w, a + 1);
    store<f64>(last + (a << 3), -share);
    store<f64>(solution + (a << 3), load<f64>(solution + (a << 3)) - share * u);
  }
  store<f64>(last + (n << 3), 1 / d);
  store<f64>(solution + (n << 3), u / d);
}

// A, of k rows, loses row and column i.
export function shrinkInverse(matrix: usize, stride: usize, k: i32, i: i32, w: usize, solution: usize): void {
  const n = <usize>k, gone = <usize>i;
  const own = matrix + gone * stride;
  for (let b: usize = 0; b <= gone; b++) store<f64>(w + (b << 3), load<f64>(own + (b << 3)));
  for (let b = gone + 1; b < n; b++) store<f64>(w + (b << 3), load<f64>(matrix + b * stride + (gone << 3)));
  const pivot = load<f64>(w + (gone << 3));
  const known = load<f64>(solution + (gone << 3));
  let row = matrix;
  for (let a: usize = 0; a < gone; a++, row += stride) {
    const share = load<f64>(w + (a << 3)) / pivot;
    axpy(row, -share, w, a + 1);
    store<f64>(solution + (a << 3), load<f64>(solution + (a << 3)) - share * known);
  }
  row += stride;
  // Rows below move up by one, and what stands right of the column moves to the left.
  for (let a = gone + 1; a < n; a++, row += stride) {
    const share = load<f64>(w + (a << 3)) / pivot;
    const to = row - stride;
    const right = (gone + 1) << 3;
    minus(to, row, share, w, gone);
    minus(to + right - 8, row + right, share, w + right, a - gone);
    store<f64>(solution + ((a - 1) << 3), load<f64>(solution + (a << 3)) - share * known);
  }
}
