/**
 * A mini-batch gradient with a control variate at a fixed point θ̂ (Baker, Fearnhead, Fox and Nemeth 2019):
 *
 *     ĝ(θ) = ∇log π(θ̂ | D) + ĝ_n(θ) − ĝ_n(θ̂)
 *
 * Unbiased like ĝ_n, but its noise vanishes as θ approaches θ̂, where the posterior of much data lives. So a step may
 * be as long as the curvature allows and not as short as the noise of a batch demands.
 */

import type { Rng } from "../math/rng.js";
import type { Model } from "../types.js";
import { type BatchGradient, everyCoordinate } from "./imputed.js";

export function anchored<B>(settings: {
  readonly model: Model<null, B>;
  readonly batch: (rng: Rng) => B;
  readonly anchor: Float64Array;
  /** ∇log π at the anchor, given all the data. */
  readonly gradient: Float64Array;
}): BatchGradient {
  const { model, anchor, gradient } = settings;
  const coordinates = everyCoordinate(anchor.length);
  let batch: B;
  return {
    next(rng) {
      batch = settings.batch(rng);
    },
    at(out, theta) {
      out.set(gradient);
      model.addGrad(out, 1, theta, null, batch);
      model.addGrad(out, -1, anchor, null, batch);
      return coordinates;
    },
  };
}
