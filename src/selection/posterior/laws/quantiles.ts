/** Quantiles of mixtures over models. */

import {
  chiSquareTail,
  normalQuantile,
  quickStudentTCdf,
  studentTQuantile,
} from "../../../math/distributions.js";

/** A t distribution of a mixture. */
export interface Part {
  readonly weight: number;
  readonly mean: number;
  readonly scale: number;
  readonly freedom: number;
}

/** Of the mixture of these, times `pip`, with the rest of the probability at zero. */
export function quantilesOf(parts: readonly Part[]): (pip: number, q: number) => number {
  let total = 0;
  for (const { weight } of parts) total += weight;
  const below = (x: number): number => {
    let sum = 0;
    for (let i = 0; i < parts.length; i++) {
      const { weight, mean, scale, freedom } = parts[i];
      sum += weight * quickStudentTCdf((x - mean) / scale, freedom);
    }
    return sum / total;
  };
  let belowZero: number | undefined;
  return (pip, q) => {
    // The mass at zero reaches from one end beyond the other.
    if (pip < Math.min(q, 1 - q)) return 0;
    belowZero ??= below(0);
    const negative = pip * belowZero;
    if (q > negative && q <= negative + (1 - pip)) return 0;
    const level = (q <= negative ? q : q - (1 - pip)) / pip;
    const { low, high, ...near } = between(parts, level, total);
    const clipped = (x: number): number => (q <= negative ? Math.min(x, 0) : Math.max(x, 0));
    return solve(below, level, { ...near, low: clipped(low), high: clipped(high) });
  };
}

function between(parts: readonly Part[], level: number, total: number): Bracket {
  let [low, high, guess, width] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  let [freedom, t] = [Number.NaN, 0];
  for (const part of parts) {
    // Parts share their degrees of freedom but for where they come from different rows.
    if (part.freedom !== freedom) [freedom, t] = [part.freedom, studentTQuantile(level, part.freedom)];
    const own = part.mean + part.scale * t;
    low = Math.min(low, own);
    high = Math.max(high, own);
    guess += (part.weight / total) * own;
    width += (part.weight / total) * part.scale;
  }
  return { low, high, guess, slope: normalDensity(t) / width };
}

const normalDensity = (z: number): number => Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);

/** Of σ² with a residual sum of squares of one, in logs: from two degrees of freedom on within a factor of 40 of 1/ν. */
export function logInverseGammaQuantile(q: number, freedom: number): number {
  const below = (log: number): number => chiSquareTail(Math.exp(-log), freedom);
  const [low, high] = [-Math.log(64 * freedom), Math.log(64 / freedom)];
  // log σ² is about normal with a variance of 2/ν.
  const guess = -Math.log(freedom) + normalQuantile(q) * Math.sqrt(2 / freedom);
  return solve(below, q, { low, high, guess, slope: slopeOfNoise(q, freedom) });
}

export const slopeOfNoise = (q: number, freedom: number): number =>
  normalDensity(normalQuantile(q)) / Math.sqrt(2 / freedom);

/** Where to look for a quantile: between those of all parts, first at their mean, with a slope of about this. */
export interface Bracket {
  readonly low: number;
  readonly high: number;
  readonly guess: number;
  readonly slope: number;
}

/** The x at which an increasing function reaches a level, by secants, and by halving where they lead astray. */
export function solve(f: (x: number) => number, level: number, { guess, slope, ...ends }: Bracket): number {
  let { low, high } = ends;
  const tolerance = 1e-9 * (high - low);
  let x = Math.max(low, Math.min(high, guess));
  let value = f(x) - level;
  let rate = slope;
  for (let i = 0; i < 100 && Math.abs(value) >= 1e-10 && high - low > tolerance; i++) {
    if (value < 0) low = x;
    else high = x;
    const straight = x - value / rate;
    const next = i % 4 < 3 && straight > low && straight < high ? straight : 0.5 * (low + high);
    const after = f(next) - level;
    rate = (after - value) / (next - x);
    x = next;
    value = after;
  }
  return x;
}
