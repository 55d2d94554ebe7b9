/** Where a new observation will lie, given what is known of its linear predictor: a mixture of normal or t laws. */

import { logGamma } from "../math/special.js";
import { mixtureEnds } from "./mixture-ends.js";
import { mixtureQuantiles, type Part } from "./mixture-quantiles.js";

/** Its ends. */
export type Interval = readonly [number, number];

/** What normal noise about the linear predictor adds to the variance of a part, which shares its scale if it is a t law. */
function measurementVariance({ freedom }: Pick<Part, "freedom">, noiseVariance: number): number {
  // σ² is told by its mean, which lies above the square of the scale of a t law.
  const share = freedom === undefined || freedom <= 2 ? 1 : (freedom - 2) / freedom;
  return share * noiseVariance;
}

/** The linear predictor and normal noise about it. */
export function measurementInterval(
  parts: readonly Part[],
  coverage: number,
  noiseVariance: number,
): Interval {
  const wider = parts.map(
    (part): Part => ({ ...part, sd: Math.sqrt(part.sd ** 2 + measurementVariance(part, noiseVariance)) }),
  );
  return middle(wider, coverage);
}

export function measurementIntervals(
  parts: readonly Part[],
  laws: readonly Float64Array[],
  coverage: number,
  noiseVariance: number,
): Float64Array {
  const more = parts.map((part) => measurementVariance(part, noiseVariance));
  return mixtureEnds(parts, laws, endsOf(coverage), more);
}

const endsOf = (coverage: number): readonly [number, number] => [0.5 * (1 - coverage), 0.5 * (1 + coverage)];

/** With the same probability beyond either end. */
function middle(parts: readonly Part[], coverage: number): Interval {
  const [lower, upper] = mixtureQuantiles(parts, endsOf(coverage));
  return [lower, upper];
}

/** Beyond this mean counts are taken for continuous. */
const MANY = 500;

/**
 * Counts whose mean is log-normal, or nearly so, in each part: the shortest stretch of them that holds so much. Whole
 * numbers can seldom cut off the same on both sides, and where they are small the shortest stretch begins at zero.
 */
export function countInterval(parts: readonly Part[], coverage: number): Interval {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  return areMany(parts, total) ? continuous(parts, coverage) : shortest(upTo(parts, total), coverage);
}

function areMany(parts: readonly Part[], total: number): boolean {
  let mean = 0;
  for (const { weight, mean: eta, sd } of parts)
    mean += weight * Math.exp(Math.min(350, eta + 0.5 * sd * sd));
  return mean > MANY * total;
}

/** The same of many rows: those of many counts together. */
export function countIntervals(
  parts: readonly Part[],
  laws: readonly Float64Array[],
  coverage: number,
): Float64Array {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Float64Array(laws[0].length);
  const own = parts.map((part) => ({ ...part }));
  const many: number[] = [];
  for (let at = 0; at < found.length; at += 2) {
    own.forEach((part, f) => {
      part.mean = laws[f][at];
      part.sd = laws[f][at + 1];
    });
    if (areMany(own, total)) many.push(at);
    else found.set(shortest(upTo(own, total), coverage), at);
  }
  if (many.length === 0) return found;
  const logs = laws.map((law) =>
    Float64Array.from(many.flatMap((at) => [law[at], spreadOfLog(law[at], law[at + 1])])),
  );
  const ends = mixtureEnds(parts, logs, endsOf(coverage));
  many.forEach((at, i) => {
    found.set(Array.from(ends.subarray(2 * i, 2 * i + 2), countOf), at);
  });
  return found;
}

/** Of the standard normal law, from end to end. */
const REACH = 6;
/** A log mean that is known so well is one number. */
const KNOWN = 0.02;
/** Places that parts share; where more of them were needed, parts lie too far apart to share. */
const SHARED = 400;

/** Log means with their weights. */
interface Nodes {
  readonly logs: number[];
  readonly weights: number[];
}

/** Places of the log mean, on one grid for all parts: closer together than the Poisson laws at them are wide. */
function gather(parts: readonly Part[], into: Nodes): void {
  let [step, low, high] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { mean, sd } of parts) {
    if (sd < KNOWN) continue;
    step = Math.min(step, (0.8 * sd) / (1 + sd * Math.exp(0.5 * Math.min(MOST, mean))));
    low = Math.min(low, mean - REACH * sd);
    high = Math.max(high, mean + REACH * sd);
  }
  const count = high > low ? Math.ceil((high - low) / step) + 1 : 0;
  if (count > SHARED && parts.length > 1) {
    const half = parts.length >> 1;
    gather(parts.slice(0, half), into);
    gather(parts.slice(half), into);
    return;
  }
  const first = into.logs.length;
  for (let i = 0; i < count; i++) {
    into.logs.push(low + i * step);
    into.weights.push(0);
  }
  for (const { weight, mean, sd } of parts) {
    if (sd < KNOWN) {
      into.logs.push(mean);
      into.weights.push(weight);
      continue;
    }
    const from = Math.max(0, Math.ceil((mean - REACH * sd - low) / step));
    const to = Math.min(count - 1, Math.floor((mean + REACH * sd - low) / step));
    const bells = bellsFrom((low + from * step - mean) / sd, step / sd, to - from + 1);
    let sum = 0;
    for (const bell of bells) sum += bell;
    for (let i = 0; i < bells.length; i++) into.weights[first + from + i] += (weight / sum) * bells[i];
  }
}

/** exp(−z²/2) at so many places from z on: each is the one before times a number that falls by a constant share. */
function bellsFrom(z: number, step: number, count: number): number[] {
  const bells: number[] = [];
  const fall = Math.exp(-step * step);
  let [bell, ratio] = [Math.exp(-0.5 * z * z), Math.exp(-step * (z + 0.5 * step))];
  for (let i = 0; i < count; i++) {
    bells.push(bell);
    bell *= ratio;
    ratio *= fall;
  }
  return bells;
}

/** What lies beyond counts so improbable is left out. */
const NEARLY_ALL = 0.9999;

/** Standard deviations below the least mean where counts may as well begin: less than 1e-14 lies there. */
const EMPTY = 8;

/** The probability of at most 0, 1, 2, …: Poisson laws at the nodes, added up from where there is anything. */
function upTo(parts: readonly Part[], total: number): number[] {
  const nodes: Nodes = { logs: [], weights: [] };
  gather(parts, nodes);
  const logs = nodes.logs.map((log) => Math.min(MOST, log));
  const means = logs.map(Math.exp);
  const least = means.reduce((a, b) => Math.min(a, b));
  const from = Math.max(0, Math.floor(least - EMPTY * Math.sqrt(least)));
  const factorial = logGamma(from + 1);
  const at = means.map(
    (lambda, i) => (nodes.weights[i] / total) * Math.exp(from * logs[i] - lambda - factorial),
  );
  const sums = new Array<number>(from).fill(0);
  let below = 0;
  while (below < NEARLY_ALL && sums.length < 100 * MANY) {
    const share = 1 / (sums.length + 1);
    for (let i = 0; i < at.length; i++) {
      below += at[i];
      at[i] *= share * means[i];
    }
    sums.push(below);
  }
  return sums;
}

/** Of the stretches of counts with so much probability one of the shortest: the most probable of those. */
function shortest(sums: readonly number[], coverage: number): Interval {
  let best = { from: 0, to: sums.length - 1, mass: 0 };
  for (let from = 0, to = 0; to < sums.length; from++) {
    const before = from === 0 ? 0 : sums[from - 1];
    while (to < sums.length && sums[to] - before < coverage) to += 1;
    if (to === sums.length) break;
    const mass = sums[to] - before;
    const longer = to - from - (best.to - best.from);
    if (longer < 0 || (longer === 0 && mass > best.mass)) best = { from, to, mass };
  }
  return [best.from, best.to];
}

/** Of a log mean beyond which exp(−λ) is zero; what lies there is far above all else in a mixture of smaller means. */
const MOST = Math.log(700);

/** The logarithm of a large count is nearly normal, with the variance of the log mean and 1/λ. */
const spreadOfLog = (mean: number, sd: number): number => Math.hypot(sd, Math.exp(-0.5 * mean));
const countOf = (log: number): number => Math.round(Math.exp(Math.min(700, log)));

function continuous(parts: readonly Part[], coverage: number): Interval {
  const logs = parts.map((part): Part => ({ ...part, sd: spreadOfLog(part.mean, part.sd) }));
  const [lower, upper] = middle(logs, coverage);
  return [countOf(lower), countOf(upper)];
}
