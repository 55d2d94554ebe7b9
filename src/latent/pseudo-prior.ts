/**
 * What θ_j does while variable j is out of the model. Given γ it is independent of the data, so its law is ours to
 * choose (Carlin and Chib 1995); it only has to appear in the acceptance ratio.
 */

import { SparrowError } from "../errors.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import { option } from "../wording.js";

export interface PseudoPrior {
  /** Realises θ_j, of which nobody has asked for a while, as of now. */
  wake(rng: Rng, theta: Float64Array, j: number): void;
  /** θ_j is up to date; from now on it rests until it is woken. */
  sleep(j: number): void;
  /** One step of size ε has passed. */
  advance(stepSize: number): void;
  logDensity(j: number, value: number): number;
  /** d/dθ_j of the log density: the gradient of an excluded coordinate. */
  gradient(j: number, value: number): number;
  /** Where it stands, as plain data, and back to there; absent where there is nothing to remember. */
  save?(): SpikeStanding;
  restore?(standing: SpikeStanding): void;
}

export interface SpikeStanding {
  readonly logA0: Float64Array;
  readonly v0: Float64Array;
  readonly logA: number;
  readonly v: number;
}

/**
 * The paper's spike N(0, σ0²), moved by the same Langevin steps as everything else:
 *
 *     θ_{t+1} = a_t·θ_t + √(ε_t τ)·ξ,   a_t = 1 − ε_t / (2σ0²)
 *
 * The recursion is linear and Gaussian, so the steps from s to t collapse into one exact draw with
 * mean (A_t/A_s)·θ_s and variance V_t − (A_t/A_s)²·V_s, where A_t = Π a and V_{t+1} = a_t²·V_t + ε_t τ.
 * A coordinate costs nothing until it is looked at.
 */
export function langevinSpike(settings: {
  variables: number;
  variance: number;
  temperature?: number;
}): PseudoPrior {
  const { variables, variance, temperature = 1 } = settings;
  const logA0 = new Float64Array(variables);
  const v0 = new Float64Array(variables);
  const logNormaliser = -0.5 * Math.log(2 * Math.PI * variance);
  let logA = 0;
  let v = 0;

  function stamp(j: number): void {
    logA0[j] = logA;
    v0[j] = v;
  }

  return {
    wake(rng, theta, j) {
      if (logA0[j] === logA) return;
      const decay = Math.exp(logA - logA0[j]);
      const spread = Math.max(0, v - decay * decay * v0[j]);
      theta[j] = decay * theta[j] + Math.sqrt(spread) * normal(rng);
      stamp(j);
    },
    sleep: stamp,
    advance(stepSize) {
      const a = 1 - stepSize / (2 * variance);
      if (!(a > 0)) {
        throw new SparrowError(
          `A step of ${stepSize} is too long: with a spike variance of ${variance} it must stay below ${2 * variance}; make ${option("stepSize")} smaller.`,
        );
      }
      logA += Math.log(a);
      v = a * a * v + stepSize * temperature;
    },
    logDensity: (_j, value) => logNormaliser - (value * value) / (2 * variance),
    gradient: (_j, value) => -value / variance,
    save: () => ({ logA0, v0, logA, v }),
    restore(standing) {
      logA0.set(standing.logA0);
      v0.set(standing.v0);
      ({ logA, v } = standing);
    },
  };
}
