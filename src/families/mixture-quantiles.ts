/** Quantiles of a mixture of normal or t distributions: Halley's method, kept within brackets. */

import { normalCdfGiven, normalQuantile, studentTCdf } from "../math/distributions.js";

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

/** Quantiles of the normal law, which are asked for over and over. */
const STANDARD = new Map<number, number>();
export function standardQuantile(q: number): number {
  const known = STANDARD.get(q) ?? normalQuantile(Math.min(0.999, Math.max(0.001, q)));
  STANDARD.set(q, known);
  return known;
}

export const nearlyNormal = ({ freedom }: Part): boolean => freedom === undefined || freedom > NEARLY_NORMAL;

export function mixtureQuantiles(parts: readonly Part[], levels: readonly number[]): number[] {
  let [total, mean, square] = [0, 0, 0];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let narrowest = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    narrowest = Math.min(narrowest, nearlyNormal(part) ? part.sd : 0);
    total += part.weight;
    mean += part.weight * part.mean;
    low = Math.min(low, part.mean - 12 * part.sd);
    high = Math.max(high, part.mean + 12 * part.sd);
  }
  mean /= total;
  let [third, fourth] = [0, 0];
  for (const { weight, mean: at, sd } of parts) {
    const d = at - mean;
    const [d2, s2] = [d * d, sd * sd];
    square += weight * (d2 + s2);
    third += weight * d * (d2 + 3 * s2);
    fourth += weight * (d2 * (d2 + 6 * s2) + 3 * s2 * s2);
  }
  const variance = square / total;
  const sd = Math.sqrt(variance);
  const skew = third / (total * variance * sd);
  const excess = fourth / (total * variance * variance) - 3;
  return levels.map((q) =>
    quantile(parts, q * total, {
      start: mean + bent(standardQuantile(q), skew, excess) * sd,
      narrowest,
      low,
      high,
    }),
  );
}

/** Beyond these the expansion of Cornish and Fisher leads astray. */
const [MOST_SKEW, MOST_EXCESS] = [0.5, 1];

/** A quantile of nearly the standard normal law, by its third and fourth moments (Cornish and Fisher 1938). */
function bent(z: number, skew: number, excess: number): number {
  if (!(Math.abs(skew) < MOST_SKEW && Math.abs(excess) < MOST_EXCESS)) return z;
  const z2 = z * z;
  return z + (skew / 6) * (z2 - 1) + (excess / 24) * z * (z2 - 3) - ((skew * skew) / 36) * z * (2 * z2 - 5);
}

/** Where all parts are normal, the error is about the cube of the last step, in the narrowest's standard deviations. */
const LAST_STEP = 5e-3;
const ROOT_2PI = Math.sqrt(2 * Math.PI);

/** Where to look for a quantile. */
interface Search {
  readonly start: number;
  /** The smallest standard deviation of the parts, where all are normal. */
  readonly narrowest: number;
  readonly low: number;
  readonly high: number;
}

function quantile(parts: readonly Part[], level: number, { start, narrowest, ...bracket }: Search): number {
  let { low, high } = bracket;
  let x = Math.min(high, Math.max(low, start));
  for (let i = 0; i < STEPS && high - low > 1e-9 * (1 + Math.abs(low) + Math.abs(high)); i++) {
    let [below, density, bend] = [-level, 0, 0];
    for (const part of parts) {
      const { weight, mean, sd } = part;
      if (sd > 0) {
        const z = (x - mean) / sd;
        const bell = Math.exp(-0.5 * z * z);
        below += weight * (nearlyNormal(part) ? normalCdfGiven(z, bell) : studentTCdf(z, part.freedom!));
        const height = (weight * bell) / (sd * ROOT_2PI);
        density += height;
        bend -= (height * z) / sd;
      } else if (x >= mean) below += weight;
    }
    if (below < 0) low = x;
    else high = x;
    const step = below / density;
    const turn = 1 - (0.5 * step * bend) / density;
    const next = x - (turn > 0.5 && turn < 2 ? step / turn : step);
    const inside = next > low && next < high;
    if (inside && Math.abs(next - x) < Math.max(LAST_STEP * narrowest, 1e-9 * (1 + Math.abs(x)))) return next;
    x = inside && i % 8 !== 7 ? next : 0.5 * (low + high);
  }
  return 0.5 * (low + high);
}
