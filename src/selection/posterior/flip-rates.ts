/**
 * How readily every candidate is flipped at the current model γ. With π_j = π(γ_j = 1 | γ_−j, y),
 *
 *     p_j(γ) = κ_j(γ_−j) / (2π(γ_j | γ_−j, y)),   κ_j = π_j + 1/C,   Z(γ) = Σ_j p_j(γ)
 *
 * (Zanella and Roberts 2019). π(γ)p_j(γ) is the same at both ends of a flip, so a process that jumps at these rates
 * has π for its stationary law, and so has a chain of flips whose visits count with weight 1/Z(γ).
 */

import type { Rng } from "../../math/rng.js";
import type { Evidence } from "./evidence.js";
import { largestSize, type ModelSpace } from "./model-weights.js";

export interface FlipRates {
  /** π_j, as of the last look. */
  readonly conditional: Float64Array;
  /** Looks at the current model and returns Z. */
  look(): number;
  /** A candidate with probability p_j/Z. */
  choose(rng: Rng, z: number): number;
}

export function flipRates(evidence: Evidence, space: ModelSpace): FlipRates {
  const { size } = evidence;
  const { logModel, always, offsets } = space;
  const maxSize = largestSize(space, size);
  const isAlways = new Uint8Array(size);
  for (const j of always) isAlways[j] = 1;
  const conditional = new Float64Array(size);
  const rate = new Float64Array(size);
  const gains = new Float64Array(size);
  return {
    conditional,
    look() {
      const k = evidence.members.length - always.length;
      const logAdd = k < maxSize ? logModel[k + 1] - logModel[k] : Number.NEGATIVE_INFINITY;
      const logKeep = k > 0 ? logModel[k] - logModel[k - 1] : 0;
      evidence.gainsOfMembers(gains);
      let z = 0;
      for (let j = 0; j < size; j++) {
        const place = evidence.place[j];
        if (isAlways[j]) {
          conditional[j] = 1;
          rate[j] = 0;
          continue;
        }
        const gain = place >= 0 ? gains[place] + logKeep : evidence.gainOfAdding(j) + logAdd;
        const logOdds = offsets ? gain + offsets[j] : gain;
        const smaller = Math.exp(-Math.abs(logOdds));
        const larger = 1 / (1 + smaller);
        const inside = logOdds >= 0 ? larger : smaller * larger;
        conditional[j] = inside;
        // The state it is in, to full precision in both tails.
        const here = place >= 0 === logOdds >= 0 ? larger : smaller * larger;
        // A variable that may not move (no room, collinear) has a rate of 0 in either state.
        rate[j] = logOdds > Number.NEGATIVE_INFINITY ? (inside + 1 / size) / (2 * Math.max(here, 1e-300)) : 0;
        z += rate[j];
      }
      return z;
    },
    choose(rng, z) {
      let u = rng.uniform() * z;
      let last = 0;
      for (let j = 0; j < size; j++) {
        if (rate[j] === 0) continue;
        last = j;
        u -= rate[j];
        if (u < 0) break;
      }
      return last;
    },
  };
}
