/** Every model over the candidates, at every scale of the slab, with its exact weight. */

import type { SufficientStatistics } from "../evidence.js";
import { largestSize, type ModelSpace, type ModelWeights, type WeightedModel } from "../model-weights.js";
import { logSum, memberGain, normalized, type Slab, withoutIdle } from "../slab.js";
import { descendingOrder } from "./descending.js";
import { ModelTree, worthsOfFits } from "./model-tree.js";
import { sureCandidates } from "./sure.js";

/** A model with a smaller share is counted in the probabilities but not listed; 2¹⁸ of them carry 3e-4 at most. */
const NEGLIGIBLE = 1e-9;

/** Scales with no more than the share `idle` of the posterior are left out. */
export function enumerateModels(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  space: ModelSpace,
  idle = 0,
): ModelWeights {
  const tree = new ModelTree(statistics, space, sureCandidates(statistics, slab, noiseVariance, space));
  const logs = logsOf(tree, statistics, slab, noiseVariance, space);
  const totals = logs.map(logSum);
  const kept = withoutIdle(slab, normalized(totals).map(Math.exp), idle);
  const isKept = (_: unknown, s: number): boolean => kept.scales.includes(slab.scales[s]);
  const scale = Float64Array.from(normalized(totals.filter(isKept)), Math.exp);
  return { ...weigh(logs.filter(isKept), tree, statistics.size, space), slab: kept, scale };
}

/** log p(y, S, scale) of every model, by scale. */
function logsOf(
  tree: ModelTree,
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  space: ModelSpace,
): Float64Array[] {
  // One walk for all scales of Zellner's prior, which does without a ridge; the widest slab first otherwise.
  const flat = slab.kind === "zellner" ? tree.walk(0) : undefined;
  const fits = [...slab.scales].reverse().map((scale) => flat ?? tree.walk((noiseVariance ?? 1) / scale));
  const { sizes, logs: priors } = priorsOf(tree, fits[0].fit.length, space);
  const { targetSquares, freedom } = statistics;
  return slab.scales.map((scale, s) => {
    const own = fits[fits.length - 1 - s];
    // Zellner's prior has no determinant but that of the columns, which cancels.
    const fit = flat ? { ...own, logDeterminant: new Float64Array(own.fit.length) } : own;
    return worthsOfFits(fit, sizes, priors, {
      constant: slab.logPrior[s],
      perMember:
        (flat ? Math.log1p(scale) : Math.log(scale / (noiseVariance ?? 1))) - 2 * memberGain(slab, s),
      shrink: flat ? scale / (1 + scale) : 1,
      noiseVariance,
      targetSquares,
      freedom,
    });
  });
}

/** How many members every model has, and what it is worth before the data are seen. */
function priorsOf(tree: ModelTree, count: number, { always, logModel, offsets }: ModelSpace) {
  const sizes = new Float64Array(count);
  const logs = new Float64Array(count);
  tree.each((model, members) => {
    sizes[model] = always.length + members.length;
    logs[model] = logModel[members.length];
    if (offsets) for (const j of members) logs[model] += offsets[j];
  });
  return { sizes, logs };
}

/** p(S | y) of every model, and at which scale it is most probable. */
function overScales(logs: readonly Float64Array[]) {
  const weights = new Float64Array(logs[0].length);
  const place = new Uint8Array(weights.length);
  let most = Number.NEGATIVE_INFINITY;
  for (let model = 0; model < weights.length; model++) {
    let best = 0;
    for (let s = 1; s < logs.length; s++) if (logs[s][model] > logs[best][model]) best = s;
    const largest = logs[best][model];
    let sum = 0;
    for (let s = 0; s < logs.length; s++) sum += Math.exp(logs[s][model] - largest);
    weights[model] = largest + Math.log(sum);
    most = Math.max(most, weights[model]);
    place[model] = best;
  }
  let total = 0;
  for (let model = 0; model < weights.length; model++) {
    weights[model] = Math.exp(weights[model] - most);
    total += weights[model];
  }
  for (let model = 0; model < weights.length; model++) weights[model] /= total;
  return { probability: weights, place };
}

/** From log p(y, S, scale) of every model. */
function weigh(
  logs: readonly Float64Array[],
  tree: ModelTree,
  size: number,
  space: ModelSpace,
): Omit<ModelWeights, "slab" | "scale"> {
  const { probability, place } = overScales(logs);
  const inclusion = new Float64Array(size);
  for (const j of space.always) inclusion[j] = 1;
  const sizes = new Float64Array(largestSize(space, size) + 1);
  const listed: WeightedModel[] = [];
  tree.each((model, members) => {
    const own = probability[model];
    for (let i = 0; i < members.length; i++) inclusion[members[i]] += own;
    sizes[members.length] += own;
    if (own > NEGLIGIBLE) {
      listed.push({ members: rising(space.always, members), probability: own, place: place[model] });
    }
  });
  return {
    exact: true,
    models: likeliestFirst(listed),
    // Thousands of roundings can carry a sum past one.
    inclusion: inclusion.map((each) => Math.min(1, each)),
    inclusionError: new Float64Array(size),
    size: sizes,
  };
}

function likeliestFirst(models: readonly WeightedModel[]): WeightedModel[] {
  const probabilities = new Float64Array(models.length);
  for (let m = 0; m < models.length; m++) probabilities[m] = models[m].probability;
  const order = descendingOrder(probabilities);
  const sorted: WeightedModel[] = [];
  for (let i = 0; i < order.length; i++) sorted.push(models[order[i]]);
  return sorted;
}

/** All of them in rising order, in which most of them are. */
function rising(always: readonly number[], others: readonly number[]): number[] {
  const all = always.length > 0 ? [...always, ...others] : others.slice();
  for (let i = 1; i < all.length; i++) {
    const j = all[i];
    let at = i;
    for (; at > 0 && all[at - 1] > j; at--) all[at] = all[at - 1];
    all[at] = j;
  }
  return all;
}
