/** From the stretches of chains of sweeps to the posterior over models, with Monte Carlo errors. */

import { inclusionOf, rhatOf } from "../missing/weights.js";
import type { ModelWeights, WeightedModel } from "../posterior/model-weights.js";
import type { Slab } from "../posterior/slab.js";
import { effectiveDraws } from "../posterior/walks/gibbs-weights.js";
import type { StretchOutput } from "./chain.js";

/** `outputs` are those of all chains, the stretches of one in their order; `forced` candidates are in every model. */
export function augmentedWeights(
  outputs: readonly StretchOutput[],
  slab: Slab,
  forced: number,
): ModelWeights {
  const chains = [...new Set(outputs.map(({ chain }) => chain))];
  const ofChain = <T>(of: (output: StretchOutput) => readonly T[]): T[][] =>
    chains.map((chain) => outputs.filter((output) => output.chain === chain).flatMap(of));
  const { inclusion, errors } = inclusionOf(ofChain((output) => output.inclusion));
  const sizes = added(outputs.map((output) => output.sizes)).slice(forced);
  return {
    exact: false,
    models: countedModels(outputs),
    inclusion,
    inclusionError: errors,
    size: shares(sizes),
    slab,
    scale: shares(added(outputs.map((output) => output.scale))),
    mixing: {
      rhat: rhatOf(ofChain((output) => output.memberCounts).map((counts) => Float64Array.from(counts))),
      ...effectiveDraws(inclusion, errors),
    },
  };
}

/** The models that were kept, the most frequent first. */
function countedModels(outputs: readonly StretchOutput[]): WeightedModel[] {
  const counted = new Map<string, { readonly members: readonly number[]; count: number }>();
  let total = 0;
  for (const { models } of outputs) {
    for (const members of models) {
      const key = members.join();
      const known = counted.get(key);
      if (known) known.count += 1;
      else counted.set(key, { members, count: 1 });
      total += 1;
    }
  }
  return [...counted.values()]
    .map(({ members, count }) => ({ members, probability: count / total }))
    .sort((a, b) => b.probability - a.probability);
}

function added(vectors: readonly Float64Array[]): Float64Array {
  return vectors[0].map((_, i) => vectors.reduce((sum, vector) => sum + vector[i], 0));
}

function shares(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
