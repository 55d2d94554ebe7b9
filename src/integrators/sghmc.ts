/**
 * Stochastic gradient Hamiltonian Monte Carlo (Chen, Fox and Guestrin 2014), with h = √(ε/2) and momentum r:
 *
 *     r ← (1 − α)·r + h·ĝ(θ) + √(2ατ − h²s²)·ξ,   θ ← θ + h·r
 *
 * α is the friction of one step, 0 < α ≤ 1; at α = 1 this is SGLD with the same ε. s² is an estimate of the
 * variance of ĝ (their 2B̂), subtracted from the noise that is injected; 0 unless told. Differs from the paper:
 * the momentum has unit mass, so it keeps its law when ε changes, and a coordinate that was asleep wakes with
 * fresh momentum N(0, τ), for what it carried belongs to a θ_j and a model long gone.
 */

import { normal } from "../math/normal.js";
import type { Integrator } from "../types.js";
import { type Wakefulness, wakefulness } from "./wakefulness.js";

export interface SghmcState {
  readonly theta: Float64Array;
  readonly gradient: Float64Array;
  readonly momentum: Float64Array;
  readonly awake: Wakefulness;
}

export function sghmc(
  settings: { friction?: number; temperature?: number; gradientNoise?: number } = {},
): Integrator<SghmcState> {
  const { friction = 0.1, temperature = 1, gradientNoise = 0 } = settings;
  return {
    init: (_rng, theta) => ({
      theta,
      gradient: new Float64Array(theta.length),
      momentum: new Float64Array(theta.length),
      awake: wakefulness(theta.length),
    }),
    step(rng, state, gradient, stepSize) {
      const { theta, gradient: g, momentum: r, awake } = state;
      const { indices, count } = gradient.at(g, theta);
      const h = Math.sqrt(0.5 * stepSize);
      const variance = 2 * friction * temperature - h * h * gradientNoise;
      const noise = temperature > 0 ? Math.sqrt(Math.max(0, variance)) : 0;
      awake.nextStep();
      for (let i = 0; i < count; i++) {
        const j = indices[i];
        if (awake.wakes(j)) r[j] = temperature > 0 ? Math.sqrt(temperature) * normal(rng) : 0;
        r[j] = (1 - friction) * r[j] + h * g[j];
        if (noise > 0) r[j] += noise * normal(rng);
        theta[j] += h * r[j];
      }
    },
  };
}
