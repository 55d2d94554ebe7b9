// How readily variables outside a model come in, two at a time in float64: see src/selection/posterior/flip-rates.ts.
import { exp64, logPair } from "./exponential";
import { total } from "./lanes";

// For each of n candidates with pivot d and score u, log odds
//   base + offset − half·log d − power·log(1 − min(share·u²/d, 1 − saturated)) + worth·u²/d.
// Writes the probability of being inside and the rate, (inside + spread)/(2·outside), and returns the sum of the rates.
// Where log odds, or the given `top`, are beyond FAR, rates and sum are divided by exp of the largest, which goes to
// `shift` (else zero does). Members (place ≥ 0) and those whose pivot is not above the least get zeros. All arrays reach
// to an even count.
export function flips(
  rate: usize, inside: usize, pivot: usize, score: usize, least: usize, offset: usize, shift: usize, place: usize,
  n: i32, base: f64, half: f64, power: f64, share: f64, saturated: f64, worth: f64, spread: f64, top: f64,
): f64 {
  const end = <usize>n << 3;
  let highest = f64x2.splat(top);
  for (let i: usize = 0; i < end; i += 16) {
    const d = v128.load(pivot + i), u = v128.load(score + i);
    const squared = f64x2.mul(u, u);
    let odds = f64x2.add(f64x2.splat(base), v128.load(offset + i));
    if (worth != 0) odds = f64x2.add(odds, f64x2.mul(f64x2.splat(worth), f64x2.div(squared, d)));
    if (half != power) odds = f64x2.add(odds, f64x2.mul(f64x2.splat(power - half), logPair(d)));
    if (power != 0) {
      // log(1 − share·u²/d) by a difference of logarithms: divisions are what this loop waits for
      const left = f64x2.sub(d, f64x2.mul(f64x2.splat(share), squared));
      const kept = f64x2.pmax(left, f64x2.mul(d, f64x2.splat(saturated)));
      odds = f64x2.sub(odds, f64x2.mul(f64x2.splat(power), logPair(kept)));
    }
    // a place of −1, and only that, is negative; what is past the end has a pivot of zero
    const free = i64x2.shr_s(i64x2.extend_low_i32x4_s(v128.load64_zero(place + (i >> 1))), 63);
    const moves = v128.and(free, f64x2.gt(d, v128.load(least + i)));
    odds = v128.bitselect(odds, f64x2.splat(NEVER), moves);
    highest = f64x2.pmax(highest, odds);
    v128.store(rate + i, odds);
  }
  const largest = max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1));
  const down = largest > FAR ? largest : 0;
  store<f64>(shift, down);
  let sum = f64x2.splat(0);
  const one = f64x2.splat(1), more = f64x2.splat(0.5 + 0.5 * spread);
  const even = f64x2.mul(exp64(f64x2.splat(-down)), f64x2.splat(0.5 * spread));
  for (let i: usize = 0; i < end; i += 16) {
    const odds = v128.load(rate + i);
    const moves = f64x2.ne(odds, f64x2.splat(NEVER));
    const ratio = exp64(odds);
    v128.store(inside + i, v128.and(moves, f64x2.div(ratio, f64x2.add(one, ratio))));
    // inside = ratio·outside and outside = 1/(1 + ratio): the rate needs neither
    const scaled = down == 0 ? ratio : exp64(f64x2.sub(odds, f64x2.splat(down)));
    const flip = v128.and(moves, f64x2.add(f64x2.mul(scaled, more), even));
    v128.store(rate + i, flip);
    sum = f64x2.add(sum, flip);
  }
  return total(sum);
}

// Log odds whose exponentials are summed as they are.
const FAR: f64 = 280;
const NEVER: f64 = -1e300;
