// Sketches of columns: how they are made, and how every two of them are compared.
import { CHUNK, horizontal, loadFirst } from "./lanes";

// out[s] += Σ x·r over the s-th of `count` stretches, which begin where the one before ends (float64)
export function stretchDots(out: usize, x: usize, r: usize, ends: usize, count: i32): void {
  let i = 0;
  for (let s = 0; s < count; s++) {
    const end = load<i32>(ends + (<usize>s << 2));
    let total: f64 = 0;
    while (i < end) {
      const stop = min(i + CHUNK, end);
      let sum = f32x4.splat(0);
      for (; i + 4 <= stop; i += 4) {
        const k = <usize>i << 2;
        sum = f32x4.add(sum, f32x4.mul(v128.load(x + k), v128.load(r + k)));
      }
      if (i < stop) {
        const k = <usize>i << 2;
        sum = f32x4.add(sum, f32x4.mul(loadFirst(x + k, stop - i), loadFirst(r + k, stop - i)));
        i = stop;
      }
      total += horizontal(sum);
    }
    const at = out + (<usize>s << 3);
    store<f64>(at, load<f64>(at) + total);
  }
}

// @ts-ignore: decorator
@inline
function times(sum: v128, a: v128, b: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(a, b));
}

// Products of int16 vectors x and y with the k columns of a panel, all of `n` elements, an even number; k is a multiple
// of sixteen. The panel has sixteen columns after sixteen, and of these the first two elements of each, then the next two:
// so each lane has a column of its own, and nothing is to be summed across. Of those products that are at most `low` or at
// least `high` the place (that of the column, and k more for y) and the product are written as int32; returns how many
// they are.
export function farProducts(out: usize, x: usize, y: usize, panel: usize, k: i32, n: i32, low: i32, high: i32): i32 {
  const bytes = <usize>n << 1;
  const lows = i32x4.splat(low), highs = i32x4.splat(high);
  let at = out;
  let p = panel;
  for (let c = 0; c < k; c += 16) {
    let a = i32x4.splat(0), b = a, d = a, e = a, f = a, g = a, h = a, l = a;
    for (let i: usize = 0; i < bytes; i += 4, p += 64) {
      const xi = v128.load32_splat(x + i), yi = v128.load32_splat(y + i);
      let w = v128.load(p);
      a = times(a, xi, w);
      f = times(f, yi, w);
      w = v128.load(p, 16);
      b = times(b, xi, w);
      g = times(g, yi, w);
      w = v128.load(p, 32);
      d = times(d, xi, w);
      h = times(h, yi, w);
      w = v128.load(p, 48);
      e = times(e, xi, w);
      l = times(l, yi, w);
    }
    const leastX = i32x4.min_s(i32x4.min_s(a, b), i32x4.min_s(d, e));
    const leastY = i32x4.min_s(i32x4.min_s(f, g), i32x4.min_s(h, l));
    const mostX = i32x4.max_s(i32x4.max_s(a, b), i32x4.max_s(d, e));
    const mostY = i32x4.max_s(i32x4.max_s(f, g), i32x4.max_s(h, l));
    const least = i32x4.min_s(leastX, leastY), most = i32x4.max_s(mostX, mostY);
    if (!v128.any_true(v128.or(i32x4.le_s(least, lows), i32x4.ge_s(most, highs)))) continue;
    at = putFour(at, c, a, lows, highs, low, high);
    at = putFour(at, c + 4, b, lows, highs, low, high);
    at = putFour(at, c + 8, d, lows, highs, low, high);
    at = putFour(at, c + 12, e, lows, highs, low, high);
    at = putFour(at, k + c, f, lows, highs, low, high);
    at = putFour(at, k + c + 4, g, lows, highs, low, high);
    at = putFour(at, k + c + 8, h, lows, highs, low, high);
    at = putFour(at, k + c + 12, l, lows, highs, low, high);
  }
  return <i32>((at - out) >> 3);
}

// The panel of `farProducts` from its k columns of `n` elements each, one after the other.
export function weave(out: usize, columns: usize, k: i32, n: i32): void {
  const bytes = <usize>n << 1;
  for (let c = 0; c < k; c += 16, columns += bytes << 4) {
    for (let i: usize = 0; i < bytes; i += 4) {
      for (let at = columns + i, end = at + (bytes << 4); at < end; at += bytes, out += 4) {
        store<i32>(out, load<i32>(at));
      }
    }
  }
}

function putFour(at: usize, place: i32, products: v128, lows: v128, highs: v128, low: i32, high: i32): usize {
  if (!v128.any_true(v128.or(i32x4.le_s(products, lows), i32x4.ge_s(products, highs)))) return at;
  at = put(at, place, i32x4.extract_lane(products, 0), low, high);
  at = put(at, place + 1, i32x4.extract_lane(products, 1), low, high);
  at = put(at, place + 2, i32x4.extract_lane(products, 2), low, high);
  return put(at, place + 3, i32x4.extract_lane(products, 3), low, high);
}

// @ts-ignore: decorator
@inline
function put(at: usize, place: i32, product: i32, low: i32, high: i32): usize {
  if (product > low && product < high) return at;
  store<i32>(at, place);
  store<i32>(at, product, 4);
  return at + 8;
}

// x = a·x + Σ weights[c]·panel_c, all in float64, the k columns of the panel one after the other; returns Σ x²
export function combine(x: usize, a: f64, panel: usize, weights: usize, k: i32, n: i32): f64 {
  let squares: f64 = 0;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = <usize>i << 3;
    const factor = f64x2.splat(a);
    let low = f64x2.mul(factor, v128.load(x + at)), high = f64x2.mul(factor, v128.load(x + at, 16));
    for (let c = 0; c < k; c++) {
      const weight = v128.load64_splat(weights + (<usize>c << 3));
      const p = panel + (<usize>(c * n) << 3) + at;
      low = f64x2.add(low, f64x2.mul(weight, v128.load(p)));
      high = f64x2.add(high, f64x2.mul(weight, v128.load(p, 16)));
    }
    v128.store(x + at, low);
    v128.store(x + at, high, 16);
    // one after the other, as they are summed below
    const l = f64x2.mul(low, low), h = f64x2.mul(high, high);
    squares += f64x2.extract_lane(l, 0);
    squares += f64x2.extract_lane(l, 1);
    squares += f64x2.extract_lane(h, 0);
    squares += f64x2.extract_lane(h, 1);
  }
  for (; i < n; i++) {
    const at = <usize>i << 3;
    let value = a * load<f64>(x + at);
    for (let c = 0; c < k; c++) {
      value += load<f64>(weights + (<usize>c << 3)) * load<f64>(panel + (<usize>(c * n) << 3) + at);
    }
    store<f64>(x + at, value);
    squares += value * value;
  }
  return squares;
}

// out = a·x, from float64 to float32
export function narrow(out: usize, x: usize, a: f64, n: i32): void {
  const factor = f64x2.splat(a);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const from = x + (<usize>i << 3);
    const low = f32x4.demote_f64x2_zero(f64x2.mul(factor, v128.load(from)));
    const high = f32x4.demote_f64x2_zero(f64x2.mul(factor, v128.load(from, 16)));
    v128.store(out + (<usize>i << 2), v128.shuffle<i64>(low, high, 0, 2));
  }
  for (; i < n; i++) store<f32>(out + (<usize>i << 2), <f32>(a * load<f64>(x + (<usize>i << 3))));
}

// out = the integer nearest to a·x, as int16
export function shorten(out: usize, x: usize, a: f32, n: i32): void {
  for (let i = 0; i < n; i++) store<i16>(out + (<usize>i << 1), <i16>nearest(a * load<f32>(x + (<usize>i << 2))));
}

// out = x where a bit of `words` is set, −x where it is not
export function flip(out: usize, x: usize, words: usize, bit: i32, n: i32): void {
  const sign = i32x4.splat(0x80000000);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const k = <usize>i << 2;
    // the bit, moved to where a number has its sign
    const kept = i32x4.shl(v128.load(words + k), 31 - bit);
    v128.store(out + k, v128.xor(v128.load(x + k), v128.andnot(sign, kept)));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    const value = load<f32>(x + k);
    store<f32>(out + k, (load<u32>(words + k) >>> bit) & 1 ? value : -value);
  }
}
