/** Quantiles of a mixture of normal or t distributions: Newton's method, kept within brackets. */

import { normalCdf, studentTCdf } from "../math/distributions.js";

export interface Part {
  readonly weight: number;
  mean: number;
  sd: number;
  /** Degrees of freedom; undefined for a normal distribution. */
  readonly freedom: number | undefined;
}

/** Beyond this the t distribution is the normal one to 1e-5. */
const NEARLY_NORMAL = 20_000;
const STEPS = 60;

export function mixtureQuantiles(parts: readonly Part[], levels: readonly number[]): number[] {
  let [total, mean, square] = [0, 0, 0];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    total += part.weight;
    mean += part.weight * part.mean;
    low = Math.min(low, part.mean - 12 * part.sd);
    high = Math.max(high, part.mean + 12 * part.sd);
  }
  mean /= total;
  for (const part of parts) square += (part.weight / total) * ((part.mean - mean) ** 2 + part.sd ** 2);
  const sd = Math.sqrt(square);
  return levels.map((q) => quantile(parts, q * total, mean + (q < 0.5 ? -2 : 2) * sd, { low, high }));
}

function quantile(
  parts: readonly Part[],
  level: number,
  start: number,
  bracket: { readonly low: number; readonly high: number },
): number {
  let { low, high } = bracket;
  let x = Math.min(high, Math.max(low, start));
  for (let i = 0; i < STEPS && high - low > 1e-9 * (1 + Math.abs(low) + Math.abs(high)); i++) {
    let [below, density] = [-level, 0];
    for (const { weight, mean, sd, freedom } of parts) {
      if (sd > 0) {
        const z = (x - mean) / sd;
        const isT = freedom !== undefined && freedom <= NEARLY_NORMAL;
        below += weight * (isT ? studentTCdf(z, freedom) : normalCdf(z));
        density += (weight * Math.exp(-0.5 * z * z)) / (sd * Math.sqrt(2 * Math.PI));
      } else if (x >= mean) below += weight;
    }
    if (below < 0) low = x;
    else high = x;
    const next = x - below / density;
    const inside = next > low && next < high;
    // Newton's step from next door is as good as the bracket's end.
    if (inside && Math.abs(next - x) < 1e-9 * (1 + Math.abs(x))) return next;
    x = inside && i % 8 !== 7 ? next : 0.5 * (low + high);
  }
  return 0.5 * (low + high);
}
