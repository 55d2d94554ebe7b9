/**
 * A walk over models that leaves their posterior invariant: the jump process whose rates are those of tempered Gibbs
 * sampling, watched for a fixed time. From a typical model it makes about (1 + E|γ|) flips per unit of time. Where
 * the weights of a tempered chain would do for averages, imputation needs a model that is a draw, and this gives one.
 */

import type { Rng } from "../../math/rng.js";
import { exponential } from "../../math/variates.js";
import type { Evidence } from "../posterior/evidence.js";
import type { ModelSpace } from "../posterior/model-weights.js";
import { flipRates } from "../posterior/walks/flip-rates.js";

/** Called with the conditional inclusion probabilities at a model and the time spent there. */
export type Visit = (members: readonly number[], conditional: Float64Array, time: number) => void;

export function walkModels(
  rng: Rng,
  evidence: Evidence,
  space: ModelSpace,
  time: number,
  visit?: Visit,
): void {
  const rates = flipRates(evidence, space);
  for (let left = time; left > 0; ) {
    const logZ = rates.look();
    const stay = Math.min(left, exponential(rng) * Math.exp(-logZ));
    visit?.(evidence.members, rates.conditional, stay);
    left -= stay;
    if (!(left > 0)) return;
    const j = rates.choose(rng);
    if (evidence.place[j] >= 0) evidence.remove(j);
    else evidence.add(j);
  }
}
