/** How readily candidates outside a model come in, all at once: see selection/posterior/walks/flip-rates.ts. */

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
  /** The least that counts as the largest of the log odds. */
  top: number;
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

export interface FlipSum {
  /** Of the rates. */
  readonly sum: number;
  /** Rates and sum are as written times exp of this: odds may be beyond all numbers. */
  readonly shift: number;
}

/** Log odds whose exponentials are summed as they are. */
const FAR = 280;

/** Writes rates and probabilities of being inside: the readable form. */
export function referenceFlips(arrays: FlipArrays, terms: FlipTerms): FlipSum {
  const { pivot, score, least, offset, place, rate, inside } = arrays;
  const { base, half, power, share, saturated, worth, spread, top } = terms;
  const logOdds = Array.from(pivot, (d, j) => {
    if (place[j] >= 0 || !(d > least[j])) return Number.NEGATIVE_INFINITY;
    const better = (score[j] * score[j]) / d;
    const left = share * better < 1 - saturated ? Math.log1p(-share * better) : Math.log(saturated);
    return base + offset[j] + worth * better - half * Math.log(d) - power * left;
  });
  const largest = logOdds.reduce((a, b) => Math.max(a, b), top);
  const shift = largest > FAR ? largest : 0;
  let sum = 0;
  logOdds.forEach((odds, j) => {
    inside[j] = 1 / (1 + Math.exp(-odds));
    const stays = odds === Number.NEGATIVE_INFINITY;
    // (inside + spread)/(2·outside)
    rate[j] = stays ? 0 : 0.5 * (Math.exp(odds - shift) * (1 + spread) + spread * Math.exp(-shift));
    sum += rate[j];
  });
  return { sum, shift };
}
