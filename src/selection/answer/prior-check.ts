/**
 * How much of the answer is the prior's: what inclusion probabilities would be under half and twice the prior odds of
 * every variable, and under half and twice the scale of the slab. The models that were weighed are weighed again,
 *
 *     p'(S) ∝ p(S) · 2^±|S|     and     p'(S) ∝ p(S) · p(y | S, other slab) / p(y | S, slab),
 *
 * which is exact where all of them were visited; where they are many, some of them stand for all in the second. What
 * only some models stand for enters by the change of log odds. Models that were drawn tell it as long as enough of them
 * would matter: by Kish's rule n draws are worth n·(Σpr)²/Σpr² where weights change by factors r.
 */

import { sizePrior } from "../../models/model-priors.js";
import { scaleLaws } from "../posterior/laws/scale-laws.js";
import { type ModelWeights, thinnedModels } from "../posterior/model-weights.js";
import { type PackedModels, packedModels, weightsOfMembers } from "../posterior/packed-models.js";
import type { Weighed } from "../posterior/posterior.js";
import type { Slab } from "../posterior/slab.js";
import type { Specification } from "../posterior/specification.js";
import type { OtherPrior, PriorSummary } from "./result.js";
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
  const some = packedModels(few);
  const changes: Readonly<Record<OtherPrior, { among: PackedModels; by: Float64Array }>> = {
    halfOdds: { among: all, by: odds(0.5) },
    twiceOdds: { among: all, by: odds(2) },
    halfScale: { among: some, by: scale(0.5) },
    twiceScale: { among: some, by: scale(2) },
  };
  const draws = weights.exact ? Number.POSITIVE_INFINITY : (weights.mixing?.ess ?? Number.POSITIVE_INFINITY);
  const kinds = Object.keys(changes) as OtherPrior[];
  const untold = kinds.filter((kind) => draws * worthOf(changes[kind].among, changes[kind].by) < LEAST_DRAWS);
  const told = kinds
    .filter((kind) => !untold.includes(kind))
    .map((kind) => ({ kind, pips: reweighed(changes[kind].among)(changes[kind].by) }));
  const always = new Set(space.always);
  const variables = candidates.flatMap((j, i) => {
    if (always.has(i)) return [];
    const pip = weights.inclusion[i];
    const flips = told.some(({ pips }) => pips[i] > SELECTED !== pip > SELECTED);
    const far = told.some(({ pips }) => Math.abs(pips[i] - pip) >= NOTICED);
    if (!flips && !far) return [];
    const others = Object.fromEntries(told.map(({ kind, pips }) => [kind, pips[i]]));
    return [{ name: names[j], pip, ...others, flips }];
  });
  return {
    expectedSize: expected,
    variables: variables.sort((a, b) => b.pip - a.pip),
    ...(untold.length > 0 && { untold }),
  };
}

/** A move that is worth telling. */
const NOTICED = 0.05;
/** Draws that tell a probability to 0.1 or so. */
const LEAST_DRAWS = 30;

/** What a draw is worth where the weights of models change so, in logs. */
function worthOf(models: PackedModels, change: Float64Array): number {
  const weights = changed(models, change);
  let [total, sum, squares] = [0, 0, 0];
  for (let m = 0; m < weights.length; m++) {
    const p = models.probability[m];
    if (!(p > 0)) continue;
    total += p;
    sum += weights[m];
    squares += weights[m] ** 2 / p;
  }
  return sum ** 2 / (total * squares);
}

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
