/** Joint draws of everything that was estimated, in the units of the data, chain by chain. */

import { type SparseDraws, weightOf } from "./sparse-draws.js";

export interface PosteriorDraws {
  /** Independent draws from the posterior over models, or the states of Markov chains. */
  readonly kind: "independent" | "chains";
  /** Names of the variables that `variable` in the chains refers to. */
  readonly names: readonly string[];
  readonly chains: readonly ChainDraws[];
}

export interface ChainDraws extends SparseDraws {
  /** Variables in the model. */
  readonly size: Float64Array;
  /** Absent when the model has no intercept. */
  readonly intercept?: Float64Array;
  /** Absent where there is no such parameter or where it was not recorded. */
  readonly noiseVariance?: Float64Array;
}

/** Draws as a table, the layout of R's *posterior* (`draws_df`) and of ArviZ: one row per draw. */
export interface DrawTable {
  readonly names: readonly string[];
  readonly columns: readonly Float64Array[];
}

export const DRAW_INDEX = [".chain", ".iteration", ".draw"] as const;
/** The logarithm of what a draw counts in an average, as R's *posterior* calls it; there where draws differ in it. */
export const LOG_WEIGHT = ".log_weight";

/** `b_<name>` columns for the given variables; zero where the variable is not in the model. */
export function drawTable({ names, chains }: PosteriorDraws, variables: readonly string[]): DrawTable {
  const rows = chains.reduce((sum, { iteration }) => sum + iteration.length, 0);
  const position = new Map(names.map((name, j) => [name, j]));
  const shown = variables.flatMap((name) => position.get(name) ?? []);
  const columnOf = new Map(shown.map((j, c) => [j, c]));
  const index = DRAW_INDEX.map(() => new Float64Array(rows));
  const intercept = chains.every((chain) => chain.intercept) ? new Float64Array(rows) : undefined;
  const noise = chains.every((chain) => chain.noiseVariance) ? new Float64Array(rows) : undefined;
  const logWeight = chains.some((chain) => chain.weight) ? new Float64Array(rows) : undefined;
  const size = new Float64Array(rows);
  const effects = shown.map(() => new Float64Array(rows));
  let row = 0;
  chains.forEach((chain, c) => {
    for (let d = 0; d < chain.iteration.length; d++, row++) {
      index[0][row] = c + 1;
      // Iterations count draws: thinning is a matter of the run, and readers expect 1, 2, 3, …
      index[1][row] = d + 1;
      index[2][row] = row + 1;
      if (logWeight) logWeight[row] = Math.log(weightOf(chain, d));
      if (intercept) intercept[row] = chain.intercept![d];
      if (noise) noise[row] = chain.noiseVariance![d];
      size[row] = chain.size[d];
      for (let i = chain.start[d]; i < chain.start[d + 1]; i++) {
        const column = columnOf.get(chain.variable[i]);
        if (column !== undefined) effects[column][row] = chain.value[i];
      }
    }
  });
  return {
    names: distinct([
      ...DRAW_INDEX,
      ...(logWeight ? [LOG_WEIGHT] : []),
      ...(intercept ? ["intercept"] : []),
      ...shown.map((j) => `b_${names[j]}`),
      ...(noise ? ["sigma2"] : []),
      "size",
    ]),
    columns: [
      ...index,
      ...(logWeight ? [logWeight] : []),
      ...(intercept ? [intercept] : []),
      ...effects,
      ...(noise ? [noise] : []),
      size,
    ],
  };
}

/** Readers of Parquet may not tell `b_x` from `b_X`: the second one gets a number. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name}_${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
