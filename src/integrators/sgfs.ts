/**
 * Stochastic gradient Fisher scoring, diagonal (SGFS-d of Ahn, Korattikara and Welling 2012). With running averages
 * of the information I and of the gradient's error variance S, coordinate by coordinate, and B = 4/ε:
 *
 *     θ ← θ + 2·(ĝ(θ) + η)/(I + S + B),   η ~ N(0, τ(S + B) − S)
 *
 * or, with `relative`, B = 4I/ε (the choice that the paper recommends): then ε has no unit, and every coordinate moves
 * at the pace of its own information. For small ε the first is SGLD; for large ε the gradient's own error does the work
 * of the noise. On a Gaussian with independent coordinates and known I and S the stationary law is N(·, τ/I) at every
 * step size. Differs from the paper: temperature (at τ = 1 the noise is their N(0, B); where τ(S + B) < S there is none
 * to add), and a gradient that states its information and error apart, rather than both through N and n. A coordinate
 * that wakes starts its averages again, and rests for `warmUp` steps while they settle: with a relative B nothing else
 * bounds its step.
 *
 * Where S outweighs B, coordinates whose errors are correlated get the variance of the conditional, not of the
 * marginal posterior: their covariances need the whole matrices of `sgfsFull`.
 */

import { normal } from "../math/normal.js";
import type { GradientWithNoise, Integrator } from "../types.js";
import { type Wakefulness, wakefulness } from "./wakefulness.js";

export interface SgfsState {
  readonly theta: Float64Array;
  readonly gradient: Float64Array;
  readonly information: Float64Array;
  readonly variance: Float64Array;
  readonly fresh: { readonly information: Float64Array; readonly variance: Float64Array };
  readonly awake: Wakefulness;
  /** For how many steps in a row a coordinate has moved. */
  readonly steps: Float64Array;
}

export function sgfs(
  settings: {
    /** How many of the latest steps the averages reach back. */
    memory?: number;
    relative?: boolean;
    /** The least information that a coordinate has, that of a prior: it bounds the relative step where data say nothing. */
    floor?: number;
    warmUp?: number;
    temperature?: number;
  } = {},
): Integrator<SgfsState, GradientWithNoise> {
  const { memory = 1000, relative = false, temperature = 1 } = settings;
  const { warmUp = relative ? 50 : 0, floor = relative ? 1 : 0 } = settings;
  return {
    init: (_rng, theta) => {
      const zeros = (): Float64Array => new Float64Array(theta.length);
      return {
        theta,
        gradient: zeros(),
        information: zeros(),
        variance: zeros(),
        fresh: { information: zeros(), variance: zeros() },
        awake: wakefulness(theta.length),
        steps: zeros(),
      };
    },
    step(rng, state, gradient, stepSize) {
      const { theta, gradient: g, information, variance, fresh, awake, steps } = state;
      const { indices, count } = gradient.at(g, theta);
      gradient.noise(fresh.information, fresh.variance, "diagonal");
      awake.nextStep();
      for (let i = 0; i < count; i++) {
        const j = indices[i];
        if (awake.wakes(j)) steps[j] = 0;
        const gain = 1 / Math.min(++steps[j], memory);
        information[j] += gain * (fresh.information[j] - information[j]);
        variance[j] += gain * (fresh.variance[j] - variance[j]);
        if (steps[j] <= warmUp) continue;
        const b = (4 / stepSize) * (relative ? information[j] + floor : 1);
        const injected = temperature * (variance[j] + b) - variance[j];
        const noise = injected > 0 ? Math.sqrt(injected) * normal(rng) : 0;
        theta[j] += (2 * (g[j] + noise)) / (information[j] + floor + variance[j] + b);
      }
    },
  };
}
