// The laws of the coefficients of n models from sums of products, one after the other, and what models are worth at every
// scale of the slab: see src/selection/posterior/laws/many-laws.ts.
import { log64 } from "./exponential";
import { factorRows } from "./factor";

// The model in hand: its factor at the scale that was asked for last.
let rows: usize, gram: usize, stride: usize, k: i32;
let fit: f64, logDeterminant: f64;

function factorAt(ridge: f64): void {
  factorRows(rows, gram, stride, k, ridge, max(0.5 * ridge, f64.MIN_VALUE));
  fit = 0;
  logDeterminant = 0;
  for (let i = 0; i < k; i++) {
    const row = rows + <usize>i * stride;
    const z = load<f64>(row + (<usize>k << 3));
    fit += z * z;
    logDeterminant += 2 * log64(load<f64>(row + (<usize>i << 3)));
  }
}

// Of the problem. An unknown noise variance is negative; the room holds 2k rows of k + 2 numbers and k more, or of k + 1.
let ofScales: usize, ofPriors: usize, ofGains: usize, isZellner: bool, noiseVariance: f64, targetSquares: f64, freedom: f64;

// @ts-ignore: decorator
@inline
function scaleAt(s: i32): f64 {
  return load<f64>(ofScales + (<usize>s << 3));
}

// @ts-ignore: decorator
@inline
function ridgeAt(s: i32): f64 {
  return (noiseVariance < 0 ? 1 : noiseVariance) / scaleAt(s);
}

// log p(y, scale | S): as in src/selection/posterior/scale-law.ts and worth.ts
function logAt(s: i32): f64 {
  const scale = scaleAt(s);
  if (!isZellner) factorAt(ridgeAt(s));
  const penalty = isZellner ? k * log64(1 + scale) : logDeterminant - k * log64(ridgeAt(s));
  const explained = isZellner ? fit * scale / (1 + scale) : fit;
  const worth = noiseVariance < 0
    ? -0.5 * freedom * log64(max(targetSquares - explained, 1e-12 * targetSquares))
    : explained / (2 * noiseVariance);
  const at = <usize>s << 3;
  return load<f64>(ofPriors + at) + k * load<f64>(ofGains + at) - 0.5 * penalty + worth;
}

function peak(first: i32, count: i32): i32 {
  let at = first;
  let height = logAt(at);
  for (let step = 1; step >= -1; step -= 2) {
    const from = at;
    while (at + step >= 0 && at + step < count) {
      const next = logAt(at + step);
      if (!(next > height)) break;
      at += step;
      height = next;
    }
    if (at != from) break;
  }
  return at;
}

// The sums of products of the members, with those of the target and, where asked for, their distances from the centre
// behind them.
function gather(sums: usize, cross: usize, away: usize, size: i32, members: usize): void {
  stride = <usize>(away ? k + 2 : k + 1) << 3;
  gram = rows + <usize>k * stride;
  for (let i = 0; i < k; i++) {
    const to = gram + <usize>i * stride;
    const a = <usize>load<i32>(members + (<usize>i << 2));
    const from = sums + a * (<usize>size << 3);
    for (let j = i; j < k; j++) {
      store<f64>(to + (<usize>j << 3), load<f64>(from + (<usize>load<i32>(members + (<usize>j << 2)) << 3)));
    }
    store<f64>(to + (<usize>k << 3), load<f64>(cross + (a << 3)));
    if (away) store<f64>(to + (<usize>k << 3) + 8, load<f64>(away + (a << 3)));
  }
}

// x = U⁻¹z and the squared lengths of the rows of U⁻¹, U = L'
function solve(means: usize, squares: usize, x: usize): void {
  for (let i = k - 1; i >= 0; i--) {
    const row = rows + <usize>i * stride;
    let sum = load<f64>(row + (<usize>k << 3));
    for (let j = i + 1; j < k; j++) sum -= load<f64>(row + (<usize>j << 3)) * load<f64>(means + (<usize>j << 3));
    store<f64>(means + (<usize>i << 3), sum / load<f64>(row + (<usize>i << 3)));
    store<f64>(squares + (<usize>i << 3), 0);
  }
  for (let c = 0; c < k; c++) {
    for (let i = c; i >= 0; i--) {
      const row = rows + <usize>i * stride;
      let sum: f64 = i == c ? 1 : 0;
      for (let j = i + 1; j <= c; j++) sum -= load<f64>(row + (<usize>j << 3)) * load<f64>(x + (<usize>j << 3));
      const value = sum / load<f64>(row + (<usize>i << 3));
      store<f64>(x + (<usize>i << 3), value);
      const to = squares + (<usize>i << 3);
      store<f64>(to, load<f64>(to) + value * value);
    }
  }
}

export function ofProblem(
  scales: usize, priors: usize, gains: usize, zellner: i32, noise: f64, target: f64, degrees: f64,
): void {
  ofScales = scales;
  ofPriors = priors;
  ofGains = gains;
  isZellner = zellner != 0;
  noiseVariance = noise;
  targetSquares = target;
  freedom = degrees;
}

// log p(y, scale | S) of n models at each of so many scales.
export function modelWorths(
  out: usize, sums: usize, cross: usize, members: usize, sizes: usize, room: usize, size: i32, n: i32, count: i32,
): void {
  rows = room;
  for (let m: usize = 0; m < <usize>n; m++) {
    k = load<i32>(sizes + (m << 2));
    gather(sums, cross, 0, size, members);
    if (isZellner) factorAt(0);
    for (let s = 0; s < count; s++, out += 8) store<f64>(out, logAt(s));
    members += <usize>k << 2;
  }
}

// Of every model come the place of its scale, b'A⁻¹b, c'A⁻¹b and c'A⁻¹c, then its k means and the diagonal of A⁻¹. Where
// its place is negative the most probable scale is looked for, uphill from `first`.
export function modelLaws(
  out: usize, sums: usize, cross: usize, away: usize, members: usize, sizes: usize, places: usize, room: usize,
  size: i32, n: i32, first: i32, count: i32,
): void {
  rows = room;
  for (let m: usize = 0; m < <usize>n; m++) {
    k = load<i32>(sizes + (m << 2));
    gather(sums, cross, away, size, members);
    if (isZellner) factorAt(0);
    let place = load<i32>(places + (m << 2));
    if (place < 0) place = peak(first, count);
    if (!isZellner) factorAt(ridgeAt(place));
    let leaning: f64 = 0, passing: f64 = 0;
    for (let i = 0; i < k; i++) {
      const at = rows + <usize>i * stride + (<usize>k << 3);
      const z = load<f64>(at), v = load<f64>(at + 8);
      leaning += v * z;
      passing += v * v;
    }
    store<f64>(out, place);
    store<f64>(out + 8, fit);
    store<f64>(out + 16, leaning);
    store<f64>(out + 24, passing);
    const means = out + 32, squares = means + (<usize>k << 3);
    solve(means, squares, gram + <usize>k * stride);
    out = squares + (<usize>k << 3);
    members += <usize>k << 2;
  }
}
