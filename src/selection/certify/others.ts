/**
 * What models of candidates are worth when each may hold any of the other columns as well. Where the Bayes factors b_j of
 * those hardly depend on what else is in, a model of k candidates and all that it may hold besides weigh, at one scale of
 * the slab, with B = Σ b_j,
 *
 *     Σ over sets T of others: π(k + |T|) Π b_j  ≈  Σ_m π(k + m) B^m / m!
 *
 * times its evidence. Where a prior learns from the variables that are in how many there are, that raises larger models
 * more than small ones; and scales of the slab at which others cost little gain more than those at which they cost much.
 */

import { logGamma } from "../../math/special.js";
import type { ModelPrior } from "../../models/model-priors.js";
import type { Slab } from "../posterior/slab.js";
import type { Specification } from "../posterior/specification.js";

/** Terms of the sum that are smaller than this share of it end it. */
const NEGLIGIBLE = 1e-17;

export interface Standing {
  /** B at every scale of the slab. */
  readonly factors: ArrayLike<number>;
  /** How many selectable candidates a model holds, more or less, and how many more that are in every model. */
  readonly size: number;
  readonly forced: number;
}

/** The slab with what others add; of the gains, which are nearly linear in the number of members, their line there. */
export function slabWithOthers(
  slab: Slab,
  { prior, maxSize }: Pick<Specification, "prior" | "maxSize">,
  { factors, size, forced }: Standing,
): Slab {
  const at = Math.min(size, Math.max(0, maxSize - 1));
  const lines = slab.scales.map((_, s) => {
    const here = logGain(prior, factors[s], at, maxSize);
    const perMember = at < maxSize ? logGain(prior, factors[s], at + 1, maxSize) - here : 0;
    return { constant: here - (at + forced) * perMember, perMember };
  });
  return {
    ...slab,
    logPrior: slab.logPrior.map((log, s) => log + lines[s].constant),
    perMember: lines.map(({ perMember }) => perMember),
  };
}

/** log Σ_m π(k + m)/π(k) B^m / m! */
function logGain(prior: ModelPrior, factors: number, k: number, maxSize: number): number {
  return Math.log(termsOfGain(prior, factors, k, maxSize).reduce((sum, term) => sum + term, 0));
}

/** The probability that a model of k candidates at a scale with this B holds 0, 1, 2, … others. */
export function lawOfOthers(prior: ModelPrior, factors: number, k: number, maxSize: number): number[] {
  const terms = termsOfGain(prior, factors, k, maxSize);
  const total = terms.reduce((sum, term) => sum + term, 0);
  return terms.map((term) => term / total);
}

/** π(k + m)/π(k) B^m / m! for m = 0, 1, …, as far as it is anything. */
function termsOfGain({ logModel }: ModelPrior, factors: number, k: number, maxSize: number): number[] {
  const terms = [1];
  if (!(factors > 0)) return terms;
  let [sum, last] = [1, 1];
  for (let m = 1; k + m <= maxSize; m++) {
    const term = Math.exp(logModel(k + m) - logModel(k) + m * Math.log(factors) - logGamma(m + 1));
    terms.push(term);
    sum += term;
    if (term < last && term < NEGLIGIBLE * sum) break;
    last = term;
  }
  return terms;
}
