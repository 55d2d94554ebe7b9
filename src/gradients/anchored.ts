/**
 * A mini-batch gradient with a control variate at a fixed point θ̂ (Baker, Fearnhead, Fox and Nemeth 2019):
 *
 *     ĝ(θ) = ∇log π(θ̂ | D) + ĝ_n(θ) − ĝ_n(θ̂)
 *
 * Unbiased like ĝ_n, but its noise vanishes as θ approaches θ̂, where the posterior of much data lives. So a step may
 * be as long as the curvature allows and not as short as the noise of a batch demands.
 */

import type { Gradient, Model } from "../types.js";
import { everyCoordinate } from "./imputed.js";

/** The gradient of each mini-batch that it is given. */
export function anchored<B>(settings: {
  readonly model: Model<null, B>;
  readonly anchor: Float64Array;
  /** ∇log π at the anchor, given all the data. */
  readonly gradient: Float64Array;
}): (batch: B) => Gradient {
  const { model, anchor, gradient } = settings;
  const coordinates = everyCoordinate(anchor.length);
  return (batch) => ({
    at(out, theta) {
      out.set(gradient);
      model.addGrad(out, 1, theta, null, batch);
      model.addGrad(out, -1, anchor, null, batch);
      return coordinates;
    },
  });
}
