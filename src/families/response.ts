/**
 * How a response tells of its own linear predictor. If η ~ N(m, v) before the response y is seen, then after it
 *
 *     p(η | y) ∝ exp(−(η − m)²/(2v)) · p(y | η),
 *
 * one number with a concave log density: normal for a Gaussian response, drawn by rejection for the others. Missing
 * predictors enter the likelihood through η alone, so this is all they need to know of the family.
 */

import { logConcave } from "../math/log-concave.js";
import type { Rng } from "../math/rng.js";
import type { RowFunctions } from "./plain.js";

export interface Response {
  /** log p(y | η), up to a constant in η. */
  logDensity(y: number, eta: number): number;
  /** η given y, where it was N(m, v). */
  draw(rng: Rng, y: number, m: number, v: number): number;
}

/** log p(y | η) = yη − b(η), with b′ the mean and b″ the variance of y. */
export interface Exponential {
  b(eta: number): number;
  mean(eta: number): number;
  variance(mean: number): number;
}

export function exponentialResponse({ b, mean, variance }: Exponential): Response {
  const logDensity = (y: number, eta: number): number => y * eta - b(eta);
  return {
    logDensity,
    draw: (rng, y, m, v) =>
      drawConcave(rng, m, m + v * (y - mean(m)), {
        logDensity: (eta) => (-0.5 * (eta - m) ** 2) / v + y * eta - b(eta),
        slope: (eta) => (m - eta) / v + y - mean(eta),
        curvature: (eta) => 1 / v + variance(mean(eta)),
      }),
  };
}

/** The same of any log density that is concave in η. */
export function concaveResponse({ logDensity, score, weight }: RowFunctions): Response {
  return {
    logDensity,
    draw: (rng, y, m, v) =>
      drawConcave(rng, m, m + v * score(y, m), {
        logDensity: (eta) => (-0.5 * (eta - m) ** 2) / v + logDensity(y, eta),
        slope: (eta) => (m - eta) / v + score(y, eta),
        curvature: (eta) => 1 / v + weight(eta),
      }),
  };
}

/** A draw from a concave log density whose mode lies between a and b. */
function drawConcave(
  rng: Rng,
  a: number,
  b: number,
  of: {
    logDensity(eta: number): number;
    slope(eta: number): number;
    curvature(eta: number): number;
  },
): number {
  const mode = fallingRoot(of.slope, of.curvature, a, b);
  return logConcave(rng, of, mode, 1 / Math.sqrt(of.curvature(mode)));
}

/** The zero of a falling function between a and b, by Newton's method kept within them; −f′ is given. */
function fallingRoot(f: (x: number) => number, fall: (x: number) => number, a: number, b: number): number {
  let [low, high] = a < b ? [a, b] : [b, a];
  let x = a;
  for (let i = 0; i < 200; i++) {
    const value = f(x);
    if (value > 0) low = x;
    else high = x;
    const steep = fall(x);
    const next = x + value / steep;
    // A thousandth of the scale on which the density lives moves its top by 5e-7 of itself.
    if (Math.abs(value) < 1e-3 * Math.sqrt(steep)) return next;
    x = next > low && next < high ? next : 0.5 * (low + high);
  }
  return x;
}
