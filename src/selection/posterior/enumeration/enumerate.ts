/** Every model over the candidates, at every scale of the slab, with its exact weight. */

import type { SufficientStatistics } from "../evidence.js";
import { largestSize, type ModelSpace, type ModelWeights, type WeightedModel } from "../model-weights.js";
import { logSum, normalized, type Slab, withoutIdle } from "../slab.js";
import { worthOf } from "../worth.js";
import { ModelTree } from "./model-tree.js";
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
  return { ...weigh(overScales(logs.filter(isKept)), tree, statistics.size, space), slab: kept, scale };
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
  return slab.scales.map((scale, s) => {
    const { fit, logDeterminant } = fits[fits.length - 1 - s];
    const perMember = flat ? Math.log1p(scale) : Math.log(scale / (noiseVariance ?? 1));
    const shrink = flat ? scale / (1 + scale) : 1;
    return priors.map((log, m) => {
      const penalty = perMember * sizes[m] + (flat ? 0 : logDeterminant[m]);
      return slab.logPrior[s] + log - 0.5 * penalty + worthOf(shrink * fit[m], statistics, noiseVariance);
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

/** log p(y, S) of every model. */
function overScales(logs: readonly Float64Array[]): Float64Array {
  if (logs.length === 1) return logs[0];
  return logs[0].map((_, model) => {
    let largest = Number.NEGATIVE_INFINITY;
    for (const of of logs) largest = Math.max(largest, of[model]);
    let sum = 0;
    for (const of of logs) sum += Math.exp(of[model] - largest);
    return largest + Math.log(sum);
  });
}

function weigh(
  logs: Float64Array,
  tree: ModelTree,
  size: number,
  space: ModelSpace,
): Omit<ModelWeights, "slab" | "scale"> {
  const largest = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const weights = logs.map((value) => Math.exp(value - largest));
  const total = weights.reduce((a, b) => a + b, 0);
  const inclusion = new Float64Array(size);
  for (const j of space.always) inclusion[j] = 1;
  const sizes = new Float64Array(largestSize(space, size) + 1);
  const listed: WeightedModel[] = [];
  tree.each((model, members) => {
    const probability = weights[model] / total;
    for (const j of members) inclusion[j] += probability;
    sizes[members.length] += probability;
    if (probability > NEGLIGIBLE) {
      listed.push({ members: [...space.always, ...members].sort((a, b) => a - b), probability });
    }
  });
  return {
    exact: true,
    models: listed.sort((a, b) => b.probability - a.probability),
    // Thousands of roundings can carry a sum past one.
    inclusion: inclusion.map((probability) => Math.min(1, probability)),
    inclusionError: new Float64Array(size),
    size: sizes,
  };
}
