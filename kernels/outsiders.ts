// How a model judges columns outside it, two at a time: see src/kernels/outsiders.ts.
import { exp64, logPair } from "./exponential";
import { below } from "./folded";

// Of a model, as bytes: so many numbers, then those of the members (LOWER), then those of the ones that may leave.
const SIZE: usize = 0;
const LEAVING: usize = 8;
const RIDGE: usize = 16;
const SHRINK: usize = 24;
const BASE: usize = 32;
const HALF: usize = 40;
const POWER: usize = 48;
const WORTH: usize = 56;
const NOISE: usize = 64;
const FLOOR: usize = 72;
const FREEDOM: usize = 80;
const SPREAD: usize = 88;
const RESIDUAL: usize = 96;
const ADDING: usize = 104;
const WEIGHT: usize = 112;
const SHARE: usize = 120;
const MEMBERS: usize = 128;

const MOST_EXPLAINED: f64 = 1 - 1e-12;

// @ts-ignore: decorator
@inline
function given(model: usize, which: usize): v128 {
  return v128.load64_splat(model + which);
}

// @ts-ignore: decorator
@inline
function add(to: usize, v: v128): void {
  v128.store(to, f64x2.add(v128.load(to), v));
}

// Takes the model with two columns of pivots d and scores u into the sums, and returns what it weighs.
// @ts-ignore: decorator
@inline
function note(sums: usize, model: usize, table: usize, d: v128, u: v128, least: v128, residual: v128, log: v128): v128 {
  const one = f64x2.splat(1);
  const possible = f64x2.gt(d, least);
  const pivot = v128.bitselect(d, one, possible);
  const slope = f64x2.div(f64x2.mul(given(model, SHRINK), u), pivot);
  const better = f64x2.mul(slope, u);
  if (load<f64>(model, HALF) != 0) log = f64x2.sub(log, f64x2.mul(given(model, HALF), logPair(pivot)));
  let noise = given(model, NOISE);
  if (load<f64>(model, POWER) != 0) {
    const share = f64x2.pmin(f64x2.splat(MOST_EXPLAINED), f64x2.div(better, residual));
    log = f64x2.sub(log, f64x2.mul(given(model, POWER), logPair(f64x2.sub(one, share))));
    noise = f64x2.div(f64x2.max(f64x2.sub(residual, better), given(model, FLOOR)), given(model, FREEDOM));
  } else log = f64x2.add(log, f64x2.mul(given(model, WORTH), better));
  // the square of its root, so that it reaches from e^−700 to e^600
  const root = exp64(f64x2.mul(f64x2.splat(0.5), log));
  const weight = v128.and(possible, f64x2.mul(root, root));
  const variance = f64x2.div(f64x2.mul(given(model, SHRINK), noise), pivot);
  const t = f64x2.div(f64x2.abs(slope), f64x2.sqrt(variance));
  const z = f64x2.div(t, f64x2.add(one, t));
  const tail = f64x2.replace_lane(
    f64x2.splat(below(table, f64x2.extract_lane(z, 0))), 1, below(table, f64x2.extract_lane(z, 1)),
  );
  const above = v128.bitselect(tail, f64x2.sub(one, tail), f64x2.ge(slope, f64x2.splat(0)));
  const square = f64x2.add(f64x2.mul(slope, slope), f64x2.mul(given(model, SPREAD), variance));
  add(sums, weight);
  add(sums + 16, f64x2.mul(weight, slope));
  add(sums + 32, f64x2.mul(weight, square));
  add(sums + 48, f64x2.mul(weight, above));
  return weight;
}

// `n` columns, an even number, with their products with column c at cross + c·stride, with themselves at `own` and with
// the target at `target`. To `out` are added, `stride` apart: weights, their products with the coefficient, its square
// and the probability that it is positive, and exchanges; and the score is written where `score` is not zero. The scratch
// memory holds 64 bytes and 16 for each member.
export function judgeOutsiders(
  out: usize, cross: usize, own: usize, target: usize, stride: usize, n: i32, model: usize, table: usize,
  scratch: usize, score: usize,
): void {
  const k = <usize>load<f64>(model + SIZE);
  const members = model + MEMBERS;
  const means = members + (k << 3), pivots = means + (k << 3), targets = pivots + (k << 3), lower = targets + (k << 3);
  const leaving = lower + ((k * (k + 1)) << 2);
  const leavers = <i32>load<f64>(model + LEAVING);
  const sums = scratch, x = scratch + 64;
  const ridge = load<f64>(model + RIDGE);
  const none = f64x2.splat(0);
  for (let i: usize = 0, end = <usize>n << 3; i < end; i += 16) {
    const diagonal = f64x2.add(v128.load(own + i), f64x2.splat(ridge));
    let d = diagonal, u = v128.load(target + i);
    let row = lower;
    for (let r: usize = 0; r < k; r++) {
      let value = v128.load(cross + i + <usize>load<f64>(members + (r << 3)) * stride);
      for (let s: usize = 0; s < r; s++, row += 8) {
        value = f64x2.sub(value, f64x2.mul(v128.load64_splat(row), v128.load(x + (s << 4))));
      }
      // the diagonal of L is given as its inverse
      value = f64x2.mul(value, v128.load64_splat(row));
      row += 8;
      v128.store(x + (r << 4), value);
      d = f64x2.sub(d, f64x2.mul(value, value));
      u = f64x2.sub(u, f64x2.mul(value, v128.load64_splat(targets + (r << 3))));
    }
    const small = f64x2.mul(f64x2.splat(1e-9), diagonal);
    if (score != 0) {
      const apart = f64x2.gt(d, small);
      const root = f64x2.sqrt(v128.bitselect(d, f64x2.splat(1), apart));
      v128.store(score + i, v128.and(apart, f64x2.div(u, root)));
    }
    const survives = f64x2.gt(f64x2.splat(ridge), f64x2.mul(f64x2.splat(1e-12), diagonal));
    const least = v128.bitselect(f64x2.splat(0.5 * ridge), small, survives);
    for (let at: usize = 0; at < 64; at += 16) v128.store(sums + at, none);
    const base = load<f64>(model + BASE);
    const adding = f64x2.splat(base + load<f64>(model + ADDING));
    const joined = note(sums, model, table, d, u, least, given(model, RESIDUAL), adding);
    if (leavers > 0) {
      // from the last row of L to the first, back to A⁻¹c
      let end = lower + ((k * (k + 1)) << 2);
      for (let r = k; r-- > 0; ) {
        const last = end - 8;
        const first = last - (r << 3);
        const value = f64x2.mul(v128.load(x + (r << 4)), v128.load64_splat(last));
        v128.store(x + (r << 4), value);
        for (let s: usize = 0; s < r; s++) {
          const to = x + (s << 4);
          v128.store(to, f64x2.sub(v128.load(to), f64x2.mul(v128.load64_splat(first + (s << 3)), value)));
        }
        end = first;
      }
      for (let l: i32 = 0, at = leaving; l < leavers; l++, at += 32) {
        const place = <usize>load<f64>(at);
        const share = f64x2.mul(v128.load(x + (place << 4)), v128.load64_splat(pivots + (place << 3)));
        const without = f64x2.add(d, f64x2.mul(share, v128.load(x + (place << 4))));
        const scored = f64x2.add(u, f64x2.mul(share, v128.load64_splat(means + (place << 3))));
        // Most columns have nothing of most members, and need no logarithm to say so.
        const enough = f64x2.gt(f64x2.mul(scored, scored), f64x2.mul(v128.load64_splat(at + 8), without));
        if (!v128.any_true(enough)) continue;
        const log = f64x2.splat(base - load<f64>(at + 16));
        note(sums, model, table, without, scored, least, v128.load64_splat(at + 24), log);
      }
    }
    const part = given(model, SHARE);
    const whole = v128.load(sums);
    const instead = f64x2.max(none, f64x2.sub(whole, f64x2.mul(given(model, WEIGHT), joined)));
    let to = out + i;
    for (let at: usize = 0; at < 64; at += 16, to += stride) add(to, f64x2.mul(part, v128.load(sums + at)));
    add(to, f64x2.mul(part, instead));
  }
}
