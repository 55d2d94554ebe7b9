// The least and the largest of a run; nought where there is none. A NaN is passed on.
import { loadFirst } from "./lanes";

// @ts-ignore: decorator
@inline
function extreme(x: usize, n: i32, sign: v128): f32 {
  if (n <= 0) return 0;
  // One of the first stands for those that a last vector lacks.
  let found = v128.xor(f32x4.splat(load<f32>(x)), sign);
  let k: usize = 0;
  for (const end = <usize>(n & ~3) << 2; k < end; k += 16) {
    found = f32x4.max(found, v128.xor(v128.load(x + k), sign));
  }
  const rest = n & 3;
  if (rest) {
    const live = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(rest));
    const last = v128.xor(loadFirst(x + k, rest), sign);
    found = v128.bitselect(f32x4.max(found, last), found, live);
  }
  const pair = f32x4.max(found, v128.shuffle<f32>(found, found, 2, 3, 0, 1));
  const all = f32x4.max(pair, v128.shuffle<f32>(pair, pair, 1, 0, 3, 2));
  return f32x4.extract_lane(v128.xor(all, sign), 0);
}

export function least(x: usize, n: i32): f32 {
  return extreme(x, n, f32x4.splat(-0.0));
}

export function largest(x: usize, n: i32): f32 {
  return extreme(x, n, f32x4.splat(0));
}
