/**
 * Steps i to iii of Algorithm S1 (Song et al. 2020, supplement): a mini-batch X_n, m imputations ϑ_k of its latent
 * variables, and the estimate
 *
 *     ĝ(θ) = (N/mn)·Σ_k ∇log π(θ | ϑ_k, X_n) − ((N−n)/n)·∇log π(θ)
 *
 * which is the model's gradient with the batch weighted by N/n, averaged over the imputations. One imputation may be
 * resampled with weights p(X_n | θ, ϑ_k)^{N/n−1}, for latent variables that depend on all the data; the weights are
 * kept in logarithms, and the choice is made on the fly, so that one imputation is in memory at a time.
 */

import type { Rng } from "../math/rng.js";
import type { Coordinates, Gradient, InnerKernel, Model } from "../types.js";

export interface ImputedGradient<Z> extends Gradient {
  /** The resampled imputation of the last gradient; undefined without resampling. */
  readonly resampled: Z | undefined;
}

export interface ImputedSettings<Z, B> {
  readonly rng: Rng;
  readonly model: Model<Z, B>;
  readonly kernel: InnerKernel<Z, B>;
  /** m */
  readonly imputations?: number;
  readonly resampling?: {
    /** log p(X_n | θ, ϑ), unweighted. */
    logLikelihood(theta: Float64Array, z: Z, batch: B): number;
    /** N/n − 1 */
    readonly power: number;
    copy(z: Z): Z;
  };
}

/** The gradient of each mini-batch that it is given. */
export function imputed<Z, B>(settings: ImputedSettings<Z, B>): (batch: B) => ImputedGradient<Z> {
  const { rng, model, kernel, imputations = 1, resampling } = settings;
  const coordinates = everyCoordinate(model.names.length);
  let z: Z | undefined;
  return (batch) => {
    let resampled: Z | undefined;
    return {
      get resampled() {
        return resampled;
      },
      at(out, theta) {
        z ??= kernel.init(rng, theta);
        kernel.enter(z, theta, batch);
        out.fill(0);
        let logTotal = Number.NEGATIVE_INFINITY;
        for (let k = 0; k < imputations; k++) {
          kernel.step(rng, z, theta, batch);
          model.addGrad(out, 1 / imputations, theta, z, batch);
          if (resampling) {
            const logWeight = resampling.power * resampling.logLikelihood(theta, z, batch);
            logTotal = logAdd(logTotal, logWeight);
            if (Math.log(rng.uniformOpen()) <= logWeight - logTotal) resampled = resampling.copy(z);
          }
        }
        return coordinates;
      },
    };
  };
}

export function everyCoordinate(count: number): Coordinates {
  return { count, indices: Uint32Array.from({ length: count }, (_, j) => j) };
}

function logAdd(a: number, b: number): number {
  const top = Math.max(a, b);
  return top === Number.NEGATIVE_INFINITY ? top : top + Math.log1p(Math.exp(Math.min(a, b) - top));
}
