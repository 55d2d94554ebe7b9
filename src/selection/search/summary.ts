/** Inclusion probabilities, effects and intervals straight from the draws of the search chains. */

import { drawCount, drawsByVariable, type WeightedValue, weightOf } from "../../draws/sparse-draws.js";
import { weightedQuantile } from "../../math/quantile.js";
import type { VariableSummary } from "../answer/result.js";
import { SELECTED } from "../answer/selected.js";
import type { ChainOutput } from "./types.js";

/** Every draw counts by the weight that the schedule of its chain gave it. */
export function summarizeSearch(
  chains: readonly ChainOutput[],
  names: readonly string[],
  inclusionError: Float64Array,
): { variables: VariableSummary[]; modelSize: { mean: number; lower: number; upper: number } } {
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  const draws = chains.map((chain) => chain.draws);
  const held = drawsByVariable(draws);
  const sizes = draws.flatMap((chain) =>
    Array.from({ length: drawCount(chain) }, (_, d) => ({
      value: chain.start[d + 1] - chain.start[d],
      weight: weightOf(chain, d),
    })),
  );
  const everything = { count: sizes.length, weight: totalWeight(sizes) };
  const variables = names.map((name, j): VariableSummary => {
    const pip = models === 0 ? 0 : chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) / models;
    const effects = held.get(j) ?? [];
    const included = totalWeight(effects);
    const sum = effects.reduce((total, { value, weight }) => total + weight * value, 0);
    const squares = effects.reduce((total, { value, weight }) => total + weight * value * value, 0);
    const mean = included === 0 ? 0 : sum / everything.weight;
    const positive = totalWeight(effects.filter(({ value }) => value > 0)) / included;
    return {
      name,
      pip,
      pipError: inclusionError[j],
      mean,
      sd: included === 0 ? 0 : Math.sqrt(Math.max(0, squares / everything.weight - mean * mean)),
      ...interval(effects, everything),
      meanIfIncluded: included === 0 ? 0 : sum / included,
      ...intervalIfIncluded(effects),
      signProbability: included === 0 ? 0.5 : Math.max(positive, 1 - positive),
      selected: pip > SELECTED,
    };
  });
  const size = sizes.reduce((sum, { value, weight }) => sum + weight * value, 0) / everything.weight;
  return {
    variables: variables.sort((a, b) => b.pip - a.pip || Math.abs(b.mean) - Math.abs(a.mean)),
    modelSize: { mean: sizes.length === 0 ? 0 : size, ...interval(sizes, everything) },
  };
}

function totalWeight(draws: readonly WeightedValue[]): number {
  return draws.reduce((sum, { weight }) => sum + weight, 0);
}

/** 95%, of draws that are 0 where they are not among the given ones. */
function interval(
  draws: readonly WeightedValue[],
  everything: { readonly count: number; readonly weight: number },
): { lower: number; upper: number } {
  const weightOfZeros = everything.weight - totalWeight(draws);
  // Most variables are hardly ever in: there is no need to look at all the zeros of each.
  if (weightOfZeros >= 0.99 * everything.weight) return { lower: 0, upper: 0 };
  const zeros = everything.count - draws.length;
  const zero = { value: 0, weight: weightOfZeros / zeros };
  const sorted = [...draws, ...new Array<WeightedValue>(zeros).fill(zero)].sort((a, b) => a.value - b.value);
  const values = sorted.map(({ value }) => value);
  const weights = sorted.map(({ weight }) => weight);
  return { lower: weightedQuantile(values, weights, 0.025), upper: weightedQuantile(values, weights, 0.975) };
}

function intervalIfIncluded(draws: readonly WeightedValue[]): {
  lowerIfIncluded: number;
  upperIfIncluded: number;
} {
  if (draws.length === 0) return { lowerIfIncluded: 0, upperIfIncluded: 0 };
  const { lower, upper } = interval(draws, { count: draws.length, weight: totalWeight(draws) });
  return { lowerIfIncluded: lower, upperIfIncluded: upper };
}
