/**
 * The beta distribution: its distribution function by the continued fraction of the incomplete beta integral
 * (DLMF 8.17.22, evaluated by Lentz's method), its quantile by bisection, which cannot fail.
 */

import { logGamma } from "./special.js";

/** P(X ≤ x) for X ~ Beta(a, b). */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on the left of the mean; on the right use the mirror image.
  return x < (a + 1) / (a + b + 2) ? lowerTail(x, a, b) : 1 - lowerTail(1 - x, b, a);
}

/** The x with P(X ≤ x) = p for X ~ Beta(a, b). */
export function betaQuantile(p: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (betaCdf(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

function lowerTail(x: number, a: number, b: number): number {
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x) - Math.log(a),
  );
  const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let fraction = 1;
  let c = 1;
  let d = 0;
  for (let i = 1; i < 10_000; i++) {
    const m = i >> 1;
    const coefficient =
      i % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : -((a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + coefficient * d);
    c = away(1 + coefficient / c);
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return front / fraction;
}
