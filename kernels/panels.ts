// The sums of certify: one column against a panel of columns, four panel columns to each load of x.
import { CHUNK, horizontal } from "./lanes";

// @ts-ignore: decorator
@inline
function addTo(out: usize, value: f64): void {
  store<f64>(out, load<f64>(out) + value);
}

function dots4(out: usize, x: usize, p: usize, stride: usize, n: i32): void {
  const q = p + stride, r = q + stride, s = r + stride;
  let t0: f64 = 0, t1: f64 = 0, t2: f64 = 0, t3: f64 = 0;
  let i = 0;
  while (i + 8 <= n) {
    const end = min(i + CHUNK, n & ~7);
    let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
    for (; i < end; i += 8) {
      const k = <usize>i << 2;
      const x0 = v128.load(x + k), x1 = v128.load(x + k, 16);
      a0 = f32x4.add(a0, f32x4.mul(x0, v128.load(p + k)));
      a1 = f32x4.add(a1, f32x4.mul(x1, v128.load(p + k, 16)));
      b0 = f32x4.add(b0, f32x4.mul(x0, v128.load(q + k)));
      b1 = f32x4.add(b1, f32x4.mul(x1, v128.load(q + k, 16)));
      c0 = f32x4.add(c0, f32x4.mul(x0, v128.load(r + k)));
      c1 = f32x4.add(c1, f32x4.mul(x1, v128.load(r + k, 16)));
      d0 = f32x4.add(d0, f32x4.mul(x0, v128.load(s + k)));
      d1 = f32x4.add(d1, f32x4.mul(x1, v128.load(s + k, 16)));
    }
    t0 += horizontal(f32x4.add(a0, a1));
    t1 += horizontal(f32x4.add(b0, b1));
    t2 += horizontal(f32x4.add(c0, c1));
    t3 += horizontal(f32x4.add(d0, d1));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    const xi = <f64>load<f32>(x + k);
    t0 += xi * <f64>load<f32>(p + k);
    t1 += xi * <f64>load<f32>(q + k);
    t2 += xi * <f64>load<f32>(r + k);
    t3 += xi * <f64>load<f32>(s + k);
  }
  addTo(out, t0);
  addTo(out + 8, t1);
  addTo(out + 16, t2);
  addTo(out + 24, t3);
}

function dots1(out: usize, x: usize, p: usize, n: i32): void {
  let t: f64 = 0;
  let i = 0;
  while (i + 8 <= n) {
    const end = min(i + CHUNK, n & ~7);
    let a0 = f32x4.splat(0), a1 = a0;
    for (; i < end; i += 8) {
      const k = <usize>i << 2;
      a0 = f32x4.add(a0, f32x4.mul(v128.load(x + k), v128.load(p + k)));
      a1 = f32x4.add(a1, f32x4.mul(v128.load(x + k, 16), v128.load(p + k, 16)));
    }
    t += horizontal(f32x4.add(a0, a1));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    t += <f64>load<f32>(x + k) * <f64>load<f32>(p + k);
  }
  addTo(out, t);
}

// out[c] += Σ x·panel_c for the k columns of a panel that lie `stride` elements apart (float64)
export function panelDots(out: usize, x: usize, panel: usize, stride: i32, k: i32, n: i32): void {
  const bytes = <usize>stride << 2;
  for (; k >= 4; k -= 4) {
    dots4(out, x, panel, bytes, n);
    out += 32;
    panel += bytes << 2;
  }
  for (; k > 0; k--) {
    dots1(out, x, panel, n);
    out += 8;
    panel += bytes;
  }
}

// Σ w·(x − center)²
export function weightedSquare(center: f32, x: usize, w: usize, n: i32): f64 {
  const c = f32x4.splat(center);
  let t: f64 = 0;
  let i = 0;
  while (i + 8 <= n) {
    const end = min(i + CHUNK, n & ~7);
    let a0 = f32x4.splat(0), a1 = a0;
    for (; i < end; i += 8) {
      const k = <usize>i << 2;
      const x0 = f32x4.sub(v128.load(x + k), c), x1 = f32x4.sub(v128.load(x + k, 16), c);
      a0 = f32x4.add(a0, f32x4.mul(f32x4.mul(x0, x0), v128.load(w + k)));
      a1 = f32x4.add(a1, f32x4.mul(f32x4.mul(x1, x1), v128.load(w + k, 16)));
    }
    t += horizontal(f32x4.add(a0, a1));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    const xi = <f64>(load<f32>(x + k) - center);
    t += xi * xi * <f64>load<f32>(w + k);
  }
  return t;
}

// out = x·w
export function product(out: usize, x: usize, w: usize, n: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const k = <usize>i << 2;
    v128.store(out + k, f32x4.mul(v128.load(x + k), v128.load(w + k)));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    store<f32>(out + k, load<f32>(x + k) * load<f32>(w + k));
  }
}
