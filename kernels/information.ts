// What a Newton step asks of the columns of a model: sums of products of all of them with a residual, and of each with all
// others by the weights of rows, in float64. Some rows at a time are widened once and stay near; a tile of two by four
// sums in registers then takes six loads for eight products. Twice as fast as exactDots for each column.
import { loadWide, loadWideOne, total } from "./lanes";

// Rows that are widened together, an even number.
const NEAR: i32 = 256;

// @ts-ignore: decorator
@inline
function addTo(out: usize, value: v128): void {
  store<f64>(out, load<f64>(out) + total(value));
}

// @ts-ignore: decorator
@inline
function times(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

// out = x in float64, up to an even number with a zero
function widen(out: usize, x: usize, n: i32): void {
  let i = 0;
  for (; i + 2 <= n; i += 2) v128.store(out + (<usize>i << 3), loadWide(x + (<usize>i << 2)));
  if (i < n) v128.store(out + (<usize>i << 3), loadWideOne(x + (<usize>i << 2)));
}

function product(out: usize, x: usize, w: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 16) {
    v128.store(out + k, f64x2.mul(v128.load(x + k), v128.load(w + k)));
  }
}

// Σa·p and Σb·p of the four columns from p on, `step` bytes apart
function tile4(a: usize, b: usize, p: usize, step: usize, bytes: usize, toA: usize, toB: usize): void {
  const q = p + step, r = q + step, s = r + step;
  let A = f64x2.splat(0), B = A, C = A, D = A, E = A, F = A, G = A, H = A;
  for (let k: usize = 0; k < bytes; k += 16) {
    const ai = v128.load(a + k), bi = v128.load(b + k);
    let x = v128.load(p + k);
    A = times(A, ai, x);
    E = times(E, bi, x);
    x = v128.load(q + k);
    B = times(B, ai, x);
    F = times(F, bi, x);
    x = v128.load(r + k);
    C = times(C, ai, x);
    G = times(G, bi, x);
    x = v128.load(s + k);
    D = times(D, ai, x);
    H = times(H, bi, x);
  }
  addTo(toA, A);
  addTo(toA + 8, B);
  addTo(toA + 16, C);
  addTo(toA + 24, D);
  addTo(toB, E);
  addTo(toB + 8, F);
  addTo(toB + 16, G);
  addTo(toB + 24, H);
}

function tile1(a: usize, b: usize, p: usize, bytes: usize, toA: usize, toB: usize): void {
  let A = f64x2.splat(0), B = A, C = A, D = A;
  let k: usize = 0;
  for (; k + 32 <= bytes; k += 32) {
    const x = v128.load(p + k), y = v128.load(p + k, 16);
    A = times(A, v128.load(a + k), x);
    B = times(B, v128.load(b + k), x);
    C = times(C, v128.load(a + k, 16), y);
    D = times(D, v128.load(b + k, 16), y);
  }
  if (k < bytes) {
    const x = v128.load(p + k);
    A = times(A, v128.load(a + k), x);
    B = times(B, v128.load(b + k), x);
  }
  addTo(toA, f64x2.add(A, C));
  addTo(toB, f64x2.add(B, D));
}

// Float64 numbers of scratch memory that informationSums works in.
export function informationRoom(k: i32): i32 {
  return (k + 4) * NEAR + k;
}

// out[c] += Σ r·x_c; out[k + c·k + d] += Σ w·x_c·x_d for c ≤ d (float64), of the k columns of a panel that lie `stride`
// elements apart. What is below the diagonal means nothing.
export function informationSums(
  out: usize, panel: usize, stride: i32, k: i32, w: usize, r: usize, n: i32, room: usize,
): void {
  const step: usize = <usize>NEAR << 3, row = <usize>k << 3;
  const columns = room, weights = columns + <usize>k * step, residual = weights + step;
  const one = residual + step, two = one + step, nowhere = two + step;
  for (let from = 0; from < n; from += NEAR) {
    const count = min(NEAR, n - from);
    const bytes = <usize>((count + 1) & ~1) << 3, at = <usize>from << 2;
    for (let c = 0; c < k; c++) {
      widen(columns + <usize>c * step, panel + (<usize>c * <usize>stride << 2) + at, count);
    }
    widen(weights, w + at, count);
    widen(residual, r + at, count);
    // Weighted columns go by twos; the residual makes up an odd number of them, or a pair with itself.
    for (let c = 0; c <= k; c += 2) {
      const first = c < k ? one : residual, second = c + 1 < k ? two : residual;
      if (c < k) product(one, columns + <usize>c * step, weights, bytes);
      if (c + 1 < k) product(two, columns + <usize>(c + 1) * step, weights, bytes);
      const toFirst = c < k ? out + row * <usize>(1 + c) : out;
      const toSecond = c + 1 < k ? out + row * <usize>(2 + c) : c < k ? out : nowhere;
      let d = c + 1 < k ? c : 0;
      for (; d + 4 <= k; d += 4) {
        const to = <usize>d << 3;
        tile4(first, second, columns + <usize>d * step, step, bytes, toFirst + to, toSecond + to);
      }
      for (; d < k; d++) {
        const to = <usize>d << 3;
        tile1(first, second, columns + <usize>d * step, bytes, toFirst + to, toSecond + to);
      }
    }
  }
}
