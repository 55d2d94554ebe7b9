/**
 * A gradient near a point θ̂ at which ∇log π(θ̂ | D) and the information I are known, for Fisher scoring: there
 *
 *     ∇log π(θ | D) ≈ ∇log π(θ̂ | D) − I·(θ − θ̂),
 *
 * and what ĝ(θ) is off by is its error. Successive differences (`withNoise`) would take the moves of θ for errors: with
 * a control variate those of the batches are the smaller ones.
 */

import type { Gradient, GradientWithNoise } from "../types.js";

export interface Known {
  readonly theta: Float64Array;
  readonly gradient: Float64Array;
  /** Row after row. */
  readonly information: Float64Array;
}

export function informed<B>(of: (batch: B) => Gradient, known: Known): (batch: B) => GradientWithNoise {
  const { theta: anchor, gradient, information } = known;
  const size = anchor.length;
  const error = new Float64Array(size);
  return (batch) => {
    const now = of(batch);
    return {
      at(out, theta) {
        const coordinates = now.at(out, theta);
        for (let j = 0; j < size; j++) {
          let sum = out[j] - gradient[j];
          for (let k = 0; k < size; k++) sum += information[j * size + k] * (theta[k] - anchor[k]);
          error[j] = sum;
        }
        return coordinates;
      },
      noise(outInformation, covariance, shape) {
        for (let j = 0; j < size; j++) {
          if (shape === "diagonal") {
            outInformation[j] = information[j * size + j];
            covariance[j] = error[j] ** 2;
          } else for (let k = 0; k < size; k++) covariance[j * size + k] = error[j] * error[k];
        }
        if (shape === "full") outInformation.set(information);
      },
    };
  };
}
