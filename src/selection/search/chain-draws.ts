/** The thinned draws of the search chains, as the posterior draws of a run that has nothing better. */

import type { ChainDraws, PosteriorDraws } from "../../draws/posterior-draws.js";
import { drawCount, type SparseDraws } from "../../draws/sparse-draws.js";
import type { ChainOutput } from "./types.js";

/** Variable `names.length` of the chains is the intercept, which may be in or out. */
export function chainDraws(
  outputs: readonly ChainOutput[],
  names: readonly string[],
  noiseVariance: number | undefined,
): PosteriorDraws {
  // A run that was stopped may have chains that came to no draw: those of the others are there all the same.
  const drawn = outputs.filter(({ draws }) => drawCount(draws) > 0);
  const shortest = Math.min(...drawn.map(({ draws }) => drawCount(draws)));
  const chains = drawn.map(({ draws }) => withIntercept(draws, shortest, names.length, noiseVariance));
  return { kind: "chains", names, chains };
}

function withIntercept(
  draws: SparseDraws,
  count: number,
  interceptAt: number,
  noiseVariance: number | undefined,
): ChainDraws {
  const intercept = new Float64Array(count);
  const start = new Uint32Array(count + 1);
  const variable: number[] = [];
  const value: number[] = [];
  for (let d = 0; d < count; d++) {
    for (let i = draws.start[d]; i < draws.start[d + 1]; i++) {
      if (draws.variable[i] === interceptAt) intercept[d] = draws.value[i];
      else {
        variable.push(draws.variable[i]);
        value.push(draws.value[i]);
      }
    }
    start[d + 1] = variable.length;
  }
  return {
    iteration: draws.iteration.slice(0, count),
    ...(draws.weight && { weight: draws.weight.slice(0, count) }),
    start,
    variable: Uint32Array.from(variable),
    value: Float64Array.from(value),
    size: Float64Array.from({ length: count }, (_, d) => draws.start[d + 1] - draws.start[d]),
    intercept,
    ...(noiseVariance !== undefined && { noiseVariance: new Float64Array(count).fill(noiseVariance) }),
  };
}
