/**
 * An exact draw from a density with a concave logarithm, by rejection. Between the tangents at √2 scales to either
 * side of the mode the envelope is level with the mode, beyond it follows them; concavity puts it above the density
 * wherever the scale came from. With the scale of the curvature at the mode 89% of the proposals pass for a normal
 * density (Devroye 1986, section VII.2, has the general idea).
 */

import type { Rng } from "./rng.js";
import { exponential } from "./variates.js";

export interface LogConcave {
  /** Up to a constant. */
  logDensity(x: number): number;
  slope(x: number): number;
}

export function logConcave(rng: Rng, { logDensity, slope }: LogConcave, mode: number, scale: number): number {
  const top = logDensity(mode);
  const [left, right] = [mode - Math.SQRT2 * scale, mode + Math.SQRT2 * scale];
  const [rise, fall] = [slope(left), -slope(right)];
  // Where the tangents reach the level of the mode.
  const from = left + (top - logDensity(left)) / rise;
  const to = right - (top - logDensity(right)) / fall;
  const total = 1 / rise + (to - from) + 1 / fall;
  for (;;) {
    const u = rng.uniform() * total - 1 / rise;
    let x: number;
    let below = 0;
    if (u < 0) {
      below = exponential(rng);
      x = from - below / rise;
    } else if (u < to - from) x = from + u;
    else {
      below = exponential(rng);
      x = to + below / fall;
    }
    if (exponential(rng) > top - below - logDensity(x)) return x;
  }
}
