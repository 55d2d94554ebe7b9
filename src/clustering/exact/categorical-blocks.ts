/** Categorical blocks given their rows: the probabilities of a block are Dirichlet with one row more at every level. */

import type { Rng } from "../../math/rng.js";
import type { Rows } from "../../types.js";
import type { ConjugateBlocks } from "./conjugate.js";
import { renewSimplex } from "./renew-simplex.js";

export function categoricalBlocks(settings: {
  readonly levels: number;
  readonly count: number;
  block(k: number): number;
}): ConjugateBlocks {
  const { levels, count, block } = settings;
  const counts = new Float64Array(count * levels);
  return {
    parameters: count * (levels - 1),
    clear: () => void counts.fill(0),
    add(k: number, weight: number, values: Rows["values"], first: number): void {
      // A step without a code belongs to a state all the same, and says nothing of what it emits.
      if (!Number.isNaN(values[first])) counts[k * levels + values[first]] += weight;
    },
    renew(theta: Float64Array, rng?: Rng): void {
      for (let k = 0; k < count; k++) {
        renewSimplex(theta, block(k), counts.subarray(k * levels, (k + 1) * levels), rng);
      }
    },
  };
}
