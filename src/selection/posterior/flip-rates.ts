/**
 * How readily every candidate is flipped at the current model γ. With π_j = π(γ_j = 1 | γ_−j, y),
 *
 *     p_j(γ) = κ_j(γ_−j) / (2π(γ_j | γ_−j, y)),   κ_j = π_j + 1/C,   Z(γ) = Σ_j p_j(γ)
 *
 * (Zanella and Roberts 2019). π(γ)p_j(γ) is the same at both ends of a flip, so a process that jumps at these rates
 * has π for its stationary law, and so has a chain of flips whose visits count with weight 1/Z(γ).
 */

import { wasmFlips } from "../../kernels/wasm-flips.js";
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
  const { pivot, score, place } = evidence;
  const arrays = {
    ...{ pivot, score, place, rate, inside: conditional },
    least: evidence.smallestPivots(),
    offset: offsets ?? new Float64Array(size),
  };
  const spread = 1 / size;
  const terms = { ...evidence.termsOfAdding(), spread };
  const { base } = terms;
  return {
    conditional,
    look() {
      const { members } = evidence;
      const k = members.length - always.length;
      let z = 0;
      if (k < maxSize) {
        terms.base = base + logModel[k + 1] - logModel[k];
        terms.share = evidence.shareOfResidual();
        z = wasmFlips(arrays, terms);
      } else {
        conditional.fill(0);
        rate.fill(0);
      }
      evidence.gainsOfMembers(gains);
      const logKeep = k > 0 ? logModel[k] - logModel[k - 1] : 0;
      for (let i = 0; i < members.length; i++) {
        const j = members[i];
        conditional[j] = 1;
        if (isAlways[j]) continue;
        const logOdds = gains[i] + logKeep + arrays.offset[j];
        conditional[j] = 1 / (1 + Math.exp(-logOdds));
        rate[j] = (conditional[j] + spread) / (2 * Math.max(conditional[j], 1e-300));
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
