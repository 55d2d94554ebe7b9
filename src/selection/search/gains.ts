/** What a model gains by each variable, from its score and information, and the proposal weights that follow from it. */

import type { Members, ResidualWeightsSettings } from "./residual-weights.js";

const CEILING = 0.9;

interface ColumnSums {
  score: number;
  information: number;
}

/**
 * What the model gains by each variable, from its score and information over all rows, which `sums` writes; the largest
 * information, of all and of the members; and the slab's variance.
 */
export function gainsOf(
  { prior, movable, variables }: Pick<ResidualWeightsSettings, "prior" | "movable" | "variables">,
  z: Members,
  theta: Float64Array,
  sums: (j: number, out: ColumnSums) => void,
) {
  const size = Math.max(1, z.size - z.always + 1);
  const v = prior.slabVariance(size);
  const odds = prior.logModel(size) - prior.logModel(size - 1);
  const gains = new Float64Array(variables).fill(Number.NEGATIVE_INFINITY);
  const column = { score: 0, information: 0 };
  let [alone, member] = [0, 0];
  for (let j = 0; j < variables; j++) {
    if (!movable(j)) continue;
    sums(j, column);
    const info = Math.max(0, column.information);
    alone = Math.max(alone, info);
    if (z.place[j] >= 0) member = Math.max(member, info);
    const u = column.score + (z.place[j] >= 0 ? info * theta[j] : 0);
    gains[j] = 0.5 * (u ** 2 / (info + 1 / v) - Math.log1p(v * info)) + odds;
  }
  return { gains, alone, member, v };
}

/** From what the model gains by each variable to its proposal weight. */
export function weightsFrom(gains: Float64Array, z: Members): Float64Array {
  const variables = gains.length;
  let [count, mean, squares, most] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (let j = 0; j < variables; j++) {
    if (gains[j] === Number.NEGATIVE_INFINITY || z.place[j] >= 0) continue;
    count += 1;
    const delta = gains[j] - mean;
    mean += delta / count;
    squares += delta * (gains[j] - mean);
    most = Math.max(most, gains[j]);
  }
  const spread = Math.max(1, Math.sqrt(squares / Math.max(1, count - 1)));
  const floor = 1 / (1 + variables);
  const atFloor = Math.log(floor / CEILING);
  const weights = new Float64Array(variables);
  for (let j = 0; j < variables; j++) {
    if (gains[j] === Number.NEGATIVE_INFINITY) continue;
    const below = (gains[j] - most) / spread;
    let share = 0;
    if (z.place[j] >= 0) share = 1 / (1 + Math.exp(-gains[j]));
    else if (below > atFloor) share = Math.exp(below);
    weights[j] = Math.max(floor, CEILING * share);
  }
  return weights;
}
