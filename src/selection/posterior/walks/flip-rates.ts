/**
 * How readily every candidate is flipped at the current model γ. With π_j = π(γ_j = 1 | γ_−j, y),
 *
 *     p_j(γ) = κ_j(γ_−j) / (2π(γ_j | γ_−j, y)),   κ_j = π_j + 1/C,   Z(γ) = Σ_j p_j(γ)
 *
 * (Zanella and Roberts 2019). π(γ)p_j(γ) is the same at both ends of a flip, so a process that jumps at these rates
 * has π for its stationary law, and so has a chain of flips whose visits count with weight 1/Z(γ).
 */

import { wasmFlips } from "../../../kernels/wasm-flips.js";
import type { Rng } from "../../../math/rng.js";
import type { Evidence } from "../evidence.js";
import { largestSize, type ModelSpace } from "../model-weights.js";

export interface FlipRates {
  /** π_j, as of the last look. */
  readonly conditional: Float64Array;
  /** Looks at the current model and returns log Z: of a model that lacks what it needs Z may be beyond all numbers. */
  look(): number;
  /** A candidate with probability p_j/Z, as of the last look; one there is where log Z is a number. */
  choose(rng: Rng): number;
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
    pivot,
    score,
    place,
    rate,
    inside: conditional,
    least: evidence.smallestPivots(),
    offset: offsets ?? new Float64Array(size),
  };
  const spread = 1 / size;
  const terms = { ...evidence.termsOfAdding(), spread, top: 0 };
  const { base } = terms;
  /** Z, in units of those of the rates. */
  let z = 0;

  /** Log odds of the members, in their order, and the largest of those against one. */
  function members(k: number): number {
    evidence.gainsOfMembers(gains);
    const logKeep = k > 0 ? logModel[k] - logModel[k - 1] : 0;
    let against = 0;
    evidence.members.forEach((j, i) => {
      gains[i] += logKeep + arrays.offset[j];
      if (!isAlways[j] && -gains[i] > against) against = -gains[i];
    });
    return against;
  }

  /** Those outside come in as readily as nothing where there is no room for them. */
  function outsiders(k: number): { readonly sum: number; readonly shift: number } {
    if (k < maxSize) {
      terms.base = base + logModel[k + 1] - logModel[k];
      terms.share = evidence.shareOfResidual();
      return wasmFlips(arrays, terms);
    }
    conditional.fill(0);
    rate.fill(0);
    return { sum: 0, shift: terms.top };
  }

  return {
    conditional,
    look() {
      const k = evidence.members.length - always.length;
      terms.top = members(k);
      const { sum, shift } = outsiders(k);
      z = sum;
      const unit = Math.exp(-shift);
      evidence.members.forEach((j, i) => {
        conditional[j] = isAlways[j] ? 1 : 1 / (1 + Math.exp(-gains[i]));
        if (isAlways[j]) return;
        // (π_j + 1/C)/(2π_j)
        rate[j] = 0.5 * ((1 + spread) * unit + spread * Math.exp(-gains[i] - shift));
        z += rate[j];
      });
      return Math.log(z) + shift;
    },
    choose(rng) {
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
