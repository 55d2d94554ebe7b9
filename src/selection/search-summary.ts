/** Inclusion probabilities, effects and intervals straight from the draws of the search chains. */

import { drawCount, drawsByVariable } from "../draws/sparse-draws.js";
import { quantile } from "../math/quantile.js";
import type { VariableSummary } from "./result.js";
import type { ChainOutput } from "./search.js";

/** Variables above this are selected: the median probability model (Barbieri and Berger 2004). */
export const SELECTED = 0.5;

/** `slope[j]` turns a coefficient of the model's scale into the units of the data. */
export function summarizeSearch(
  chains: readonly ChainOutput[],
  names: readonly string[],
  slope: (j: number) => number,
  inclusionError: Float64Array,
): { variables: VariableSummary[]; modelSize: { mean: number; lower: number; upper: number } } {
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  const total = chains.reduce((sum, { draws }) => sum + drawCount(draws), 0);
  const values = drawsByVariable(chains.map(({ draws }) => draws));
  const variables = names.map((name, j): VariableSummary => {
    const pip = models === 0 ? 0 : chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) / models;
    const scaled = (values.get(j) ?? []).map((value) => value * slope(j)).sort((a, b) => a - b);
    const sum = scaled.reduce((a, b) => a + b, 0);
    const squares = scaled.reduce((a, b) => a + b * b, 0);
    const mean = total === 0 ? 0 : sum / total;
    const positive = scaled.filter((value) => value > 0).length / Math.max(1, scaled.length);
    return {
      name,
      pip,
      pipError: inclusionError[j],
      mean,
      sd: total === 0 ? 0 : Math.sqrt(Math.max(0, squares / total - mean * mean)),
      lower: quantileWithZeros(scaled, total, 0.025),
      upper: quantileWithZeros(scaled, total, 0.975),
      meanIfIncluded: scaled.length === 0 ? 0 : sum / scaled.length,
      signProbability: scaled.length === 0 ? 0.5 : Math.max(positive, 1 - positive),
      selected: pip > SELECTED,
    };
  });
  const sizes = chains
    .flatMap(({ draws }) => Array.from(draws.iteration, (_, d) => draws.start[d + 1] - draws.start[d]))
    .sort((a, b) => a - b);
  const modelSize = {
    mean: sizes.reduce((a, b) => a + b, 0) / Math.max(1, sizes.length),
    lower: sizes.length === 0 ? 0 : quantile(sizes, 0.025),
    upper: sizes.length === 0 ? 0 : quantile(sizes, 0.975),
  };
  return {
    variables: variables.sort((a, b) => b.pip - a.pip || Math.abs(b.mean) - Math.abs(a.mean)),
    modelSize,
  };
}

/** Quantile of a sample that holds, beside `sorted`, zeros enough to make `total`. */
function quantileWithZeros(sorted: readonly number[], total: number, q: number): number {
  if (total === 0) return 0;
  const negative = sorted.findIndex((value) => value > 0);
  const below = negative < 0 ? sorted.length : negative;
  const zeros = total - sorted.length;
  const at = (i: number): number => (i < below ? sorted[i] : i < below + zeros ? 0 : sorted[i - zeros]);
  const position = q * (total - 1);
  const floor = Math.floor(position);
  return at(floor) + (position - floor) * (at(Math.min(total - 1, floor + 1)) - at(floor));
}
