import { CHUNK, horizontal } from "./lanes";

export function fill(out: usize, value: f32, n: i32): void {
  const v = f32x4.splat(value);
  let i = 0;
  for (; i + 4 <= n; i += 4) v128.store(out + (<usize>i << 2), v);
  for (; i < n; i++) store<f32>(out + (<usize>i << 2), value);
}

// out = x
export function copy(out: usize, x: usize, n: i32): void {
  memory.copy(out, x, <usize>n << 2);
}

// out = a·x + b
export function affine(out: usize, a: f32, b: f32, x: usize, n: i32): void {
  const va = f32x4.splat(a);
  const vb = f32x4.splat(b);
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const o = out + (<usize>i << 2);
    const s = x + (<usize>i << 2);
    v128.store(o, f32x4.add(f32x4.mul(va, v128.load(s)), vb));
    v128.store(o, f32x4.add(f32x4.mul(va, v128.load(s, 16)), vb), 16);
  }
  for (; i < n; i++) store<f32>(out + (<usize>i << 2), a * load<f32>(x + (<usize>i << 2)) + b);
}

// out += a·x + b
export function affineAxpy(out: usize, a: f32, b: f32, x: usize, n: i32): void {
  const va = f32x4.splat(a);
  const vb = f32x4.splat(b);
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const o = out + (<usize>i << 2);
    const s = x + (<usize>i << 2);
    v128.store(o, f32x4.add(v128.load(o), f32x4.add(f32x4.mul(va, v128.load(s)), vb)));
    v128.store(o, f32x4.add(v128.load(o, 16), f32x4.add(f32x4.mul(va, v128.load(s, 16)), vb)), 16);
  }
  for (; i < n; i++) {
    const o = out + (<usize>i << 2);
    store<f32>(o, load<f32>(o) + (a * load<f32>(x + (<usize>i << 2)) + b));
  }
}

// Σ (a·x + b)·r
export function affineDot(a: f64, b: f64, x: usize, r: usize, n: i32): f64 {
  let dot: f64 = 0;
  let sum: f64 = 0;
  let i = 0;
  while (i + 8 <= n) {
    const end = min(i + CHUNK, n & ~7);
    let d0 = f32x4.splat(0), d1 = f32x4.splat(0), s0 = f32x4.splat(0), s1 = f32x4.splat(0);
    for (; i < end; i += 8) {
      const px = x + (<usize>i << 2);
      const pr = r + (<usize>i << 2);
      const r0 = v128.load(pr), r1 = v128.load(pr, 16);
      d0 = f32x4.add(d0, f32x4.mul(v128.load(px), r0));
      d1 = f32x4.add(d1, f32x4.mul(v128.load(px, 16), r1));
      s0 = f32x4.add(s0, r0);
      s1 = f32x4.add(s1, r1);
    }
    dot += horizontal(f32x4.add(d0, d1));
    sum += horizontal(f32x4.add(s0, s1));
  }
  for (; i < n; i++) {
    const ri = <f64>load<f32>(r + (<usize>i << 2));
    dot += <f64>load<f32>(x + (<usize>i << 2)) * ri;
    sum += ri;
  }
  return a * dot + b * sum;
}

// out = y − eta
export function residual(out: usize, y: usize, eta: usize, n: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const k = <usize>i << 2;
    v128.store(out + k, f32x4.sub(v128.load(y + k), v128.load(eta + k)));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    store<f32>(out + k, load<f32>(y + k) - load<f32>(eta + k));
  }
}

// Σ (y − eta)²
export function squaredError(eta: usize, y: usize, n: i32): f64 {
  let total: f64 = 0;
  let i = 0;
  while (i + 8 <= n) {
    const end = min(i + CHUNK, n & ~7);
    let s0 = f32x4.splat(0), s1 = f32x4.splat(0);
    for (; i < end; i += 8) {
      const k = <usize>i << 2;
      const e0 = f32x4.sub(v128.load(y + k), v128.load(eta + k));
      const e1 = f32x4.sub(v128.load(y + k, 16), v128.load(eta + k, 16));
      s0 = f32x4.add(s0, f32x4.mul(e0, e0));
      s1 = f32x4.add(s1, f32x4.mul(e1, e1));
    }
    total += horizontal(f32x4.add(s0, s1));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    const e = <f64>load<f32>(y + k) - <f64>load<f32>(eta + k);
    total += e * e;
  }
  return total;
}

// Σ d·(y − eta) − ½d²: what the Gaussian log-likelihood (times σ²) gains when eta moves by d
export function gaussianChange(d: usize, eta: usize, y: usize, n: i32): f64 {
  const half = f32x4.splat(0.5);
  let total: f64 = 0;
  let i = 0;
  while (i + 8 <= n) {
    const end = min(i + CHUNK, n & ~7);
    let s0 = f32x4.splat(0), s1 = f32x4.splat(0);
    for (; i < end; i += 8) {
      const k = <usize>i << 2;
      const d0 = v128.load(d + k), d1 = v128.load(d + k, 16);
      const e0 = f32x4.sub(f32x4.sub(v128.load(y + k), v128.load(eta + k)), f32x4.mul(half, d0));
      const e1 = f32x4.sub(f32x4.sub(v128.load(y + k, 16), v128.load(eta + k, 16)), f32x4.mul(half, d1));
      s0 = f32x4.add(s0, f32x4.mul(d0, e0));
      s1 = f32x4.add(s1, f32x4.mul(d1, e1));
    }
    total += horizontal(f32x4.add(s0, s1));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    const di = <f64>load<f32>(d + k);
    total += di * (<f64>load<f32>(y + k) - <f64>load<f32>(eta + k) - 0.5 * di);
  }
  return total;
}

// out[i] = x[rows[i]], four at a time
export function gather(out: usize, x: usize, rows: usize, n: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const k = <usize>i << 2;
    const two = load<u64>(rows + k), more = load<u64>(rows + k, 8);
    let v = v128.load32_zero(x + (<usize><u32>two << 2));
    v = v128.load_lane<u32>(x + (<usize>(two >> 32) << 2), v, 1);
    v = v128.load_lane<u32>(x + (<usize><u32>more << 2), v, 2);
    v = v128.load_lane<u32>(x + (<usize>(more >> 32) << 2), v, 3);
    v128.store(out + k, v);
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    store<f32>(out + k, load<f32>(x + (<usize>load<u32>(rows + k) << 2)));
  }
}

// The first of n rows that is in block b, of so many: src/store/layout/layout.ts has the same.
// @ts-ignore: decorator
@inline
function firstOf(b: i32, blocks: i32, n: i32): i32 {
  return <i32>((<i64>b * <i64>n) / <i64>blocks);
}

// out[0 … n) = a column that lies in blocks, whose pieces are `step` bytes apart
export function joinBlocks(out: usize, column: usize, step: usize, blocks: i32, n: i32): void {
  for (let b = 0; b < blocks; b++) {
    const first = firstOf(b, blocks, n);
    copy(out + (<usize>first << 2), column + <usize>b * step, firstOf(b + 1, blocks, n) - first);
  }
}

// The same column, which becomes x[rows[0 … n)]
export function gatherBlocks(column: usize, step: usize, blocks: i32, n: i32, x: usize, rows: usize): void {
  for (let b = 0; b < blocks; b++) {
    const first = firstOf(b, blocks, n);
    gather(column + <usize>b * step, x, rows + (<usize>first << 2), firstOf(b + 1, blocks, n) - first);
  }
}

// out[rows[i]] += a·values[i]
export function scatterAxpy(out: usize, a: f32, rows: usize, values: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const k = <usize>i << 2;
    const o = out + (<usize>load<u32>(rows + k) << 2);
    store<f32>(o, load<f32>(o) + a * load<f32>(values + k));
  }
}

// Σ values[i]·r[rows[i]]
export function gatherDot(rows: usize, values: usize, r: usize, n: i32): f64 {
  let total: f64 = 0;
  for (let i = 0; i < n; i++) {
    const k = <usize>i << 2;
    total += <f64>load<f32>(values + k) * <f64>load<f32>(r + (<usize>load<u32>(rows + k) << 2));
  }
  return total;
}
