/**
 * Stochastic gradient Langevin dynamics (Welling and Teh 2011; eq. 1 of Song et al. 2020):
 *
 *     θ ← θ + ½ε·ĝ(θ) + √(ετ)·ξ,   ξ ~ N(0, I)
 *
 * τ = 1 targets the posterior, τ = 0 is stochastic gradient ascent. Only the coordinates that the gradient has
 * touched move; those asleep are brought up to date by their pseudo-prior when they wake.
 */

import { normal } from "../math/normal.js";
import type { Integrator } from "../types.js";

export interface SgldState {
  readonly theta: Float64Array;
  readonly gradient: Float64Array;
}

export interface SgldOptions {
  readonly temperature?: number;
  /** The drift of a coordinate is cut at ±limit: a safeguard where means grow exponentially. */
  readonly limit?: number;
}

export function sgld(settings: SgldOptions = {}): Integrator<SgldState> {
  const { temperature = 1, limit = Number.POSITIVE_INFINITY } = settings;
  return {
    init: (_rng, theta) => ({ theta, gradient: new Float64Array(theta.length) }),
    step(rng, state, gradient, stepSize) {
      const { theta, gradient: g } = state;
      const { indices, count } = gradient.at(g, theta);
      const noise = Math.sqrt(stepSize * temperature);
      for (let i = 0; i < count; i++) {
        const j = indices[i];
        theta[j] += Math.max(-limit, Math.min(limit, 0.5 * stepSize * g[j]));
        if (noise > 0) theta[j] += noise * normal(rng);
      }
    },
  };
}
