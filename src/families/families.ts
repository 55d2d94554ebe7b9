import type { Kernels } from "../kernels/interface.js";

export type FamilyName = "gaussian" | "binomial" | "poisson";

/** A likelihood as the sampler sees it: functions of the linear predictor η, summed over the rows of a batch. */
export interface Family {
  readonly name: FamilyName;
  /** Σ log p(y | η), up to a constant in η. */
  logLikelihood(eta: number, y: number, n: number): number;
  /** What Σ log p(y | η) gains when η moves by d. */
  change(d: number, eta: number, y: number, n: number): number;
  /** out = ∂ log p(y | η) / ∂η, row by row, times the dispersion. */
  score(out: number, eta: number, y: number, n: number): void;
  /** out = −∂² log p(y | η) / ∂η², row by row, times the dispersion. */
  weights(out: number, eta: number, n: number): void;
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
    weights: (out, _eta, n) => kernels.fill(out, 1, n),
  };
}

/** y ∈ {0, 1} with log-odds η. */
export function binomial(kernels: Kernels): Family {
  return {
    name: "binomial",
    dispersion: 1,
    logLikelihood: kernels.binomialLogLikelihood,
    change: kernels.binomialChange,
    score: kernels.binomialScore,
    weights: kernels.binomialWeights,
  };
}

/** y a count with log-mean η. */
export function poisson(kernels: Kernels): Family {
  return {
    name: "poisson",
    dispersion: 1,
    logLikelihood: kernels.poissonLogLikelihood,
    change: kernels.poissonChange,
    score: kernels.poissonScore,
    weights: kernels.poissonWeights,
  };
}

/** The family of a plan, which names it. */
export function familyNamed(
  kernels: Kernels,
  name: FamilyName,
  noise: { readonly variance: number },
): Family {
  if (name === "gaussian") return gaussian(kernels, noise);
  return name === "binomial" ? binomial(kernels) : poisson(kernels);
}
