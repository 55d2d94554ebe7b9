/**
 * What a prediction needs, as plain data: joint draws of intercept, coefficients and noise variance. Draw d predicts
 * with intercept[d] + Σ value[i]·x_{variables[variable[i]]}, i from start[d] to start[d + 1].
 */

import type { PosteriorDraws } from "./posterior-draws.js";

export interface PredictiveModel {
  readonly family: "gaussian" | "binomial" | "poisson";
  readonly target: string;
  /** The variables that occur in a draw. */
  readonly variables: readonly string[];
  readonly start: readonly number[];
  readonly variable: readonly number[];
  readonly value: readonly number[];
  readonly intercept: readonly number[];
  readonly noiseVariance?: readonly number[];
}

/** So many draws make the Monte Carlo error of a predicted mean a thirtieth of its posterior sd. */
const DRAWS = 1000;

export function predictiveModel(
  { names, chains }: PosteriorDraws,
  about: { readonly family: PredictiveModel["family"]; readonly target: string },
): PredictiveModel {
  const total = chains.reduce((sum, { iteration }) => sum + iteration.length, 0);
  const every = Math.max(1, Math.ceil(total / DRAWS));
  const place = new Map<number, number>();
  const start = [0];
  const variable: number[] = [];
  const value: number[] = [];
  const intercept: number[] = [];
  const noiseVariance: number[] = [];
  let draw = 0;
  for (const chain of chains) {
    for (let d = 0; d < chain.iteration.length; d++) {
      if (draw++ % every !== 0) continue;
      for (let i = chain.start[d]; i < chain.start[d + 1]; i++) {
        const j = chain.variable[i];
        if (!place.has(j)) place.set(j, place.size);
        variable.push(place.get(j)!);
        value.push(chain.value[i]);
      }
      start.push(variable.length);
      intercept.push(chain.intercept?.[d] ?? 0);
      if (chain.noiseVariance) noiseVariance.push(chain.noiseVariance[d]);
    }
  }
  return {
    ...{ family: about.family, target: about.target },
    variables: [...place.keys()].map((j) => names[j]),
    ...{ start, variable, value, intercept },
    ...(noiseVariance.length === intercept.length && { noiseVariance }),
  };
}
