// What every SIMD loop needs at its ends: reductions to float64, and the last one to three elements.

// Elements summed in float32 lanes before the partial sum moves to float64.
export const CHUNK: i32 = 512;

// @ts-ignore: decorator
@inline
function upper(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 3, 2, 3);
}

// The two float64 sums of four float32 lanes.
// @ts-ignore: decorator
@inline
export function widened(v: v128): v128 {
  return f64x2.add(f64x2.promote_low_f32x4(v), f64x2.promote_low_f32x4(upper(v)));
}

// @ts-ignore: decorator
@inline
export function total(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}

// @ts-ignore: decorator
@inline
export function horizontal(v: v128): f64 {
  return total(widened(v));
}

// Two float32 elements as float64.
// @ts-ignore: decorator
@inline
export function loadWide(p: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(p));
}

// One float32 element as float64, and a zero.
// @ts-ignore: decorator
@inline
export function loadWideOne(p: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load32_zero(p));
}

// The first `count` (1 to 4) elements and zeros; nothing behind them is touched.
export function loadFirst(p: usize, count: i32): v128 {
  if (count > 3) return v128.load(p);
  let v = v128.load32_zero(p);
  if (count > 1) v = f32x4.replace_lane(v, 1, load<f32>(p, 4));
  if (count > 2) v = f32x4.replace_lane(v, 2, load<f32>(p, 8));
  return v;
}

// @ts-ignore: decorator
@inline
export function storeFirst(p: usize, v: v128, count: i32): void {
  store<f32>(p, f32x4.extract_lane(v, 0));
  if (count > 1) store<f32>(p, f32x4.extract_lane(v, 1), 4);
  if (count > 2) store<f32>(p, f32x4.extract_lane(v, 2), 8);
}

// All ones in the first `count` lanes.
export function firstLanes(count: i32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count));
}
