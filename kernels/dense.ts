// Symmetric matrices of a few hundred rows in float64: factors, inverses and products of triangles, as src/kernels/dense.ts
// asks for them. Rows are `stride` bytes apart and a multiple of four in number; `sums` is room for sixteen numbers.
import { total } from "./lanes";

// @ts-ignore: decorator
@inline
function times(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

// The products of rows x and y with four rows from p on, over n numbers, an even number: six loads feed eight of them.
function tile(out: usize, x: usize, y: usize, p: usize, stride: usize, n: i32): void {
  const q = p + stride, r = q + stride, s = r + stride;
  let a = f64x2.splat(0), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (let k: usize = 0, end = <usize>n << 3; k < end; k += 16) {
    const xi = v128.load(x + k), yi = v128.load(y + k);
    let w = v128.load(p + k);
    a = times(a, xi, w);
    e = times(e, yi, w);
    w = v128.load(q + k);
    b = times(b, xi, w);
    f = times(f, yi, w);
    w = v128.load(r + k);
    c = times(c, xi, w);
    g = times(g, yi, w);
    w = v128.load(s + k);
    d = times(d, xi, w);
    h = times(h, yi, w);
  }
  store<f64>(out, total(a));
  store<f64>(out, total(b), 8);
  store<f64>(out, total(c), 16);
  store<f64>(out, total(d), 24);
  store<f64>(out, total(e), 32);
  store<f64>(out, total(f), 40);
  store<f64>(out, total(g), 48);
  store<f64>(out, total(h), 56);
}

// Columns j … j + 3 of a row of L⁻¹x, once the products with all columns before them have been taken.
// @ts-ignore: decorator
@inline
function solveFour(x: usize, lower: usize, stride: usize, products: usize): void {
  for (let c: usize = 0; c < 4; c++) {
    const row = lower + c * stride;
    let value = load<f64>(x + (c << 3)) - load<f64>(products + (c << 3));
    for (let b: usize = 0; b < c; b++) value -= load<f64>(row + (b << 3)) * load<f64>(x + (b << 3));
    store<f64>(x + (c << 3), value / load<f64>(row + (c << 3)));
  }
}

// x ← L⁻¹x for two rows x that are zero before column `first`, up to column `end`, both multiples of four.
function solveTwo(x: usize, y: usize, lower: usize, stride: usize, first: i32, end: i32, sums: usize): void {
  const start = <usize>first << 3;
  for (let j = first; j < end; j += 4) {
    const at = <usize>j << 3;
    const rows = lower + <usize>j * stride;
    tile(sums, x + start, y + start, rows + start, stride, j - first);
    solveFour(x + at, rows + at, stride, sums);
    solveFour(y + at, rows + at, stride, sums + 32);
  }
}

// The factor L of A = LL' over the lower triangle of A; what is above is left alone. Whether every pivot is more than
// `least` of its diagonal element: else A is not positive definite to working precision, and spoilt.
export function factoriseDense(a: usize, stride: usize, n: i32, least: f64, sums: usize): bool {
  for (let i = 0; i < n; i += 4) {
    const row = a + <usize>i * stride;
    solveTwo(row, row + stride, a, stride, 0, i, sums);
    solveTwo(row + 2 * stride, row + 3 * stride, a, stride, 0, i, sums);
    tile(sums, row, row + stride, row, stride, i);
    tile(sums + 64, row + 2 * stride, row + 3 * stride, row, stride, i);
    for (let c: usize = 0; c < 4; c++) {
      const own = row + c * stride + (<usize>i << 3);
      for (let b: usize = 0; b <= c; b++) {
        const other = row + b * stride + (<usize>i << 3);
        const diagonal = load<f64>(own + (b << 3));
        let value = diagonal - load<f64>(sums + ((4 * c + b) << 3));
        for (let k: usize = 0; k < b; k++) value -= load<f64>(own + (k << 3)) * load<f64>(other + (k << 3));
        if (b < c) value /= load<f64>(other + (b << 3));
        else if (value > least * diagonal && value < Infinity) value = Math.sqrt(value);
        else return false;
        store<f64>(own + (b << 3), value);
      }
    }
  }
  return true;
}

// Every row x of a matrix becomes L⁻¹x, where row i is zero before column i: of the identity that is the transpose of L⁻¹.
export function solveDense(x: usize, lower: usize, stride: usize, n: i32, sums: usize): void {
  for (let i = 0; i < n; i += 2) {
    const row = x + <usize>i * stride;
    solveTwo(row, row + stride, lower, stride, i & ~3, n, sums);
  }
}

// @ts-ignore: decorator
@inline
function copyFour(out: usize, from: usize): void {
  v128.store(out, v128.load(from));
  v128.store(out, v128.load(from, 16), 16);
}

// XY' for X above the diagonal and Y below it, which is above the diagonal as X is.
export function multiplyDense(out: usize, x: usize, y: usize, stride: usize, n: i32, sums: usize): void {
  for (let i = 0; i < n; i += 2) {
    const first = i & ~3;
    const start = <usize>first << 3;
    const row = <usize>i * stride;
    for (let j = first; j < n; j += 4) {
      const left = x + row + start;
      tile(sums, left, left + stride, y + <usize>j * stride + start, stride, j + 4 - first);
      const at = out + row + (<usize>j << 3);
      copyFour(at, sums);
      copyFour(at + stride, sums + 32);
    }
  }
}

// XX' for X above the diagonal, whole.
export function squareDense(out: usize, x: usize, stride: usize, n: i32, sums: usize): void {
  for (let i = 0; i < n; i += 2) {
    const start = <usize>(i & ~3) << 3;
    const row = <usize>i * stride;
    for (let j = 0; j <= i; j += 4) {
      const left = x + row + start;
      tile(sums, left, left + stride, x + <usize>j * stride + start, stride, n - (i & ~3));
      let at = out + row + (<usize>j << 3);
      copyFour(at, sums);
      copyFour(at + stride, sums + 32);
      at = out + <usize>j * stride + (<usize>i << 3);
      for (let c: usize = 0; c < 4; c++, at += stride) {
        store<f64>(at, load<f64>(sums + (c << 3)));
        store<f64>(at, load<f64>(sums + (c << 3), 32), 8);
      }
    }
  }
}

// The rows and columns behind row t of a symmetric matrix, above the diagonal, less `share` times the square of what row
// t holds there.
export function lessSquareDense(a: usize, stride: usize, t: i32, n: i32, share: f64): void {
  const row = a + <usize>t * stride;
  const end = <usize>n << 3;
  for (let i = t + 1; i < n; i++) {
    const own = a + <usize>i * stride;
    let k = <usize>i << 3;
    const times = share * load<f64>(row + k);
    if (i & 1) {
      store<f64>(own + k, load<f64>(own + k) - times * load<f64>(row + k));
      k += 8;
    }
    const factor = f64x2.splat(times);
    for (; k < end; k += 16) {
      v128.store(own + k, f64x2.sub(v128.load(own + k), f64x2.mul(factor, v128.load(row + k))));
    }
  }
}
