/** Predictors from the two ways a fit can end: a mixture over models, or the draws of a search. */

import { drawCount, drawsByVariable, weightOf } from "../../draws/sparse-draws.js";
import { nameOf } from "../../families/register.js";
import type { Target } from "../../families/target.js";
import type { Predictor, PredictorModel } from "../../prediction/predictor.js";
import type { Encoding } from "../../store/layout/encoding.js";
import type { Component } from "../posterior/laws/mixture.js";
import { thinnedModels } from "../posterior/model-weights.js";
import type { ChainOutput } from "../search/types.js";

/** Models or draws that a predictor keeps, and numbers: a covariance has the square of its model's size. */
const KEPT = 200;
const NUMBERS = 5e5;
const LEAST_KEPT = 50;

/** Those of a mixture that a predictor keeps. */
export function keptModels(mixture: readonly Component[]): readonly Component[] {
  let square = 1;
  for (const { probability, posterior } of mixture) square += probability * posterior.members.length ** 2;
  return thinnedModels(mixture, Math.max(LEAST_KEPT, Math.min(KEPT, Math.floor(NUMBERS / square))));
}

/** What a predictor says of its target. */
export type PredictorHead = Pick<Predictor, "family" | "target" | "classes" | "noiseVariance">;

export function predictorHead(
  { target: { column } }: Encoding,
  { family, classes }: Target,
  noiseVariance: number | undefined,
): PredictorHead {
  return {
    family: nameOf(family),
    target: column,
    ...(classes && { classes }),
    ...(family.noise && noiseVariance !== undefined && { noiseVariance }),
  };
}

/** A candidate as the predictor needs it. */
export interface PredictorColumn {
  readonly name: string;
  /** From a coefficient of the model's scale to the units of the data. */
  readonly slope: number;
  /** In the units of the data. */
  readonly centre: number;
}

export function mixturePredictor(
  head: PredictorHead,
  columns: readonly PredictorColumn[],
  kept: readonly Component[],
  median: Component,
  intercept: {
    readonly at: (component: Component) => number;
    readonly variance: (component: Component) => number;
  },
): Predictor {
  const used = [...new Set([...kept, median].flatMap(({ posterior }) => posterior.members))].sort(
    (a, b) => a - b,
  );
  const position = new Map(used.map((candidate, i) => [candidate, i]));
  const modelOf = (component: Component): PredictorModel => {
    const { members, mean, covariance, freedom } = component.posterior;
    const k = members.length;
    const slope = members.map((i) => columns[i].slope);
    return {
      probability: component.probability,
      members: members.map((i) => position.get(i)!),
      intercept: intercept.at(component),
      interceptVariance: intercept.variance(component),
      mean: members.map((_, a) => slope[a] * mean[a]),
      covariance: Array.from(covariance, (v, e) => v * slope[Math.floor(e / k)] * slope[e % k]),
      ...(Number.isFinite(freedom) && { freedom }),
    };
  };
  return {
    format: "sparrow-predictor",
    version: 1,
    ...head,
    variables: used.map((i) => columns[i].name),
    centre: used.map((i) => columns[i].centre),
    average: kept.map(modelOf),
    median: { ...modelOf(median), probability: 1 },
  };
}

/** Every draw is a model whose coefficients are known. `names` ends with the intercept. */
export function drawsPredictor(
  head: PredictorHead,
  names: readonly string[],
  chains: readonly ChainOutput[],
): Predictor {
  const interceptAt = names.length - 1;
  const draws = chains.flatMap(({ draws: all }) =>
    Array.from({ length: drawCount(all) }, (_, d) => {
      const values = new Map<number, number>();
      for (let i = all.start[d]; i < all.start[d + 1]; i++) values.set(all.variable[i], all.value[i]);
      return { probability: weightOf(all, d), values };
    }),
  );
  const kept = thinnedModels(draws, KEPT);
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  const median = new Map<number, number>();
  for (const [j, held] of drawsByVariable(chains.map((chain) => chain.draws))) {
    if (chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) <= 0.5 * models) continue;
    const total = held.reduce((sum, { weight }) => sum + weight, 0);
    median.set(j, held.reduce((sum, { value, weight }) => sum + weight * value, 0) / total);
  }
  const used = [...new Set([...kept.flatMap(({ values }) => [...values.keys()]), ...median.keys()])]
    .filter((j) => j !== interceptAt)
    .sort((a, b) => a - b);
  const position = new Map(used.map((j, i) => [j, i]));
  const modelOf = (values: ReadonlyMap<number, number>, probability: number): PredictorModel => {
    const members = [...values.keys()].filter((j) => j !== interceptAt);
    return {
      probability,
      members: members.map((j) => position.get(j)!),
      intercept: values.get(interceptAt) ?? 0,
      interceptVariance: 0,
      mean: members.map((j) => values.get(j)!),
      covariance: new Array(members.length ** 2).fill(0),
    };
  };
  return {
    format: "sparrow-predictor",
    version: 1,
    ...head,
    variables: used.map((j) => names[j]),
    centre: used.map(() => 0),
    average: kept.map(({ values, probability }) => modelOf(values, probability)),
    median: modelOf(median, 1),
  };
}
