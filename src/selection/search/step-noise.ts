/**
 * How noisy the model step is. Taking member i out of the model changes the log-likelihood by D_i, of which a batch
 * sees (N/n)·d_i: right on average, with a standard deviation s_i that falls like n^(−1/2). Where s_i is not far below
 * |D_i|, the luck of a batch removes a variable that the data firmly support.
 */

import type { Likelihood } from "../../families/family.js";
import type { Kernels } from "../../kernels/interface.js";
import type { Rng } from "../../math/rng.js";
import type { Batches } from "../../store/batch/batch.js";
import type { Vector } from "../../types.js";
import type { Members } from "./residual-weights.js";

/** Batches that the noise is measured over. */
const BATCHES = 16;
/** Log-likelihood units that a firmly supported member is worth, and its distance from zero in standard errors. */
const FIRM = 10;
const FIRM_ERRORS = 5;
/** A member is safe when its worth is so many standard deviations of a batch's noise. */
const SAFE = 3;

export interface StepNoiseSettings {
  readonly kernels: Kernels;
  readonly likelihood: Likelihood;
  readonly batches: Batches;
  readonly eta: Vector;
  readonly scratch: Vector;
}

/** The factor by which batches would have to grow for every firm member to be safe; undefined where none is firm. */
export function stepNoise(
  { kernels, likelihood, batches, eta, scratch }: StepNoiseSettings,
  rng: Rng,
  z: Members,
  theta: Float64Array,
): number | undefined {
  const members = [...z.members.subarray(z.always, z.size)];
  const sums = members.map(() => ({ sum: 0, squares: 0 }));
  for (let b = 0; b < BATCHES && members.length > 0; b++) {
    const batch = batches.draw(rng);
    kernels.fill(eta.pointer, 0, batch.rows);
    for (let i = 0; i < z.size; i++) batch.axpy(eta, theta[z.members[i]], z.members[i]);
    members.forEach((j, i) => {
      kernels.fill(scratch.pointer, 0, batch.rows);
      batch.axpy(scratch, -theta[j], j);
      const change =
        batch.weight * likelihood.change(scratch.pointer, eta.pointer, batch.target.pointer, batch.rows);
      sums[i].sum += change;
      sums[i].squares += change * change;
    });
  }
  let needed: number | undefined;
  for (const { sum, squares } of sums) {
    const worth = -sum / BATCHES;
    const sd = Math.sqrt(Math.max(0, (squares - BATCHES * worth * worth) / (BATCHES - 1)));
    if (worth < Math.max(FIRM, (FIRM_ERRORS * sd) / Math.sqrt(BATCHES))) continue;
    needed = Math.max(needed ?? 0, ((SAFE * sd) / worth) ** 2);
  }
  return needed;
}
