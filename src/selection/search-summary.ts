/** Inclusion probabilities, effects and intervals straight from the draws of the search chains. */

import { drawCount } from "../draws/sparse-draws.js";
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
): { variables: VariableSummary[]; modelSize: { mean: number; lower: number; upper: number } } {
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  const total = chains.reduce((sum, { draws }) => sum + drawCount(draws), 0);
  const values = included(chains);
  const variables = names.map((name, j): VariableSummary => {
    const pip = models === 0 ? 0 : chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) / models;
    const scaled = (values.get(j)?.value ?? []).map((value) => value * slope(j)).sort((a, b) => a - b);
    const sum = scaled.reduce((a, b) => a + b, 0);
    const squares = scaled.reduce((a, b) => a + b * b, 0);
    const mean = total === 0 ? 0 : sum / total;
    const positive = scaled.filter((value) => value > 0).length / Math.max(1, scaled.length);
    return {
      name,
      pip,
      pipError: inclusionError(chains, values.get(j)),
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

interface Included {
  readonly value: number[];
  /** Draw number, counted through all chains. */
  readonly draw: number[];
}

function included(chains: readonly ChainOutput[]): Map<number, Included> {
  const found = new Map<number, Included>();
  let before = 0;
  for (const { draws } of chains) {
    for (let d = 0; d < drawCount(draws); d++) {
      for (let i = draws.start[d]; i < draws.start[d + 1]; i++) {
        let entry = found.get(draws.variable[i]);
        if (!entry) {
          entry = { value: [], draw: [] };
          found.set(draws.variable[i], entry);
        }
        entry.value.push(draws.value[i]);
        entry.draw.push(before + d);
      }
    }
    before += drawCount(draws);
  }
  return found;
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

/** Monte Carlo standard error by batch means over 20 stretches of the thinned draws. */
function inclusionError(chains: readonly ChainOutput[], found: Included | undefined): number {
  const total = chains.reduce((sum, { draws }) => sum + drawCount(draws), 0);
  const batches = Math.min(20, total);
  if (!found || batches < 2) return 0;
  const counts = new Float64Array(batches);
  for (const d of found.draw) counts[Math.floor((d * batches) / total)] += 1;
  const size = total / batches;
  const mean = found.draw.length / total;
  const variance = counts.reduce((sum, count) => sum + (count / size - mean) ** 2, 0) / (batches - 1);
  return Math.sqrt(variance / batches);
}
