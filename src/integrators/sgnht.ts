/**
 * The stochastic gradient Nosé–Hoover thermostat (Ding et al. 2014), with h = √(ε/2), momentum r and friction α:
 *
 *     r ← e^{−α}·r + ½(1 + e^{−α})·h·ĝ(θ) + √(τ(1 − e^{−2a}))·ξ,   θ ← θ + h·r,   α ← α + ρ·(r'r/d − τ)
 *
 * The friction starts at a and rises by itself until the momenta have temperature τ, and so absorbs gradient noise
 * of unknown variance: at equilibrium E r'r/d = τ whatever the step size. Differs from the paper in two ways.
 * Friction and noise are an exact Ornstein–Uhlenbeck step between two half kicks of the same gradient, as in the
 * splittings of Leimkuhler and Shang (2016): Euler's 1 − α explodes once α passes 2, and it holds the temperature
 * of r at τ but leaves θ colder by the factor 1 − α/2. And the paper's ρ is h², far too slow for a posterior of many
 * rows, where h ~ 1/√N, so here ρ is a setting free of scale (a²/10 by default: the friction's own spread is about
 * √(ρτ/d)). The average r'r/d is over the d coordinates that moved, and a coordinate that was asleep wakes with
 * fresh momentum N(0, τ).
 */

import { normal } from "../math/normal.js";
import type { Integrator } from "../types.js";
import { type Wakefulness, wakefulness } from "./wakefulness.js";

export interface SgnhtState {
  readonly theta: Float64Array;
  readonly gradient: Float64Array;
  readonly momentum: Float64Array;
  readonly awake: Wakefulness;
  friction: number;
}

export function sgnht(
  settings: { friction?: number; rate?: number; temperature?: number } = {},
): Integrator<SgnhtState> {
  const { friction = 0.1, temperature = 1 } = settings;
  const { rate = 0.1 * friction * friction } = settings;
  const noise = Math.sqrt(temperature * -Math.expm1(-2 * friction));
  return {
    init: (_rng, theta) => ({
      theta,
      gradient: new Float64Array(theta.length),
      momentum: new Float64Array(theta.length),
      awake: wakefulness(theta.length),
      friction,
    }),
    step(rng, state, gradient, stepSize) {
      const { theta, gradient: g, momentum: r, awake } = state;
      const { indices, count } = gradient.at(g, theta);
      const h = Math.sqrt(0.5 * stepSize);
      const keep = Math.exp(-state.friction);
      const kick = 0.5 * (1 + keep) * h;
      awake.nextStep();
      let energy = 0;
      for (let i = 0; i < count; i++) {
        const j = indices[i];
        if (awake.wakes(j)) r[j] = temperature > 0 ? Math.sqrt(temperature) * normal(rng) : 0;
        r[j] = keep * r[j] + kick * g[j];
        if (noise > 0) r[j] += noise * normal(rng);
        theta[j] += h * r[j];
        energy += r[j] * r[j];
      }
      if (count > 0) state.friction += rate * (energy / count - temperature);
    },
  };
}
