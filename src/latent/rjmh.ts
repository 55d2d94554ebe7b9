/**
 * The paper's reversible jumps (supplement, section S3): a variable enters with the θ_j that its walk outside has left
 * behind, so a move changes γ and at most a sign. Outside, the law π0 of θ_j is even and the sign means nothing; a
 * coin decides on the sign of a coefficient that enters, so the odds of the move are p(batch | with)/p(batch | without)
 * over π0(θ_j). The supplement tosses the coin for a variable that leaves as well, which comes to the same.
 */

import type { Likelihood } from "../families/family.js";
import type { AliasTable } from "../math/alias.js";
import type { Rng } from "../math/rng.js";
import type { Batch, InnerKernel, Vector } from "../types.js";
import { type JumpSettings, jumps } from "./jumps.js";
import { Proposals } from "./proposals.js";
import type { PseudoPrior } from "./pseudo-prior.js";
import { isMember, type Selection } from "./selection.js";

export interface RjmhSettings extends JumpSettings {
  readonly likelihood: Likelihood;
  /** Even in θ_j. */
  readonly pseudoPrior: PseudoPrior;
  /** Proposal weights in (0, 1), one per variable; 0 for variables that never enter. */
  readonly weights: Float64Array;
  /** How births are drawn; by the weights unless told. */
  readonly births?: AliasTable;
}

export function rjmh(settings: RjmhSettings): InnerKernel<Selection> {
  const { kernels, likelihood, pseudoPrior, always = [] } = settings;
  // Permanent members are never proposed: they count neither in the normalisers nor in what the cap can reach.
  const weights = settings.weights.slice();
  for (const j of always) weights[j] = 0;
  const proposals = new Proposals(weights, settings.prior.maxSize, settings.births);
  const term = settings.vector();

  /** log p(batch | with)/p(batch | without) − log π0, where value·x_j joins η. */
  function odds(value: number, j: number, eta: Vector, batch: Batch): number {
    kernels.fill(term.pointer, 0, batch.rows);
    batch.axpy(term, value, j);
    const gain = likelihood.change(term.pointer, eta.pointer, batch.target.pointer, batch.rows);
    return batch.weight * gain - pseudoPrior.logDensity(j, value);
  }

  const entrance = {
    value: 0,

    enter(z: Selection): void {
      // What was awake in the last round but is out of the model now goes to sleep.
      for (let i = 0; i < z.touched.count; i++) {
        const j = z.touched.indices[i];
        if (!isMember(z, j)) pseudoPrior.sleep(j);
      }
    },

    draw(rng: Rng, theta: Float64Array, j: number, _size: number, eta: Vector, batch: Batch): number {
      pseudoPrior.wake(rng, theta, j);
      entrance.value = rng.uint32() & 1 ? -theta[j] : theta[j];
      return odds(entrance.value, j, eta, batch);
    },

    back: (theta: Float64Array, i: number, _size: number, eta: Vector, batch: Batch): number =>
      odds(theta[i], i, eta, batch),

    /** θ_i was up to date while i was in; a return within this batch must find it as it is now. */
    left: (i: number): void => pseudoPrior.sleep(i),
  };

  return jumps(settings, weights.length, proposals, entrance);
}
