// The Poisson family with the log link, y a count. Means are unbounded, and a float32 exp would be wrong by 0.1
// at a count of 10⁶: so all sums run in float64; only score and weights, whose results are float32, do not.
import { exp32, exp64, expMinusOne64 } from "./exponential";
import { loadFirst, loadWide, loadWideOne, storeFirst, total } from "./lanes";

// @ts-ignore: decorator
@inline
function bounded(v: v128): v128 {
  return f64x2.pmax(f64x2.pmin(v, f64x2.splat(1e30)), f64x2.splat(-1e30));
}

// The mean in float32. It saturates where its products with columns do not overflow yet.
// @ts-ignore: decorator
@inline
function mean32(eta: v128): v128 {
  return exp32(f32x4.pmin(eta, f32x4.splat(44.0)));
}

// @ts-ignore: decorator
@inline
function logLikelihood(eta: v128, y: v128): v128 {
  eta = bounded(eta);
  return f64x2.sub(f64x2.mul(y, eta), exp64(eta));
}

// y·d − e^η·(e^d − 1)
// @ts-ignore: decorator
@inline
function change(d: v128, eta: v128, y: v128): v128 {
  return f64x2.sub(
    f64x2.mul(y, bounded(d)),
    f64x2.mul(exp64(eta), expMinusOne64(d)),
  );
}

export function poissonLogLikelihood(eta: usize, y: usize, n: i32): f64 {
  let sum = f64x2.splat(0);
  let k: usize = 0;
  for (const end = <usize>(n & ~1) << 2; k < end; k += 8) {
    sum = f64x2.add(sum, logLikelihood(loadWide(eta + k), loadWide(y + k)));
  }
  let last: f64 = 0;
  if (n & 1) last = f64x2.extract_lane(logLikelihood(loadWideOne(eta + k), loadWideOne(y + k)), 0);
  return total(sum) + last;
}

export function poissonScore(out: usize, eta: usize, y: usize, n: i32): void {
  let k: usize = 0;
  for (const end = <usize>(n & ~3) << 2; k < end; k += 16) {
    v128.store(out + k, f32x4.sub(v128.load(y + k), mean32(v128.load(eta + k))));
  }
  const rest = n & 3;
  if (rest) storeFirst(out + k, f32x4.sub(loadFirst(y + k, rest), mean32(loadFirst(eta + k, rest))), rest);
}

export function poissonWeights(out: usize, eta: usize, n: i32): void {
  let k: usize = 0;
  for (const end = <usize>(n & ~3) << 2; k < end; k += 16) v128.store(out + k, mean32(v128.load(eta + k)));
  if (n & 3) storeFirst(out + k, mean32(loadFirst(eta + k, n & 3)), n & 3);
}

export function poissonChange(d: usize, eta: usize, y: usize, n: i32): f64 {
  let sum = f64x2.splat(0);
  let k: usize = 0;
  for (const end = <usize>(n & ~1) << 2; k < end; k += 8) {
    sum = f64x2.add(sum, change(loadWide(d + k), loadWide(eta + k), loadWide(y + k)));
  }
  let last: f64 = 0;
  if (n & 1) {
    last = f64x2.extract_lane(change(loadWideOne(d + k), loadWideOne(eta + k), loadWideOne(y + k)), 0);
  }
  return total(sum) + last;
}

// out[0..6) += log-likelihood, g0, g1, h00, h01, h11 (float64) of η = a + b·z, z = (x − center)·scale
export function poissonOneVariable(
  out: usize, a: f64, b: f64, center: f64, scale: f64, x: usize, y: usize, n: i32,
): void {
  const va = f64x2.splat(a), vb = f64x2.splat(b), vc = f64x2.splat(center), vs = f64x2.splat(scale);
  let l = f64x2.splat(0), g0 = l, g1 = l, h00 = l, h01 = l, h11 = l;
  const whole = n & ~1;
  for (let i = 0; i < whole; i += 2) {
    const k = <usize>i << 2;
    const z = f64x2.mul(f64x2.sub(loadWide(x + k), vc), vs);
    const eta = f64x2.add(va, f64x2.mul(vb, z));
    const yi = loadWide(y + k);
    const mean = exp64(eta);
    const r = f64x2.sub(yi, mean);
    const wz = f64x2.mul(mean, z);
    l = f64x2.add(l, f64x2.sub(f64x2.mul(yi, bounded(eta)), mean));
    g0 = f64x2.add(g0, r);
    g1 = f64x2.add(g1, f64x2.mul(r, z));
    h00 = f64x2.add(h00, mean);
    h01 = f64x2.add(h01, wz);
    h11 = f64x2.add(h11, f64x2.mul(wz, z));
  }
  if (n & 1) {
    const k = <usize>whole << 2;
    const live = i64x2(-1, 0);
    const z = v128.and(f64x2.mul(f64x2.sub(loadWideOne(x + k), vc), vs), live);
    const eta = bounded(f64x2.add(va, f64x2.mul(vb, z)));
    const yi = loadWideOne(y + k);
    const mean = v128.and(exp64(eta), live);
    const r = f64x2.sub(yi, mean);
    const wz = f64x2.mul(mean, z);
    l = f64x2.add(l, f64x2.sub(f64x2.mul(yi, eta), mean));
    g0 = f64x2.add(g0, r);
    g1 = f64x2.add(g1, f64x2.mul(r, z));
    h00 = f64x2.add(h00, mean);
    h01 = f64x2.add(h01, wz);
    h11 = f64x2.add(h11, f64x2.mul(wz, z));
  }
  store<f64>(out, load<f64>(out) + total(l));
  store<f64>(out, load<f64>(out, 8) + total(g0), 8);
  store<f64>(out, load<f64>(out, 16) + total(g1), 16);
  store<f64>(out, load<f64>(out, 24) + total(h00), 24);
  store<f64>(out, load<f64>(out, 32) + total(h01), 32);
  store<f64>(out, load<f64>(out, 40) + total(h11), 40);
}
