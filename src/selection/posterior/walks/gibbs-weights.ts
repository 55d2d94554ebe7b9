/** From the stretches of several chains to the posterior over models, with Monte Carlo errors. */

import { MOST_UNCERTAIN, type ModelWeights } from "../model-weights.js";
import type { Slab } from "../slab.js";
import type { GibbsOutput } from "./tempered-gibbs.js";

export function gibbsWeights(outputs: readonly GibbsOutput[], slab: Slab): ModelWeights {
  const pieces = outputs.flatMap((output) => output.pieces);
  const total = pieces.reduce((sum, { weight }) => sum + weight, 0);
  const size = pieces[0].sum.length;
  const inclusion = new Float64Array(size);
  for (const { sum } of pieces) for (let j = 0; j < size; j++) inclusion[j] += sum[j] / total;
  for (let j = 0; j < size; j++) inclusion[j] = Math.min(1, inclusion[j]);
  // Ratio estimates: the spread of Σ w(π_j − mean) over the pieces.
  const inclusionError = inclusion.map((mean, j) => {
    const squares = pieces.reduce((sum, piece) => sum + (piece.sum[j] - mean * piece.weight) ** 2, 0);
    const error = Math.sqrt((squares * pieces.length) / Math.max(1, pieces.length - 1)) / total;
    return Math.min(MOST_UNCERTAIN, error);
  });
  const sizes = outputs[0].sizes.map(
    (_, k) => outputs.reduce((sum, output) => sum + output.sizes[k], 0) / total,
  );
  return {
    exact: false,
    models: pooledModels(outputs, total),
    // Rounding may carry a certainty past one.
    inclusion: inclusion.map((p) => Math.min(1, p)),
    inclusionError,
    size: sizes,
    slab,
    scale: scalesOf(outputs),
    mixing: { ...betweenChains(outputs), ...effectiveDraws(inclusion, inclusionError) },
  };
}

function scalesOf(outputs: readonly GibbsOutput[]): Float64Array {
  const sums = outputs[0].scales.map((_, s) => outputs.reduce((sum, { scales }) => sum + scales[s], 0));
  const total = sums.reduce((a, b) => a + b, 0);
  // One scale, or one model, has nothing to be drawn.
  return total > 0 ? sums.map((sum) => sum / total) : sums.fill(1 / sums.length);
}

function pooledModels(outputs: readonly GibbsOutput[], total: number): ModelWeights["models"] {
  const pooled = new Map<number, { members: readonly number[]; weight: number }>();
  for (const { members, ends, weights, keys } of outputs.map(({ visits }) => visits)) {
    ends.forEach((end, i) => {
      const known = pooled.get(keys[i]);
      if (known) known.weight += weights[i];
      else {
        const own = members.subarray(i > 0 ? ends[i - 1] : 0, end);
        pooled.set(keys[i], { members: Array.from(own), weight: weights[i] });
      }
    });
  }
  return [...pooled.values()]
    .map(({ members, weight }) => ({ members, probability: weight / total }))
    .sort((a, b) => b.probability - a.probability);
}

/**
 * R-hat of the model size, √(1 + B/W), with B the variance of the chains' mean sizes and W the variance within chains;
 * and what the chains' differences leave in doubt of any inclusion probability.
 */
function betweenChains(outputs: readonly GibbsOutput[]): { readonly rhat: number; readonly apart: number } {
  const chains = [...new Set(outputs.map(({ chain }) => chain))];
  const moments = chains.map((chain) => {
    const own = outputs.filter((output) => output.chain === chain).flatMap(({ pieces }) => pieces);
    const weight = own.reduce((sum, piece) => sum + piece.weight, 0);
    const mean = own.reduce((sum, piece) => sum + piece.modelSize, 0) / weight;
    const square = own.reduce((sum, piece) => sum + piece.squaredSize, 0) / weight;
    const inclusion = own[0].sum.map((_, j) => own.reduce((sum, piece) => sum + piece.sum[j], 0) / weight);
    return { mean, variance: Math.max(0, square - mean * mean), inclusion };
  });
  const within = moments.reduce((sum, { variance }) => sum + variance, 0) / chains.length;
  const between = varianceOf(moments.map(({ mean }) => mean));
  const apart = moments[0].inclusion.reduce((most, _, j) => {
    return Math.max(most, varianceOf(moments.map(({ inclusion }) => inclusion[j])));
  }, 0);
  return {
    rhat: within > 0 ? Math.sqrt(1 + between / within) : 1,
    apart: Math.sqrt(apart / chains.length),
  };
}

function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
}

/** The fewest independent models that would give any open inclusion probability its error; nothing where none is open. */
export function effectiveDraws(inclusion: Float64Array, error: Float64Array): { readonly ess?: number } {
  const open = Array.from(inclusion.keys()).filter((j) => inclusion[j] > 0.02 && inclusion[j] < 0.98);
  if (open.length === 0) return {};
  const needed = open.map((j) => (inclusion[j] * (1 - inclusion[j])) / error[j] ** 2);
  return { ess: Math.min(1e6, ...needed) };
}
