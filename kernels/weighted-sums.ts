// What one Newton step asks of every column: sums with a residual r and with the weights w of its rows, two columns at a
// time, so that four loads feed six sums; and the sum by which it is known to suffice.
import { CHUNK, loadWide, loadWideOne, total, widened } from "./lanes";

// @ts-ignore: decorator
@inline
function addTo(out: usize, value: v128): void {
  store<f64>(out, load<f64>(out) + total(value));
}

function two(out: usize, x: usize, y: usize, cx: f32, cy: f32, w: usize, r: usize, n: i32): void {
  const vx = f32x4.splat(cx), vy = f32x4.splat(cy);
  const zero = f64x2.splat(0);
  let A = zero, B = zero, C = zero, D = zero, E = zero, F = zero;
  let i = 0;
  while (i + 4 <= n) {
    const end = min(i + CHUNK, n & ~3);
    let a = f32x4.splat(0), b = a, c = a, d = a, e = a, f = a;
    for (; i < end; i += 4) {
      const k = <usize>i << 2;
      const wi = v128.load(w + k), ri = v128.load(r + k);
      const xi = f32x4.sub(v128.load(x + k), vx), yi = f32x4.sub(v128.load(y + k), vy);
      const wx = f32x4.mul(wi, xi), wy = f32x4.mul(wi, yi);
      a = f32x4.add(a, f32x4.mul(xi, ri));
      d = f32x4.add(d, f32x4.mul(yi, ri));
      b = f32x4.add(b, wx);
      e = f32x4.add(e, wy);
      c = f32x4.add(c, f32x4.mul(wx, xi));
      f = f32x4.add(f, f32x4.mul(wy, yi));
    }
    A = f64x2.add(A, widened(a));
    B = f64x2.add(B, widened(b));
    C = f64x2.add(C, widened(c));
    D = f64x2.add(D, widened(d));
    E = f64x2.add(E, widened(e));
    F = f64x2.add(F, widened(f));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    const wi = f64x2.replace_lane(zero, 0, <f64>load<f32>(w + k));
    const ri = f64x2.replace_lane(zero, 0, <f64>load<f32>(r + k));
    const xi = f64x2.splat(<f64>(load<f32>(x + k) - cx)), yi = f64x2.splat(<f64>(load<f32>(y + k) - cy));
    A = f64x2.add(A, f64x2.mul(xi, ri));
    B = f64x2.add(B, f64x2.mul(xi, wi));
    C = f64x2.add(C, f64x2.mul(f64x2.mul(xi, xi), wi));
    D = f64x2.add(D, f64x2.mul(yi, ri));
    E = f64x2.add(E, f64x2.mul(yi, wi));
    F = f64x2.add(F, f64x2.mul(f64x2.mul(yi, yi), wi));
  }
  addTo(out, A);
  addTo(out + 8, B);
  addTo(out + 16, C);
  if (x == y) return;
  addTo(out + 24, D);
  addTo(out + 32, E);
  addTo(out + 40, F);
}

// out[3c..3c+3) += Σ(x − m)·r, Σ(x − m)·w, Σ(x − m)²·w (float64) for the columns x of a block, `stride` elements apart,
// with their centers m (float32) one after the other
export function weightedSums(
  out: usize, block: usize, columns: i32, stride: i32, centers: usize, w: usize, r: usize, n: i32,
): void {
  const bytes = <usize>stride << 2;
  for (let c = 0; c < columns; c += 2) {
    const other: usize = c + 1 < columns ? 1 : 0;
    const center = load<f32>(centers), next = load<f32>(centers + (other << 2));
    two(out, block, block + other * bytes, center, next, w, r, n);
    out += 48;
    block += bytes << 1;
    centers += 8;
  }
}

// @ts-ignore: decorator
@inline
function cube(x: v128, w: v128): v128 {
  return f64x2.mul(f64x2.mul(f64x2.abs(x), w), f64x2.mul(x, x));
}

// Σ w·|x|³, in float64: third powers leave the range of float32
export function weightedCube(x: usize, w: usize, n: i32): f64 {
  let a = f64x2.splat(0), b = a;
  let k: usize = 0;
  for (const end = <usize>(n & ~3) << 2; k < end; k += 16) {
    a = f64x2.add(a, cube(loadWide(x + k), loadWide(w + k)));
    b = f64x2.add(b, cube(loadWide(x + k + 8), loadWide(w + k + 8)));
  }
  let result = total(f64x2.add(a, b));
  for (const end = <usize>n << 2; k < end; k += 4) {
    result += f64x2.extract_lane(cube(loadWideOne(x + k), loadWideOne(w + k)), 0);
  }
  return result;
}
