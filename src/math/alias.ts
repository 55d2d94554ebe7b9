/** Weighted choice in constant time by Walker's alias method, with Vose's (1991) stable construction. */

import { SparrowError } from "../errors.js";
import type { Rng } from "./rng.js";

export interface AliasTable {
  readonly size: number;
  /** An index with probability proportional to its weight. */
  draw(rng: Rng): number;
}

export function aliasTable(weights: ArrayLike<number>): AliasTable {
  const size = weights.length;
  let total = 0;
  for (let i = 0; i < size; i++) {
    if (!(weights[i] >= 0 && weights[i] < Infinity)) {
      throw new SparrowError(`Weight ${i} is ${weights[i]}; weights must be finite and not negative.`);
    }
    total += weights[i];
  }
  if (!(total > 0)) throw new SparrowError("All weights are zero; at least one must be positive.");

  const threshold = new Float64Array(size);
  const alias = new Uint32Array(size);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < size; i++) {
    threshold[i] = (weights[i] * size) / total;
    alias[i] = i;
    (threshold[i] < 1 ? small : large).push(i);
  }
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop()!;
    const rich = large[large.length - 1];
    alias[poor] = rich;
    threshold[rich] -= 1 - threshold[poor];
    if (threshold[rich] < 1) small.push(large.pop()!);
  }
  // What is left over differs from 1 by rounding only.
  for (const i of large) threshold[i] = 1;
  for (const i of small) if (weights[i] > 0) threshold[i] = 1;

  return {
    size,
    draw(rng) {
      const i = rng.below(size);
      return rng.uniform() < threshold[i] ? i : alias[i];
    },
  };
}
