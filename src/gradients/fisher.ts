/**
 * Lemma 1 of Song et al. (2020), the whole idea:
 *
 *     ∇ log π(θ | D) = E_{z | θ, D} [ ∇_θ log π(θ, z | D) ]
 *
 * estimated on a mini-batch by the average over `draws` states of a short chain for z, `moves` moves apart. The
 * chain is warm: z persists from call to call. States that repeat share one evaluation.
 */

import type { Rng } from "../math/rng.js";
import type { Coordinates, Gradient, InnerKernel, Model, Sparse } from "../types.js";

export interface FisherSettings<Z, B> {
  readonly model: Model<Z, B>;
  readonly kernel: InnerKernel<Z, B>;
  readonly z: Z;
  readonly rng: Rng;
  /** m of the paper. */
  readonly draws: number;
  readonly moves: number;
  /** Called at each of the m draws. */
  readonly visit?: ((z: Z) => void) | undefined;
}

/** The gradient on a batch, reused from iteration to iteration. */
export function fisher<Z, B>(settings: FisherSettings<Z, B>): (batch: B) => Gradient {
  const { model, kernel, z, rng, draws, moves, visit } = settings;
  let batch: B;
  let ofState = new Float64Array(0);
  let everything: Coordinates = { count: 0, indices: new Uint32Array(0) };
  const touched = (): Coordinates => (model.rest ? (z as Sparse).touched : everything);

  /** out += share·ofState, and ofState is ready for the next state. */
  function add(out: Float64Array, share: number): void {
    const { count, indices } = touched();
    for (let i = 0; i < count; i++) {
      const j = indices[i];
      out[j] += share * ofState[j];
      ofState[j] = 0;
    }
  }

  const gradient: Gradient = {
    at(out, theta) {
      if (ofState.length !== theta.length) {
        ofState = new Float64Array(theta.length);
        everything = { count: theta.length, indices: Uint32Array.from(theta.keys()) };
      }
      // `out` is 0 wherever the last call did not write.
      const before = touched();
      for (let i = 0; i < before.count; i++) out[before.indices[i]] = 0;
      kernel.enter(z, theta, batch);
      let changed = true;
      let repeats = 0;
      for (let k = 0; k < draws; k++) {
        for (let move = 0; move < moves; move++) changed = kernel.step(rng, z, theta, batch) || changed;
        if (changed) {
          if (repeats > 0) add(out, repeats / draws);
          model.addGrad(ofState, 1, theta, z, batch);
          repeats = 0;
          changed = false;
        }
        repeats += 1;
        visit?.(z);
      }
      add(out, repeats / draws);
      const after = touched();
      if (model.rest) {
        for (let i = 0; i < after.count; i++) {
          const j = after.indices[i];
          out[j] += model.rest(j, theta[j]);
        }
      }
      return after;
    },
  };
  return (on) => {
    batch = on;
    return gradient;
  };
}
