/** Quantiles of a mixture of normal or t distributions: Halley's method, kept within brackets. */

import {
  foldedStudentT,
  isFolded,
  studentTCdf,
  studentTDensity,
  studentTQuantile,
} from "../math/distributions.js";

export interface Part {
  readonly weight: number;
  mean: number;
  sd: number;
  /** Degrees of freedom; undefined for a normal distribution. */
  readonly freedom: number | undefined;
}

export const freedomOf = ({ freedom = Number.POSITIVE_INFINITY }: Pick<Part, "freedom">): number => freedom;

/** Quantiles of standard laws, which are asked for over and over: by degrees of freedom and level. */
const STANDARD = new Map<number, Map<number, number>>();
export function standardQuantile(level: number, freedom: number): number {
  const known = STANDARD.get(freedom) ?? new Map<number, number>();
  STANDARD.set(freedom, known);
  const found = known.get(level) ?? studentTQuantile(level, freedom);
  known.set(level, found);
  return found;
}

/** Ends of brackets are halved in every fourth step at the latest: far fewer of them leave nothing between two doubles. */
const STEPS = 200;
/** In standard deviations of the narrowest part: the error that is left is about the cube of such a step. */
const LAST_STEP = 1e-3;
/** Brackets that are so narrow for the standard deviation of the mixture, or for the size of numbers, are one place. */
const [CLOSE, ROUNDING] = [1e-9, 1e-15];

export function mixtureQuantiles(parts: readonly Part[], levels: readonly number[]): number[] {
  const { total, mean, sd, skew, excess } = momentsOf(parts);
  // Of parts without a width the error of a step says nothing.
  const narrowest = parts.reduce((least, part) => Math.min(least, part.sd), Number.POSITIVE_INFINITY);
  let laws: readonly Law[] | undefined;
  return levels.map((q) => {
    let [low, high, centre] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (const part of parts) {
      const z = standardQuantile(q, freedomOf(part));
      const own = part.mean + z * part.sd;
      [low, high] = [Math.min(low, own), Math.max(high, own)];
      centre += (part.weight / total) * z;
    }
    const close = CLOSE * sd + ROUNDING * Math.max(Math.abs(low), Math.abs(high));
    if (!(high - low > close)) return 0.5 * (low + high);
    laws ??= parts.map(shaped);
    const start = mean + bent(centre, skew, excess) * sd;
    return quantile(laws, q * total, { start, narrowest, low, high, close });
  });
}

/** Of parts whose laws are taken for normal ones of the same scale, which they are nearly. */
function momentsOf(parts: readonly Part[]) {
  let [total, mean, square, third, fourth] = [0, 0, 0, 0, 0];
  for (const part of parts) {
    total += part.weight;
    mean += part.weight * part.mean;
  }
  mean /= total;
  for (const { weight, mean: at, sd } of parts) {
    const d = at - mean;
    const [d2, s2] = [d * d, sd * sd];
    square += weight * (d2 + s2);
    third += weight * d * (d2 + 3 * s2);
    fourth += weight * (d2 * (d2 + 6 * s2) + 3 * s2 * s2);
  }
  const variance = square / total;
  const sd = Math.sqrt(variance);
  const [skew, excess] = [third / (total * variance * sd), fourth / (total * variance * variance) - 3];
  return { total, mean, sd, skew, excess };
}

/** Beyond these the expansion of Cornish and Fisher leads astray. */
const [MOST_SKEW, MOST_EXCESS] = [0.5, 1];

/** A quantile of nearly the standard normal law, by its third and fourth moments (Cornish and Fisher 1938). */
function bent(z: number, skew: number, excess: number): number {
  if (!(Math.abs(skew) < MOST_SKEW && Math.abs(excess) < MOST_EXCESS)) return z;
  const z2 = z * z;
  return z + (skew / 6) * (z2 - 1) + (excess / 24) * z * (z2 - 3) - ((skew * skew) / 36) * z * (2 * z2 - 5);
}

/** Where to look for a quantile: between the least and the largest of the parts' own. */
interface Search {
  readonly start: number;
  readonly low: number;
  readonly high: number;
  /** So far apart they are one place. */
  readonly close: number;
  /** The smallest standard deviation of the parts. */
  readonly narrowest: number;
}

function quantile(
  laws: readonly Law[],
  level: number,
  { start, narrowest, close, ...bracket }: Search,
): number {
  let { low, high } = bracket;
  let x = Math.min(high, Math.max(low, start));
  for (let i = 0; i < STEPS && high - low > close; i++) {
    const { below, density, bend } = look(laws, x);
    if (below < level) low = x;
    else high = x;
    const newton = (below - level) / density;
    const turn = 1 - (0.5 * newton * bend) / density;
    let step = turn > 0.5 && turn < 2 ? newton / turn : newton;
    const last = Math.abs(step) < LAST_STEP * narrowest;
    // So far that the place is between both ends, where more of the law lies there than the density tells.
    if (!last && Math.abs(step) < 0.5 * close) step = Math.sign(step) * 0.5 * close;
    const next = x - step;
    const inside = next > low && next < high;
    if (inside && last) return next;
    x = inside && i % 4 !== 3 ? next : 0.5 * (low + high);
  }
  return 0.5 * (low + high);
}

/** A part with the shape of its law in standard units: the distribution function and two derivatives, at z ≥ 0. */
interface Law extends Part {
  at(z: number, out: Float64Array): void;
}

function shaped(part: Part): Law {
  const freedom = freedomOf(part);
  return { ...part, at: isFolded(freedom) ? fromTable(foldedStudentT(freedom)) : exactly(freedom) };
}

/** By Hermite's cubic in z/(1 + z), as kernels/mixture-ends.ts has it. */
function fromTable(table: Float64Array): Law["at"] {
  const cells = table.length / 2 - 1;
  return (z, out) => {
    const away = 1 / (1 + z);
    const place = cells * z * away;
    const i = Math.min(Math.floor(place), cells - 1);
    const u = place - i;
    const [value, slope] = [table[2 * i], table[2 * i + 1]];
    const rise = table[2 * i + 2] - value;
    const third = slope + table[2 * i + 3] - 2 * rise;
    const inner = rise - slope - third + u * third;
    const toX = cells * away * away;
    out[0] = value + u * (slope + u * inner);
    out[1] = toX * (slope + u * (2 * inner + u * third));
    out[2] = toX * toX * (2 * inner + 4 * u * third) - 2 * out[1] * away;
  };
}

function exactly(freedom: number): Law["at"] {
  const density = studentTDensity(freedom);
  return (z, out) => {
    out[0] = 1 - studentTCdf(-z, freedom);
    out[1] = density(z);
    out[2] = (-out[1] * (freedom + 1) * z) / (freedom + z * z);
  };
}

const standard = new Float64Array(3);

/** The distribution function at x, and its first and second derivatives. */
function look(laws: readonly Law[], x: number) {
  let [below, density, bend] = [0, 0, 0];
  for (const law of laws) {
    const { weight, mean, sd } = law;
    if (sd > 0) {
      const z = (x - mean) / sd;
      law.at(Math.abs(z), standard);
      const height = (weight * standard[1]) / sd;
      const fall = (weight * standard[2]) / (sd * sd);
      below += weight * (z > 0 ? standard[0] : 1 - standard[0]);
      density += height;
      bend += z > 0 ? fall : -fall;
    } else if (x >= mean) below += weight;
  }
  return { below, density, bend };
}
