/**
 * Any integrator in the coordinates φ in which the target looks isotropic: θ = θ₀ + R⁻ᵀφ, with R·R′ the curvature of
 * −log π at θ₀. The gradient in φ is R⁻¹∇_θ; a constant matrix adds no further term to the diffusion.
 */

import { packedSize, solveLower, solveUpper } from "../math/packed.js";
import type { Gradient, Integrator } from "../types.js";

export interface WhitenedState<S> {
  readonly theta: Float64Array;
  readonly inner: S;
}

export function whitened<S extends { readonly theta: Float64Array }>(
  settings: { readonly center: Float64Array; readonly factor: Float64Array },
  integrator: Integrator<S>,
): Integrator<WhitenedState<S>> {
  const { center, factor } = settings;
  const size = center.length;
  function place(theta: Float64Array, phi: Float64Array): void {
    theta.set(phi);
    solveUpper(theta, 0, factor, 0, size);
    for (let j = 0; j < size; j++) theta[j] += center[j];
  }
  return {
    init(rng, theta) {
      const phi = new Float64Array(size);
      for (let j = 0, row = 0; j < size; row = packedSize(++j)) {
        const offset = theta[j] - center[j];
        for (let k = 0; k <= j; k++) phi[k] += factor[row + k] * offset;
      }
      return { theta, inner: integrator.init(rng, phi) };
    },
    step(rng, state, gradient, stepSize) {
      const inPhi: Gradient = {
        at(out, phi) {
          place(state.theta, phi);
          const coordinates = gradient.at(out, state.theta);
          solveLower(out, 0, factor, 0, size);
          return coordinates;
        },
      };
      integrator.step(rng, state.inner, inPhi, stepSize);
      place(state.theta, state.inner.theta);
    },
  };
}
