/** Where a new observation will lie, given what is known of its linear predictor: a mixture of normal or t laws. */

import { mixtureQuantiles, type Part } from "./mixture-quantiles.js";

/** The linear predictor and normal noise about it; parts with few degrees of freedom share their scale with it. */
export function measurementQuantiles(
  parts: readonly Part[],
  levels: readonly number[],
  noiseVariance: number,
): number[] {
  const wider = parts.map((part): Part => {
    const { freedom } = part;
    // σ² is told by its mean, which lies above the square of the scale of a t law.
    const share = freedom === undefined || freedom <= 2 ? 1 : (freedom - 2) / freedom;
    return { ...part, sd: Math.sqrt(part.sd ** 2 + share * noiseVariance) };
  });
  return mixtureQuantiles(wider, levels);
}

/** Beyond this mean counts are taken for continuous. */
const MANY = 500;

/** Counts whose mean is log-normal, or nearly so, in each part. */
export function countQuantiles(parts: readonly Part[], levels: readonly number[]): number[] {
  let [total, mean] = [0, 0];
  for (const { weight, mean: eta, sd } of parts) {
    total += weight;
    mean += weight * Math.exp(Math.min(350, eta + 0.5 * sd * sd));
  }
  return mean > MANY * total ? continuous(parts, levels) : byAddition(parts, levels, total);
}

/** Of the standard normal law, from end to end. */
const REACH = 4.5;
/** A log mean that is known so well is one number. */
const KNOWN = 0.02;

/** Places of a log mean with their weights: closer together than the Poisson laws at them are wide. */
function nodes({ mean, sd }: Part): (readonly [number, number])[] {
  if (sd < KNOWN) return [[mean, 1]];
  const step = 0.8 / (1 + sd * Math.exp(0.5 * Math.min(MOST, mean)));
  const half = Math.ceil(REACH / step);
  const all = Array.from({ length: 2 * half + 1 }, (_, i) => {
    const z = (i - half) * step;
    return [mean + sd * z, Math.exp(-0.5 * z * z)] as const;
  });
  const total = all.reduce((sum, [, weight]) => sum + weight, 0);
  return all.map(([log, weight]) => [log, weight / total]);
}

/** The least counts with at least so much probability up to them: Poisson laws at the nodes, added up from zero. */
function byAddition(parts: readonly Part[], levels: readonly number[], total: number): number[] {
  const means: number[] = [];
  const at: number[] = [];
  for (const part of parts) {
    for (const [log, weight] of nodes(part)) {
      const lambda = Math.exp(Math.min(MOST, log));
      means.push(lambda);
      at.push(((part.weight * weight) / total) * Math.exp(-lambda));
    }
  }
  const found = levels.map(() => -1);
  let below = 0;
  for (let k = 0; found.includes(-1) && k < 100 * MANY; k++) {
    for (let i = 0; i < at.length; i++) {
      below += at[i];
      at[i] *= means[i] / (k + 1);
    }
    levels.forEach((level, l) => {
      if (found[l] < 0 && below >= level) found[l] = k;
    });
  }
  return found.map((k) => (k < 0 ? 100 * MANY : k));
}

/** Of a log mean beyond which exp(−λ) is zero; what lies there is far above all else in a mixture of smaller means. */
const MOST = Math.log(700);

/** The logarithm of a large count is nearly normal, with the variance of the log mean and 1/λ. */
function continuous(parts: readonly Part[], levels: readonly number[]): number[] {
  const logs = parts.map((part): Part => ({ ...part, sd: Math.hypot(part.sd, Math.exp(-0.5 * part.mean)) }));
  return mixtureQuantiles(logs, levels).map((log) => Math.round(Math.exp(Math.min(700, log))));
}
