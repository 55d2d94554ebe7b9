/**
 * Preconditioned SGLD (Li, Chen, Carlson and Carin 2016), with V a running average of squared gradients:
 *
 *     θ ← θ + ½ε·G·ĝ(θ) + √(ετG)·ξ,   G = 1/(δ + √V),   V ← βV + (1 − β)·ĝ∘ĝ
 *
 * So ε/√V plays the part of SGLD's ε. With `relative`, √V and δ are in units of the average of √V over the coordinates
 * that move: ε is SGLD's where V is average, and no coordinate's step exceeds ε/δ. Differs from the paper: V is updated
 * after its use, so that G does not depend on the error of the batch that it multiplies; and a coordinate that wakes
 * starts from V = ĝ∘ĝ. The paper's Γ = ∂G/∂θ is left out, as in its own experiments: the bias that remains falls with
 * 1 − β, and with β = 1 (V frozen) it is zero.
 */

import { normal } from "../math/normal.js";
import type { Integrator } from "../types.js";
import { type Wakefulness, wakefulness } from "./wakefulness.js";

export interface PsgldState {
  readonly theta: Float64Array;
  readonly gradient: Float64Array;
  readonly meanSquare: Float64Array;
  readonly awake: Wakefulness;
}

export function psgld(
  settings: { decay?: number; floor?: number; relative?: boolean; temperature?: number } = {},
): Integrator<PsgldState> {
  const { decay = 0.99, floor = 1e-5, relative = false, temperature = 1 } = settings;
  return {
    init: (_rng, theta) => ({
      theta,
      gradient: new Float64Array(theta.length),
      meanSquare: new Float64Array(theta.length),
      awake: wakefulness(theta.length),
    }),
    step(rng, state, gradient, stepSize) {
      const { theta, gradient: g, meanSquare, awake } = state;
      const { indices, count } = gradient.at(g, theta);
      awake.nextStep();
      let total = 0;
      for (let i = 0; i < count; i++) {
        const j = indices[i];
        if (awake.wakes(j)) meanSquare[j] = g[j] * g[j];
        total += Math.sqrt(meanSquare[j]);
      }
      const unit = relative && total > 0 ? total / count : 1;
      for (let i = 0; i < count; i++) {
        const j = indices[i];
        const step = stepSize / (floor + Math.sqrt(meanSquare[j]) / unit);
        theta[j] += 0.5 * step * g[j];
        if (temperature > 0) theta[j] += Math.sqrt(step * temperature) * normal(rng);
        meanSquare[j] = decay * meanSquare[j] + (1 - decay) * g[j] * g[j];
      }
    },
  };
}
