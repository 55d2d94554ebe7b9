/** The look at the empty model: of it the screen knows all that a pass over the rows would say. */

import type { Vector } from "../../types.js";
import { gainsOf, weightsFrom } from "./gains.js";
import type { ResidualLook, ResidualWeightsSettings } from "./residual-weights.js";

/** `eta` and `information` are room for a number each. */
export function lookOfNothing(
  settings: ResidualWeightsSettings,
  eta: Vector,
  information: Vector,
): ResidualLook["ofNothing"] {
  const { kernels, likelihood, intercept, known, aboutMeans } = settings;

  return (z, theta, rows) => {
    const found = intercept === undefined ? known : aboutMeans;
    if (!found || z.size > (intercept === undefined ? 0 : 1)) return undefined;
    const { squares, products, target } = found;
    const perMean = rows / likelihood.dispersion;
    const weight = intercept === undefined ? 1 : weightAt(theta[intercept]);
    const { gains, alone, v } = gainsOf(settings, z, theta, (j, out) => {
      out.score = perMean * products[j];
      out.information = perMean * weight * squares[j];
    });
    const curvature = (intercept === undefined ? alone : perMean * weight) + 1 / v;
    return { weights: weightsFrom(gains, z), curvature, meanSquare: target };
  };

  /** Of a row whose predictor is η. */
  function weightAt(predictor: number): number {
    const [at, out] = [eta, information].map(
      ({ pointer }) => new Float32Array(kernels.memory.buffer, pointer, 1),
    );
    at[0] = predictor;
    likelihood.weights(information.pointer, eta.pointer, 1);
    return out[0];
  }
}
