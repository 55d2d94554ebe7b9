/**
 * Split-and-merge (Song and Liang 2015): predictors are cut into subsets, each subset is searched on its own, and
 * those that stand out are merged and searched again. As in the supplement of Song et al. (2020): five subsets in the
 * order of the columns, 2500 iterations of RJMH on each and on the merged set, the first 1000 discarded, 0.3 to be
 * merged, the prior of a subset throughout.
 */

import type { RjmhOutput, RjmhPlan } from "./rjmh.js";

export interface SplitMergeSettings {
  readonly subsets?: number;
  readonly iterations?: number;
  readonly burnIn?: number;
  /** Inclusion probability above which a variable is merged. */
  readonly threshold?: number;
  /** Positions in the plan's variables of those that belong to every subset: the intercept. */
  readonly everywhere?: readonly number[];
}

export interface SplitMergeOutput {
  readonly merged: readonly number[];
  /** Of the plan's variables; zero for those that were not merged. */
  readonly inclusion: Float64Array;
  readonly mean: Float64Array;
  readonly noiseVariance: number;
}

/** `run` does chains side by side; `whole` is the plan for all variables, whose prior each subset scales to itself. */
export async function splitAndMerge(
  run: (plans: readonly RjmhPlan[]) => Promise<readonly RjmhOutput[]>,
  whole: RjmhPlan,
  inclusionOf: (variables: number) => number,
  settings: SplitMergeSettings = {},
): Promise<SplitMergeOutput> {
  const { subsets = 5, iterations = 2500, burnIn = 1000, threshold = 0.3, everywhere = [] } = settings;
  const apart = whole.variables.map((_, i) => i).filter((i) => !everywhere.includes(i));
  const count = Math.min(subsets, apart.length);
  const cut = (s: number): number => Math.floor((s * apart.length) / count);
  const groups = Array.from({ length: count }, (_, s) => [...apart.slice(cut(s), cut(s + 1)), ...everywhere]);
  const inclusion = inclusionOf(Math.max(...groups.map((group) => group.length)));
  const planOf = (group: readonly number[], stream: number): RjmhPlan => ({
    ...whole,
    stream,
    iterations,
    burnIn,
    inclusion,
    variables: group.map((i) => whole.variables[i]),
    weights: Float64Array.from(group, (i) => whole.weights[i]),
  });

  const outputs = await run(groups.map((group, s) => planOf(group, whole.stream + s)));
  const chosen = groups.flatMap((group, s) => group.filter((_, i) => outputs[s].inclusion[i] > threshold));
  const merged = [...new Set([...chosen, ...everywhere])].sort((a, b) => a - b);
  const size = whole.variables.length;
  const answer = { merged, inclusion: new Float64Array(size), mean: new Float64Array(size) };
  if (merged.length === 0) return { ...answer, noiseVariance: outputs[0].noiseVariance };
  const [last] = await run([planOf(merged, whole.stream + count)]);
  merged.forEach((i, at) => {
    answer.inclusion[i] = last.inclusion[at];
    answer.mean[i] = last.mean[at];
  });
  return { ...answer, noiseVariance: last.noiseVariance };
}
