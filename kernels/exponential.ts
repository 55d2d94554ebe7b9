// exp and log1p for four float32 or two float64 at a time, without tables.
//   exp(x) = 2^k·exp(r), k = round(x/ln 2), |r| ≤ ½ln 2, exp(r) ≈ 1 + r + r²P(r)
//   log1p(e) = 2·artanh(s), s = e/(2 + e), 2·artanh(s) ≈ 2s + s³Q(s²)
// P and Q are minimax in relative error (Remez exchange); adding 1.5·2^23 (2^52) rounds k and leaves it in the
// low bits. pmin and pmax, unlike min and max, are one instruction, and pass a NaN in their first argument.
import { loadFirst, storeFirst } from "./lanes";

// Products and sums in the order that keeps the longest chain short: the loops wait for latency, not for units.
// @ts-ignore: decorator
@inline
function fma32(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.mul(a, b), c);
}

// @ts-ignore: decorator
@inline
function fma64(a: v128, b: v128, c: v128): v128 {
  return f64x2.add(f64x2.mul(a, b), c);
}

// @ts-ignore: decorator
@inline
function expAbove(x: v128): v128 {
  const magic = f32x4.splat(12582912.0);
  const t = fma32(x, f32x4.splat(1.44269504), magic);
  const k = f32x4.sub(t, magic);
  // ln 2 in two parts, the first of nine bits, so that k times it is exact
  const r = fma32(k, f32x4.splat(2.12194440e-4), f32x4.sub(x, f32x4.mul(k, f32x4.splat(0.693359375))));
  const r2 = f32x4.mul(r, r);
  const low = fma32(r, f32x4.splat(0.1666652039758789), f32x4.splat(0.49999993433058376));
  const high = fma32(r, f32x4.splat(0.008368745251238884), f32x4.splat(0.0416683905850998));
  const p = fma32(r2, fma32(r2, f32x4.splat(0.001381455046004368), high), low);
  const scale = i32x4.add(i32x4.shl(t, 23), f32x4.splat(1));
  return f32x4.mul(f32x4.add(fma32(r2, p, r), f32x4.splat(1)), scale);
}

// exp(x): relative error below 1e-7 on [−87.3, 88], 3e-9 of it the polynomial's; saturates outside.
// @ts-ignore: decorator
@inline
export function exp32(x: v128): v128 {
  return expAbove(f32x4.pmax(f32x4.pmin(x, f32x4.splat(88.0)), f32x4.splat(-87.3)));
}

// exp(−|x|)
// @ts-ignore: decorator
@inline
export function decay32(x: v128): v128 {
  return expAbove(f32x4.pmax(v128.or(x, f32x4.splat(-0.0)), f32x4.splat(-87.3)));
}

// exp(x) − 1 + shift in float64: relative error below 2e-13 of exp(x) for shift 1, and of the result itself for
// shift 0 and |x| ≤ 0.34; saturates outside [−700, 300], so that products of two stay finite.
// @ts-ignore: decorator
@inline
function shiftedExp64(x: v128, shift: f64): v128 {
  const magic = f64x2.splat(6755399441055744.0);
  x = f64x2.pmax(f64x2.pmin(x, f64x2.splat(300.0)), f64x2.splat(-700.0));
  const t = fma64(x, f64x2.splat(1.4426950408889634), magic);
  const r = f64x2.sub(x, f64x2.mul(f64x2.sub(t, magic), f64x2.splat(0.6931471805599453)));
  const r2 = f64x2.mul(r, r);
  const r4 = f64x2.mul(r2, r2);
  const p01 = fma64(r, f64x2.splat(0.16666666666598762), f64x2.splat(0.4999999999980003));
  const p23 = fma64(r, f64x2.splat(0.008333333377603955), f64x2.splat(0.041666666890242836));
  const p45 = fma64(r, f64x2.splat(0.00019841175337955097), f64x2.splat(0.0013888821735890062));
  const p67 = fma64(r, f64x2.splat(2.7639345869617185e-6), f64x2.splat(2.4876156936713682e-5));
  const p = f64x2.add(fma64(r2, p23, p01), f64x2.mul(r4, fma64(r2, p67, p45)));
  const scale = i64x2.add(i64x2.shl(t, 52), f64x2.splat(1));
  const part = fma64(r2, p, r);
  if (shift == 1) return f64x2.mul(f64x2.add(part, f64x2.splat(1)), scale);
  return fma64(part, scale, f64x2.sub(scale, f64x2.splat(1)));
}

// @ts-ignore: decorator
@inline
export function exp64(x: v128): v128 {
  return shiftedExp64(x, 1);
}

// @ts-ignore: decorator
@inline
export function expMinusOne64(x: v128): v128 {
  return shiftedExp64(x, 0);
}

// log of two normal positive float64: absolute error below 1e-14, by 2·artanh of the mantissa's distance from one
// @ts-ignore: decorator
@inline
export function logPair(x: v128): v128 {
  const raised = i64x2.splat(0x4330000000000000);
  // the exponent in the low bits of 2^52 becomes a number
  const biased = f64x2.sub(v128.or(i64x2.shr_u(x, 52), raised), raised);
  let m = v128.or(v128.and(x, i64x2.splat(0x000fffffffffffff)), f64x2.splat(1));
  const large = f64x2.gt(m, f64x2.splat(1.4142135623730951));
  m = v128.bitselect(f64x2.mul(m, f64x2.splat(0.5)), m, large);
  const k = f64x2.sub(biased, v128.bitselect(f64x2.splat(1022), f64x2.splat(1023), large));
  const s = f64x2.div(f64x2.sub(m, f64x2.splat(1)), f64x2.add(m, f64x2.splat(1)));
  const z = f64x2.mul(s, s);
  const z2 = f64x2.mul(z, z);
  const q01 = fma64(z, f64x2.splat(0.4000000005240285), f64x2.splat(0.6666666666658702));
  const q23 = fma64(z, f64x2.splat(0.22223373769908933), f64x2.splat(0.28571417104393126));
  const q45 = fma64(z, f64x2.splat(0.16820818289637718), f64x2.splat(0.18123567007883132));
  const q = fma64(z2, fma64(z2, q45, q23), q01);
  return fma64(k, f64x2.splat(0.6931471805599453), f64x2.mul(s, fma64(z, q, f64x2.splat(2))));
}

// log(x) of a normal positive float64 to 1e-14 absolute, by 2·artanh of the mantissa's distance from one
export function log64(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  let k = <i32>(bits >> 52) - 1023;
  let m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    k++;
  }
  const s = (m - 1) / (m + 1), z = s * s;
  let q: f64 = 0.16820818289637718;
  q = q * z + 0.18123567007883132;
  q = q * z + 0.22223373769908933;
  q = q * z + 0.28571417104393126;
  q = q * z + 0.4000000005240285;
  q = q * z + 0.6666666666658702;
  return x == x ? k * 0.6931471805599453 + s * (2 + z * q) : x;
}

// log(1 + e) for e in [0, 1], relative error below 3e-7; 4e-9 of it is the polynomial's.
// @ts-ignore: decorator
@inline
export function log1pUnit(e: v128): v128 {
  const s = f32x4.div(e, f32x4.add(f32x4.splat(2), e));
  const z = f32x4.mul(s, s);
  const low = fma32(z, f32x4.splat(0.4002152738844325), f32x4.splat(0.6666641628382355));
  const high = fma32(z, f32x4.splat(0.2801199831233369), f32x4.splat(0.28001802829977246));
  const q = fma32(f32x4.mul(z, z), high, low);
  return f32x4.mul(s, fma32(z, q, f32x4.splat(2)));
}

// exp(t) − 1 for t in [−1, 0], relative error below 3e-7
// @ts-ignore: decorator
@inline
export function expm1Unit(t: v128): v128 {
  const t2 = f32x4.mul(t, t);
  const p01 = fma32(t, f32x4.splat(0.4999997702631405), f32x4.splat(0.999999997541331));
  const p23 = fma32(t, f32x4.splat(0.04164557756783729), f32x4.splat(0.16666309801989684));
  const p45 = fma32(t, f32x4.splat(0.0012986639951974982), f32x4.splat(0.008273095854728685));
  const high = fma32(t2, f32x4.splat(0.00012838079295174408), p45);
  return f32x4.mul(t, fma32(t2, fma32(t2, high, p23), p01));
}

// 2·artanh(s) for s in [−0.463, 0], which is log1p(w) at s = w/(2 + w), w in [−0.633, 0]
// @ts-ignore: decorator
@inline
export function twiceArtanh(s: v128): v128 {
  const z = f32x4.mul(s, s);
  const z2 = f32x4.mul(z, z);
  const low = fma32(z, f32x4.splat(0.39978885663410924), f32x4.splat(0.6666699513531394));
  const high = fma32(z, f32x4.splat(0.183848247974748), f32x4.splat(0.2900729472232182));
  const q = fma32(z2, fma32(z2, f32x4.splat(0.326364034321794), high), low);
  return f32x4.mul(s, fma32(z, q, f32x4.splat(2)));
}

// max(x, 0) + log1p(exp(−|x|))
// @ts-ignore: decorator
@inline
function softplus32(x: v128): v128 {
  return f32x4.add(f32x4.max(x, f32x4.splat(0)), log1pUnit(decay32(x)));
}

export function exp(out: usize, x: usize, n: i32): void {
  let k: usize = 0;
  for (const end = <usize>(n & ~3) << 2; k < end; k += 16) v128.store(out + k, exp32(v128.load(x + k)));
  if (n & 3) storeFirst(out + k, exp32(loadFirst(x + k, n & 3)), n & 3);
}

export function softplus(out: usize, x: usize, n: i32): void {
  let k: usize = 0;
  for (const end = <usize>(n & ~3) << 2; k < end; k += 16) v128.store(out + k, softplus32(v128.load(x + k)));
  if (n & 3) storeFirst(out + k, softplus32(loadFirst(x + k, n & 3)), n & 3);
}
