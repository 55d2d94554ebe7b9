/**
 * The Pólya-Gamma law PG(1, c), by which a logistic likelihood becomes a Gaussian one: with κ = y − ½,
 *
 *     e^{yη}/(1 + e^η) ∝ e^{κη} ∫ e^{−ωη²/2} PG(ω; 1, 0) dω,   ω | η ~ PG(1, η)
 *
 * (Polson, Scott and Windle 2013). PG(1, c) is a quarter of J*(1, |c|/2), drawn by Devroye's method: a proposal with an
 * inverse Gaussian body below 0.64 and an exponential tail above it, then the alternating series squeezes.
 */

import { logNormalCdf, normalCdf } from "./distributions.js";
import { inverseGaussian } from "./inverse-gaussian.js";
import type { Rng } from "./rng.js";
import { exponential } from "./variates.js";

/** Where the two ways to write the series change places. */
const JOINT = 0.64;

export function polyaGamma(rng: Rng, c: number): number {
  const z = Math.abs(c) / 2;
  const rate = Math.PI ** 2 / 8 + (z * z) / 2;
  const tail = (Math.PI / (2 * rate)) * Math.exp(-rate * JOINT);
  const root = Math.sqrt(JOINT);
  const body =
    2 *
    (Math.exp(-z) * normalCdf((JOINT * z - 1) / root) + Math.exp(z + logNormalCdf(-(JOINT * z + 1) / root)));
  for (;;) {
    const x =
      rng.uniform() * (tail + body) < tail ? JOINT + exponential(rng) / rate : shortInverseGaussian(rng, z);
    let sum = term(0, x);
    const level = rng.uniform() * sum;
    for (let n = 1; ; n++) {
      if (n % 2 === 1) {
        sum -= term(n, x);
        if (level <= sum) return x / 4;
      } else {
        sum += term(n, x);
        if (level > sum) break;
      }
    }
  }
}

/** Of the alternating series of the density of J*(1, 0). */
function term(n: number, x: number): number {
  const k = n + 0.5;
  if (x > JOINT) return Math.PI * k * Math.exp(-0.5 * k * k * Math.PI ** 2 * x);
  return Math.PI * k * (2 / (Math.PI * x)) ** 1.5 * Math.exp((-2 * k * k) / x);
}

/** Inverse Gaussian with mean 1/z and shape 1, given that it lies below the joint. */
function shortInverseGaussian(rng: Rng, z: number): number {
  if (z * JOINT >= 1) {
    for (;;) {
      const x = inverseGaussian(rng, 1 / z, 1);
      if (x <= JOINT) return x;
    }
  }
  for (;;) {
    const e = exponential(rng);
    if (e * e > (2 * exponential(rng)) / JOINT) continue;
    const x = JOINT / (1 + JOINT * e) ** 2;
    if (exponential(rng) >= 0.5 * z * z * x) return x;
  }
}
