/**
 * How much of the answer is the prior's: what inclusion probabilities would be under half and twice the prior odds of
 * every variable, and under half and twice the scale of the slab. The models that were weighed are weighed again,
 *
 *     p'(S) ∝ p(S) · 2^±|S|     and     p'(S) ∝ p(S) · p(y | S, other slab) / p(y | S, slab),
 *
 * which is exact where all of them were visited; where they are many, some of them stand for all in the second. What
 * only some models stand for enters by the change of log odds.
 */

import { sizePrior } from "../../models/model-priors.js";
import { scaleLaws } from "../posterior/laws/scale-laws.js";
import { type ModelWeights, thinnedModels } from "../posterior/model-weights.js";
import { type PackedModels, packedModels, weightsOfMembers } from "../posterior/packed-models.js";
import type { Weighed } from "../posterior/posterior.js";
import type { Slab } from "../posterior/slab.js";
import type { Specification } from "../posterior/specification.js";
import type { PriorSummary } from "./result.js";
import { SELECTED } from "./selected.js";

/** Numbers to multiply for all models and scales together: a few hundredths of a second. */
const WORK = 3e7;
const MOST_MODELS = 5000;

export function priorSummary(
  { candidates, statistics, space, weights }: Weighed,
  spec: Specification,
  names: readonly string[],
): PriorSummary {
  const size = sizePrior(spec.prior, spec.selectable, spec.maxSize);
  const expected = size.reduce((sum, probability, k) => sum + k * probability, space.always.length);
  if (weights.models.length === 0) return { expectedSize: expected, variables: [] };
  const { models } = weights;
  const few = fewEnough(weights);
  const forced = space.always.length;
  const all = packedModels(models);
  const odds = (factor: number) => {
    const { count, start } = all;
    const change = new Float64Array(count);
    for (let m = 0; m < count; m++) change[m] = (start[m + 1] - start[m] - forced) * Math.log(factor);
    return change;
  };
  const members = few.map((model) => model.members);
  const marginals = (slab: Slab) =>
    scaleLaws({ statistics, slab, noiseVariance: spec.noiseVariance }, members);
  const { logMarginal: usual } = marginals(weights.slab);
  const scale = (factor: number) => {
    const other = { ...weights.slab, scales: weights.slab.scales.map((value) => factor * value) };
    return marginals(other).logMarginal.map((log, m) => log - usual[m]);
  };
  /** Probabilities that follow from other weights of these models. */
  const reweighed = (among: PackedModels) => {
    const before = inclusion(among, among.probability, candidates.length);
    return (change: Float64Array) => {
      const after = inclusion(among, changed(among, change), candidates.length);
      return Array.from(weights.inclusion, (pip, i) => moved(pip, before[i], after[i]));
    };
  };
  const [halfOdds, twiceOdds] = [odds(0.5), odds(2)].map(reweighed(all));
  const [halfScale, twiceScale] = [scale(0.5), scale(2)].map(reweighed(packedModels(few)));
  const always = new Set(space.always);
  const variables = candidates.flatMap((j, i) => {
    if (always.has(i)) return [];
    const pip = weights.inclusion[i];
    const others = [halfOdds[i], twiceOdds[i], halfScale[i], twiceScale[i]];
    const flips = others.some((other) => other > SELECTED !== pip > SELECTED);
    const far = others.some((other) => Math.abs(other - pip) >= NOTICED);
    if (!flips && !far) return [];
    const [a, b, c, d] = others;
    return [{ name: names[j], pip, halfOdds: a, twiceOdds: b, halfScale: c, twiceScale: d, flips }];
  });
  return { expectedSize: expected, variables: variables.sort((a, b) => b.pip - a.pip) };
}

/** A move that is worth telling. */
const NOTICED = 0.05;

function fewEnough({ models, slab }: ModelWeights): ModelWeights["models"] {
  const size = models.reduce((sum, { members, probability }) => sum + probability * members.length, 1);
  const work = 3 * slab.scales.length * size ** 3;
  return thinnedModels(models, Math.max(50, Math.min(MOST_MODELS, Math.floor(WORK / work))));
}

/** Weights that differ by so much in logs, up to a factor. */
function changed({ probability }: PackedModels, change: Float64Array): Float64Array {
  const most = change.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const weights = new Float64Array(change.length);
  for (let m = 0; m < weights.length; m++) weights[m] = probability[m] * Math.exp(change[m] - most);
  return weights;
}

function inclusion(models: PackedModels, weights: Float64Array, count: number): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weightsOfMembers(models, weights, count).map((share) => share / total);
}

/** A probability whose log odds change as those of two others; one that no listed model can tell apart stays. */
function moved(pip: number, before: number, after: number): number {
  const open = (p: number) => p > 0 && p < 1;
  if (!open(pip) || !open(before) || !open(after)) return pip;
  const odds = (p: number) => p / (1 - p);
  const o = (odds(pip) * odds(after)) / odds(before);
  return Number.isFinite(o) ? o / (1 + o) : 1;
}
