// The binomial family with the logit link, y in [0, 1]. With e = exp(−|η|) in (0, 1] everything is stable:
//   log-likelihood (y − [η>0])·η − log1p(e);  mean (η≥0 ? 1 : e)/(1 + e);  weight e/(1 + e)²
import { decay32, exp64, expm1Unit, log64, twiceArtanh } from "./exponential";
import { firstLanes, horizontal, loadFirst, loadWide, loadWideOne, storeFirst, total } from "./lanes";

// @ts-ignore: decorator
@inline
function one(): v128 {
  return f32x4.splat(1);
}

// 1 where v > 0, else 0
// @ts-ignore: decorator
@inline
function positive(v: v128): v128 {
  return v128.and(f32x4.gt(v, f32x4.splat(0)), one());
}

// @ts-ignore: decorator
@inline
function bounded(v: v128): v128 {
  return f32x4.pmax(f32x4.pmin(v, f32x4.splat(1e30)), f32x4.splat(-1e30));
}

// Σ log1p(e) is the logarithm of Π(1 + e): one multiplication a row and one logarithm for each PRODUCT rows, whose
// factors, 120 to a lane and each at most 2, stay within float32. It costs 1e-7 a row, absolute.
const PRODUCT: i32 = 480;

// @ts-ignore: decorator
@inline
function logProduct(v: v128): f64 {
  const low = <f64>f32x4.extract_lane(v, 0) * <f64>f32x4.extract_lane(v, 1);
  return log64(low * (<f64>f32x4.extract_lane(v, 2) * <f64>f32x4.extract_lane(v, 3)));
}

// (y − [η>0])·η
// @ts-ignore: decorator
@inline
function linear(eta: v128, y: v128): v128 {
  return f32x4.mul(f32x4.sub(y, positive(eta)), eta);
}

// (y − mean)·(1 + e), which is y·(1 − mean) − (1 − y)·mean times that: no digits are lost near a mean of one
// @ts-ignore: decorator
@inline
function scoreNumerator(eta: v128, e: v128, y: v128): v128 {
  const up = f32x4.gt(eta, f32x4.splat(0));
  return f32x4.sub(
    f32x4.mul(y, v128.bitselect(e, one(), up)),
    f32x4.mul(f32x4.sub(one(), y), v128.bitselect(one(), e, up)),
  );
}

// @ts-ignore: decorator
@inline
function score(eta: v128, y: v128): v128 {
  const e = decay32(eta);
  return f32x4.div(scoreNumerator(eta, e, y), f32x4.add(one(), e));
}

// @ts-ignore: decorator
@inline
function weight(eta: v128): v128 {
  const e = decay32(eta);
  const s = f32x4.add(one(), e);
  return f32x4.div(e, f32x4.mul(s, s));
}

// For |d| ≤ 1: softplus(η+d) − softplus(η) = max(d,0) + log1p(w), w = π·expm1(−|d|), where π is the mean for
// d ≤ 0 and one minus the mean for d > 0. So w is in [−0.633, 0] and no digit of a small d is lost.
// @ts-ignore: decorator
@inline
function smallChange(d: v128, eta: v128, e: v128, y: v128): v128 {
  const up = f32x4.gt(d, f32x4.splat(0));
  const share = v128.bitselect(e, one(), v128.not(v128.xor(up, f32x4.gt(eta, f32x4.splat(0)))));
  const v = f32x4.mul(share, expm1Unit(f32x4.pmax(f32x4.neg(f32x4.abs(d)), f32x4.splat(-1))));
  const s = f32x4.div(v, f32x4.add(f32x4.mul(f32x4.splat(2), f32x4.add(one(), e)), v));
  return f32x4.sub(f32x4.mul(f32x4.sub(y, positive(d)), d), twiceArtanh(s));
}

// log-likelihoods of models are compared to 1e-6 at any number of rows, which sums in float32 are not good enough for:
// they were off by 1e-7 a row. So this one runs in float64; its factors, 480 to a lane, stay within that.
const WIDE_PRODUCT: i32 = 960;

// (y − [η>0])·η in float64
// @ts-ignore: decorator
@inline
function linear64(eta: v128, y: v128): v128 {
  const up = v128.and(f64x2.gt(eta, f64x2.splat(0)), f64x2.splat(1));
  return f64x2.mul(f64x2.sub(y, up), f64x2.pmax(f64x2.pmin(eta, f64x2.splat(1e30)), f64x2.splat(-1e30)));
}

// 1 + exp(−|η|) in float64
// @ts-ignore: decorator
@inline
function factor64(eta: v128): v128 {
  return f64x2.add(f64x2.splat(1), exp64(f64x2.neg(f64x2.abs(eta))));
}

export function binomialLogLikelihood(eta: usize, y: usize, n: i32): f64 {
  let result: f64 = 0;
  let i = 0;
  while (i + 2 <= n) {
    const end = min(i + WIDE_PRODUCT, n & ~1);
    let sum = f64x2.splat(0), factors = f64x2.splat(1);
    for (; i < end; i += 2) {
      const k = <usize>i << 2;
      const v = loadWide(eta + k);
      sum = f64x2.add(sum, linear64(v, loadWide(y + k)));
      factors = f64x2.mul(factors, factor64(v));
    }
    result += total(sum) - log64(f64x2.extract_lane(factors, 0) * f64x2.extract_lane(factors, 1));
  }
  if (i < n) {
    const k = <usize>i << 2;
    const v = loadWideOne(eta + k);
    result += f64x2.extract_lane(linear64(v, loadWideOne(y + k)), 0) - log64(f64x2.extract_lane(factor64(v), 0));
  }
  return result;
}

export function binomialScore(out: usize, eta: usize, y: usize, n: i32): void {
  let k: usize = 0;
  for (const end = <usize>(n & ~3) << 2; k < end; k += 16) {
    v128.store(out + k, score(v128.load(eta + k), v128.load(y + k)));
  }
  const rest = n & 3;
  if (rest) storeFirst(out + k, score(loadFirst(eta + k, rest), loadFirst(y + k, rest)), rest);
}

export function binomialWeights(out: usize, eta: usize, n: i32): void {
  let k: usize = 0;
  for (const end = <usize>(n & ~3) << 2; k < end; k += 16) v128.store(out + k, weight(v128.load(eta + k)));
  const rest = n & 3;
  if (rest) storeFirst(out + k, weight(loadFirst(eta + k, rest)), rest);
}

// The change of (y − [η>0])·η
// @ts-ignore: decorator
@inline
function linearChange(d: v128, eta: v128, y: v128): v128 {
  const up = positive(f32x4.add(eta, d));
  return f32x4.add(f32x4.mul(f32x4.sub(y, up), d), f32x4.mul(f32x4.sub(positive(eta), up), eta));
}

// 1 + exp(−|η|)
// @ts-ignore: decorator
@inline
function factor(eta: v128): v128 {
  return f32x4.add(one(), decay32(eta));
}

// Rows that move by at most 1
function smallChanges(d: usize, eta: usize, y: usize, n: i32): f64 {
  let sum = f32x4.splat(0);
  for (let k: usize = 0, end = <usize>n << 2; k < end; k += 16) {
    const v = v128.load(eta + k);
    sum = f32x4.add(sum, smallChange(v128.load(d + k), v, decay32(v), v128.load(y + k)));
  }
  return horizontal(sum);
}

// The difference of two log-likelihoods, whose factors 1 + e go into products
function largeChanges(d: usize, eta: usize, y: usize, n: i32): f64 {
  let sum = f32x4.splat(0), before = one(), after = one();
  for (let k: usize = 0, end = <usize>n << 2; k < end; k += 16) {
    const by = bounded(v128.load(d + k)), from = bounded(v128.load(eta + k));
    sum = f32x4.add(sum, linearChange(by, from, v128.load(y + k)));
    before = f32x4.mul(before, factor(from));
    after = f32x4.mul(after, factor(f32x4.add(from, by)));
  }
  return horizontal(sum) - (logProduct(after) - logProduct(before));
}

// Whether no row moves by more than 1
function isSmall(d: usize, n: i32): bool {
  let a = f32x4.splat(0), b = a;
  let k: usize = 0;
  if (n & 4) {
    a = f32x4.abs(v128.load(d));
    k = 16;
  }
  for (const end = <usize>n << 2; k < end; k += 32) {
    a = f32x4.pmax(a, f32x4.abs(v128.load(d + k)));
    b = f32x4.pmax(b, f32x4.abs(v128.load(d + k, 16)));
  }
  return !v128.any_true(f32x4.gt(f32x4.pmax(a, b), one()));
}

function lastChange(d: v128, eta: v128, y: v128): f64 {
  if (!v128.any_true(f32x4.gt(f32x4.abs(d), one()))) return horizontal(smallChange(d, eta, decay32(eta), y));
  const by = bounded(d), from = bounded(eta);
  return horizontal(linearChange(by, from, y)) - (logProduct(factor(f32x4.add(from, by))) - logProduct(factor(from)));
}

// Rows of which one moves by more than 1 go the second way together: most do when a strong variable leaves, and two
// logarithms for each of them took half of the time.
export function binomialChange(d: usize, eta: usize, y: usize, n: i32): f64 {
  let result: f64 = 0;
  const whole = n & ~3;
  for (let i = 0; i < whole; i += PRODUCT) {
    const count = min(PRODUCT, whole - i);
    const k = <usize>i << 2;
    result += isSmall(d + k, count)
      ? smallChanges(d + k, eta + k, y + k, count)
      : largeChanges(d + k, eta + k, y + k, count);
  }
  const rest = n & 3;
  const k = <usize>whole << 2;
  // Behind the last row everything is zero, which changes nothing.
  if (rest) result += lastChange(loadFirst(d + k, rest), loadFirst(eta + k, rest), loadFirst(y + k, rest));
  return result;
}

// @ts-ignore: decorator
@inline
function add(out: usize, l: f64, g0: v128, g1: v128, h00: v128, h01: v128, h11: v128): void {
  store<f64>(out, load<f64>(out) + l);
  store<f64>(out, load<f64>(out, 8) + horizontal(g0), 8);
  store<f64>(out, load<f64>(out, 16) + horizontal(g1), 16);
  store<f64>(out, load<f64>(out, 24) + horizontal(h00), 24);
  store<f64>(out, load<f64>(out, 32) + horizontal(h01), 32);
  store<f64>(out, load<f64>(out, 40) + horizontal(h11), 40);
}

// out[0..6) += log-likelihood, g0, g1, h00, h01, h11 (float64) of η = a + b·z, z = (x − center)·scale
export function binomialOneVariable(
  out: usize, a: f32, b: f32, center: f32, scale: f32, x: usize, y: usize, n: i32,
): void {
  const va = f32x4.splat(a), vb = f32x4.splat(b), vc = f32x4.splat(center), vs = f32x4.splat(scale);
  const whole = n & ~7;
  let i = 0;
  while (i < whole) {
    const end = min(i + PRODUCT, whole);
    let l = f32x4.splat(0), g0 = l, g1 = l, h00 = l, h01 = l, h11 = l, f0 = one(), f1 = f0;
    // Eight rows a round, because seven running sums and the constants of exp do not fit the registers.
    for (; i < end; i += 8) {
      const px = x + (<usize>i << 2), py = y + (<usize>i << 2);
      const z0 = f32x4.mul(f32x4.sub(v128.load(px), vc), vs), z1 = f32x4.mul(f32x4.sub(v128.load(px, 16), vc), vs);
      const eta0 = f32x4.add(va, f32x4.mul(vb, z0)), eta1 = f32x4.add(va, f32x4.mul(vb, z1));
      const e0 = decay32(eta0), e1 = decay32(eta1);
      const s0 = f32x4.add(one(), e0), s1 = f32x4.add(one(), e1);
      f0 = f32x4.mul(f0, s0);
      f1 = f32x4.mul(f1, s1);
      const i0 = f32x4.div(one(), s0), i1 = f32x4.div(one(), s1);
      const w0 = f32x4.mul(f32x4.mul(e0, i0), i0), w1 = f32x4.mul(f32x4.mul(e1, i1), i1);
      h00 = f32x4.add(h00, f32x4.add(w0, w1));
      const wz0 = f32x4.mul(w0, z0), wz1 = f32x4.mul(w1, z1);
      h01 = f32x4.add(h01, f32x4.add(wz0, wz1));
      h11 = f32x4.add(h11, f32x4.add(f32x4.mul(wz0, z0), f32x4.mul(wz1, z1)));
      const y0 = v128.load(py), y1 = v128.load(py, 16);
      const up0 = f32x4.gt(eta0, f32x4.splat(0)), up1 = f32x4.gt(eta1, f32x4.splat(0));
      const l0 = f32x4.sub(f32x4.mul(y0, eta0), v128.and(eta0, up0));
      const l1 = f32x4.sub(f32x4.mul(y1, eta1), v128.and(eta1, up1));
      l = f32x4.add(l, f32x4.add(l0, l1));
      const r0 = f32x4.sub(y0, f32x4.mul(v128.bitselect(one(), e0, up0), i0));
      const r1 = f32x4.sub(y1, f32x4.mul(v128.bitselect(one(), e1, up1), i1));
      g0 = f32x4.add(g0, f32x4.add(r0, r1));
      g1 = f32x4.add(g1, f32x4.add(f32x4.mul(r0, z0), f32x4.mul(r1, z1)));
    }
    add(out, horizontal(l) - logProduct(f32x4.mul(f0, f1)), g0, g1, h00, h01, h11);
  }
  for (; i < n; i += 4) {
    const k = <usize>i << 2;
    const rest = min(n - i, 4);
    const live = firstLanes(rest);
    const z = v128.and(f32x4.mul(f32x4.sub(loadFirst(x + k, rest), vc), vs), live);
    const eta = v128.and(f32x4.add(va, f32x4.mul(vb, z)), live);
    const yi = loadFirst(y + k, rest);
    const r = v128.and(score(eta, yi), live);
    const w = v128.and(weight(eta), live);
    const wz = f32x4.mul(w, z);
    const l = horizontal(linear(bounded(eta), yi)) - logProduct(f32x4.add(one(), v128.and(decay32(eta), live)));
    add(out, l, r, f32x4.mul(r, z), w, wz, f32x4.mul(wz, z));
  }
}
