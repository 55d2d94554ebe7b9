/** Priors over models as functions of the number of selectable variables that are in. */

import { logGamma } from "../math/special.js";

export interface ModelPrior {
  readonly kind: "inclusion" | "beta-binomial" | "uniform";
  /** log π(γ) of one model of this size. */
  logModel(size: number): number;
}

/** Every variable is in with probability λ, independently. */
export function inclusionPrior(variables: number, inclusion: number): ModelPrior {
  const logIn = Math.log(inclusion);
  const logOut = Math.log1p(-inclusion);
  return { kind: "inclusion", logModel: (k) => k * logIn + (variables - k) * logOut };
}

/** λ ~ beta(a, b): π(γ) = B(a + k, b + p − k) / B(a, b); a = b = 1 makes all sizes equally likely. */
export function betaBinomialPrior(variables: number, a = 1, b = 1): ModelPrior {
  const logBeta = (x: number, y: number) => logGamma(x) + logGamma(y) - logGamma(x + y);
  const constant = logBeta(a, b);
  return { kind: "beta-binomial", logModel: (k) => logBeta(a + k, b + variables - k) - constant };
}

/** Every model is equally likely. */
export function uniformPrior(variables: number): ModelPrior {
  return { kind: "uniform", logModel: () => -variables * Math.LN2 };
}

/** The prior of the model size, cut off at `maxSize`. */
export function sizePrior(prior: ModelPrior, variables: number, maxSize: number): Float64Array {
  const top = Math.min(variables, maxSize);
  const logs = Float64Array.from({ length: top + 1 }, (_, k) => logChoose(variables, k) + prior.logModel(k));
  const largest = Math.max(...logs);
  const weights = logs.map((value) => Math.exp(value - largest));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / total);
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}
