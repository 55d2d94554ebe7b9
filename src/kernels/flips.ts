/** How readily candidates outside a model come in, all at once: see selection/posterior/flip-rates.ts. */

/**
 * Log odds of candidate j: base + offset − half·log d − power·log(1 − min(share·u²/d, 1 − saturated)) + worth·u²/d.
 * Base and share change with the model.
 */
export interface FlipTerms {
  base: number;
  share: number;
  readonly half: number;
  readonly power: number;
  readonly saturated: number;
  readonly worth: number;
  /** What is added to the probability of being inside before it becomes a rate. */
  readonly spread: number;
}

/** One entry for each candidate. */
export interface FlipArrays {
  /** d and u. */
  readonly pivot: Float64Array;
  readonly score: Float64Array;
  /** A pivot that is not larger keeps its candidate out. */
  readonly least: Float64Array;
  readonly offset: Float64Array;
  /** −1 outside the model. */
  readonly place: Int32Array;
  /** To be written; members, and those that are kept out, get zeros. */
  readonly rate: Float64Array;
  readonly inside: Float64Array;
}

/** Writes rates and probabilities of being inside, and returns the sum of the rates. */
export type Flips = (arrays: FlipArrays, terms: FlipTerms) => number;

/** The readable form. */
export function referenceFlips(arrays: FlipArrays, terms: FlipTerms): number {
  const { pivot, score, least, offset, place, rate, inside } = arrays;
  const { base, half, power, share, saturated, worth, spread } = terms;
  let sum = 0;
  for (let j = 0; j < pivot.length; j++) {
    inside[j] = 0;
    rate[j] = 0;
    if (place[j] >= 0 || !(pivot[j] > least[j])) continue;
    const better = (score[j] * score[j]) / pivot[j];
    let logOdds = base + offset[j] + worth * better;
    if (half !== 0) logOdds -= half * Math.log(pivot[j]);
    if (power !== 0) logOdds -= power * Math.log1p(-Math.min(share * better, 1 - saturated));
    // Products of two rates stay finite.
    const ratio = Math.exp(Math.min(logOdds, 300));
    inside[j] = ratio / (1 + ratio);
    rate[j] = ((inside[j] + spread) * (1 + ratio)) / 2;
    sum += rate[j];
  }
  return sum;
}
