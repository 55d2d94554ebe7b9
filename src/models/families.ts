import type { Kernels } from "../kernels/interface.js";

/** A likelihood as the sampler sees it: functions of the linear predictor η, summed over the rows of a batch. */
export interface Family {
  readonly name: "gaussian" | "binomial" | "poisson";
  /** Σ log p(y | η), up to a constant in η. */
  logLikelihood(eta: number, y: number, n: number): number;
  /** What Σ log p(y | η) gains when η moves by d. */
  change(d: number, eta: number, y: number, n: number): number;
  /** out = ∂ log p(y | η) / ∂η, row by row. */
  score(out: number, eta: number, y: number, n: number): void;
  /** `score` over this is the gradient: σ² for the Gaussian, whose score is kept as a residual. */
  readonly dispersion: number;
}

/** y ~ N(η, σ²). The holder of σ² may change it between batches. */
export function gaussian(kernels: Kernels, noise: { readonly variance: number }): Family {
  return {
    name: "gaussian",
    get dispersion() {
      return noise.variance;
    },
    logLikelihood: (eta, y, n) => -kernels.squaredError(eta, y, n) / (2 * noise.variance),
    change: (d, eta, y, n) => kernels.gaussianChange(d, eta, y, n) / noise.variance,
    score: (out, eta, y, n) => kernels.residual(out, y, eta, n),
  };
}
