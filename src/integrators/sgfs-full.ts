/**
 * Stochastic gradient Fisher scoring with whole matrices (Ahn, Korattikara and Welling 2012): running averages of the
 * information I and of the covariance S of the gradient's error, and B = (4/ε)·Id or, `relative`, (4/ε)·I, I then
 * holding at least `floor`·Id, the information of a prior, without which a direction that the data leave open would
 * have steps without bound (an empty cluster's mean, say):
 *
 *     θ ← θ + 2·(I + S + B)^{-1}·(ĝ(θ) + η),   η ~ N(0, τ(S + B) − S)
 *
 * On a Gaussian with known I and S ∝ I the stationary law is N(·, τI^{-1}) at every step size, so the errors of small
 * batches are turned from a nuisance into the noise that the chain needs. The differences from the paper are those
 * of `sgfs`. All coordinates must move at every step, and θ rests until the averages have full rank; the factors are
 * renewed every `refresh` steps, since the averages move slowly.
 */

import { SparrowError } from "../errors.js";
import { cholesky, solve } from "../math/linear.js";
import { normal } from "../math/normal.js";
import type { GradientWithNoise, Integrator } from "../types.js";

export interface SgfsFullState {
  readonly theta: Float64Array;
  readonly gradient: Float64Array;
  readonly information: Float64Array;
  readonly covariance: Float64Array;
  readonly fresh: { readonly information: Float64Array; readonly covariance: Float64Array };
  /** Factors of I + S + B and of the noise to add, for this step size. */
  readonly metric: Float64Array;
  readonly noise: Float64Array;
  factoredAt: number;
  noisy: boolean;
  time: number;
}

export function sgfsFull(
  settings: {
    memory?: number;
    relative?: boolean;
    floor?: number;
    warmUp?: number;
    refresh?: number;
    temperature?: number;
  } = {},
): Integrator<SgfsFullState, GradientWithNoise> {
  const { relative = false, refresh = 10, temperature = 1 } = settings;
  const { floor = relative ? 1 : 0 } = settings;

  /** Factors a matrix of the averages; false where it is not positive definite. */
  function factor(out: Float64Array, state: SgfsFullState, i: number, s: number, ridge: number): boolean {
    const d = state.theta.length;
    for (let k = 0; k < d * d; k++) out[k] = i * state.information[k] + s * state.covariance[k];
    for (let k = 0; k < d; k++) out[k * d + k] += ridge;
    return cholesky(out, d);
  }

  return {
    init: (_rng, theta) => {
      const matrix = (): Float64Array => new Float64Array(theta.length ** 2);
      return {
        theta,
        gradient: new Float64Array(theta.length),
        information: matrix(),
        covariance: matrix(),
        fresh: { information: matrix(), covariance: matrix() },
        metric: matrix(),
        noise: matrix(),
        factoredAt: 0,
        noisy: false,
        time: 0,
      };
    },
    step(rng, state, gradient, stepSize) {
      const { theta, gradient: g, information, covariance, fresh, metric, noise } = state;
      const d = theta.length;
      const { memory = Math.max(1000, 20 * d), warmUp = relative ? Math.max(50, 10 * d) : 0 } = settings;
      if (gradient.at(g, theta).count !== d) {
        throw new SparrowError(
          "Fisher scoring with whole matrices moves all coordinates: use sgfs where some sleep.",
        );
      }
      gradient.noise(fresh.information, fresh.covariance, "full");
      const time = ++state.time;
      const gain = 1 / Math.min(time, memory);
      for (let k = 0; k < d * d; k++) {
        information[k] += gain * (fresh.information[k] - information[k]);
        covariance[k] += gain * (fresh.covariance[k] - covariance[k]);
      }
      if (time <= warmUp) return;
      if (state.factoredAt === 0 || time >= state.factoredAt + refresh) {
        const b = 4 / stepSize;
        const ridge = relative ? b * floor : b;
        const ofInformation = relative ? b : 0;
        if (!factor(metric, state, 1 + ofInformation, 1, floor + ridge)) return;
        state.noisy =
          temperature > 0 &&
          factor(noise, state, temperature * ofInformation, temperature - 1, temperature * ridge);
        state.factoredAt = time;
      }
      if (state.noisy) addNoise(g, noise, d, () => normal(rng));
      solve(metric, d, g);
      for (let j = 0; j < d; j++) theta[j] += 2 * g[j];
    },
  };
}

/** out += Lξ. */
function addNoise(out: Float64Array, factor: Float64Array, d: number, draw: () => number): void {
  for (let k = 0; k < d; k++) {
    const xi = draw();
    for (let j = k; j < d; j++) out[j] += factor[j * d + k] * xi;
  }
}
