// The sums of the screen. Each run of a column is summed around its first value p, which costs one subtraction
// and keeps the digits of a column like 1000 ± 1 in float32 lanes; float64 then moves the sums back:
//   Σx = S₁ + np,  Σx² = S₂ + 2pS₁ + np²,  Σxy = S_xy + pΣy.
// Where squares would leave the range of float32 (or are not finite), the run is summed again in float64.
import { CHUNK, horizontal, loadWide, total, widened } from "./lanes";

// @ts-ignore: decorator
@inline
function fitsFloat32(square: f64): bool {
  return square > 1e-24 && square < 1e24;
}

// @ts-ignore: decorator
@inline
function add(out: usize, sx: f64, sxx: f64, sxy: f64): void {
  store<f64>(out, load<f64>(out) + sx);
  store<f64>(out, load<f64>(out, 8) + sxx, 8);
  store<f64>(out, load<f64>(out, 16) + sxy, 16);
}

function wideRun(out: usize, x: usize, y: usize, n: i32): void {
  let a = f64x2.splat(0), b = a, c = a;
  const end = x + (<usize>(n & ~1) << 2);
  for (; x < end; x += 8, y += 8) {
    const xi = loadWide(x);
    a = f64x2.add(a, xi);
    b = f64x2.add(b, f64x2.mul(xi, xi));
    c = f64x2.add(c, f64x2.mul(xi, loadWide(y)));
  }
  let sx = total(a), sxx = total(b), sxy = total(c);
  if (n & 1) {
    const xi = <f64>load<f32>(x);
    sx += xi;
    sxx += xi * xi;
    sxy += xi * <f64>load<f32>(y);
  }
  add(out, sx, sxx, sxy);
}

// The sums of the lanes of two vectors, side by side.
// @ts-ignore: decorator
@inline
function both(u: v128, v: v128): v128 {
  const a = widened(u), b = widened(v);
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

function run(out: usize, x: usize, y: usize, sumY: f64, n: i32): void {
  const first = x;
  const away = y - x;
  const pivot = load<f32>(x);
  const p = f32x4.splat(pivot);
  // Σ(x − p) and Σ(x − p)²
  let s = f64x2.splat(0);
  let sxy: f64 = 0;
  const last = x + (<usize>(n & ~7) << 2);
  while (x < last) {
    const end = min(x + 4 * CHUNK, last);
    let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0;
    do {
      const x0 = f32x4.sub(v128.load(x), p), x1 = f32x4.sub(v128.load(x, 16), p);
      a0 = f32x4.add(a0, x0);
      a1 = f32x4.add(a1, x1);
      b0 = f32x4.add(b0, f32x4.mul(x0, x0));
      b1 = f32x4.add(b1, f32x4.mul(x1, x1));
      c0 = f32x4.add(c0, f32x4.mul(x0, v128.load(x + away)));
      c1 = f32x4.add(c1, f32x4.mul(x1, v128.load(x + away, 16)));
      x += 32;
    } while (x < end);
    s = f64x2.add(s, both(f32x4.add(a0, a1), f32x4.add(b0, b1)));
    sxy += horizontal(f32x4.add(c0, c1));
  }
  let sx = f64x2.extract_lane(s, 0), sxx = f64x2.extract_lane(s, 1);
  const shift = <f64>pivot;
  for (const end = first + (<usize>n << 2); x < end; x += 4) {
    const xi = <f64>load<f32>(x) - shift;
    sx += xi;
    sxx += xi * xi;
    sxy += xi * <f64>load<f32>(x + away);
  }
  if (!fitsFloat32(sxx)) return wideRun(out, first, first + away, n);
  add(out, sx + n * shift, sxx + shift * (2 * sx + n * shift), sxy + shift * sumY);
}

// out[3c..3c+3) += Σx, Σx², Σxy (float64) for the columns of a block, `stride` elements apart
export function blockSums(out: usize, block: usize, columns: i32, stride: i32, y: usize, n: i32): void {
  if (n <= 0) return;
  // y once, around its own first value; `bits` tells a run of zeros from squares too small for float32
  const pivot = load<f32>(y);
  const p = f32x4.splat(pivot);
  let sum: f64 = 0, square: f64 = 0;
  let bits = i32x4.splat(0);
  let i = 0;
  while (i + 8 <= n) {
    const end = min(i + CHUNK, n & ~7);
    let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0;
    for (; i < end; i += 8) {
      const k = <usize>i << 2;
      const y0 = v128.load(y + k), y1 = v128.load(y + k, 16);
      const d0 = f32x4.sub(y0, p), d1 = f32x4.sub(y1, p);
      bits = v128.or(bits, v128.or(y0, y1));
      a0 = f32x4.add(a0, d0);
      a1 = f32x4.add(a1, d1);
      b0 = f32x4.add(b0, f32x4.mul(d0, d0));
      b1 = f32x4.add(b1, f32x4.mul(d1, d1));
    }
    sum += horizontal(f32x4.add(a0, a1));
    square += horizontal(f32x4.add(b0, b1));
  }
  const shift = <f64>pivot;
  for (; i < n; i++) {
    const yi = load<f32>(y + (<usize>i << 2));
    const centered = <f64>yi - shift;
    bits = v128.or(bits, f32x4.splat(yi));
    sum += centered;
    square += centered * centered;
  }
  square += shift * (2 * sum + n * shift);
  sum += n * shift;
  const wide = !fitsFloat32(square) && v128.any_true(f32x4.abs(bits));
  for (let c = 0; c < columns; c++) {
    if (wide) wideRun(out, block, y, n);
    else run(out, block, y, sum, n);
    out += 24;
    block += <usize>stride << 2;
  }
}

// out[0..3) += Σx, Σx², Σxy  (float64)
export function columnSums(out: usize, x: usize, y: usize, n: i32): void {
  blockSums(out, x, 1, n, y, n);
}

// Σx in float32 lanes, as fast as memory can be read: the yardstick of the bench, with no care for digits
export function readSum(x: usize, n: i32): f64 {
  let a0 = f32x4.splat(0), a1 = a0, a2 = a0, a3 = a0;
  const end = x + (<usize>n << 2);
  for (; x + 64 <= end; x += 64) {
    a0 = f32x4.add(a0, v128.load(x));
    a1 = f32x4.add(a1, v128.load(x, 16));
    a2 = f32x4.add(a2, v128.load(x, 32));
    a3 = f32x4.add(a3, v128.load(x, 48));
  }
  let sum = horizontal(f32x4.add(f32x4.add(a0, a1), f32x4.add(a2, a3)));
  for (; x < end; x += 4) sum += <f64>load<f32>(x);
  return sum;
}
