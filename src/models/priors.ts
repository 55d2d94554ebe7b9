/** The prior over models and coefficients, as functions of the model size and of Σ θ_j² over the model. */
export interface SelectionPrior {
  /** log π(γ) of a model with this many selectable variables, up to a constant. */
  logModel(size: number): number;
  /** Variance of the coefficients of a model of this size. */
  slabVariance(size: number): number;
  /** Largest number of selectable variables in a model. */
  readonly maxSize: number;
}

/** log N(θ_S; 0, v(|S|)·I) from the size and Σ θ_j². */
export function logSlab(prior: SelectionPrior, size: number, sumSquares: number): number {
  if (size === 0) return 0;
  const v = prior.slabVariance(size);
  return -0.5 * (size * Math.log(2 * Math.PI * v) + sumSquares / v);
}

/** λ = 1/(p+1)^1.1, where p + 1 counts the intercept (after eq. S.prioreq1). */
export function defaultInclusion(variables: number): number {
  return 1 / variables ** 1.1;
}

/**
 * Eqs. prioreq1 and prioreq2 of the supplement: every variable is in with probability λ, at most q of them, and
 * coefficients are N(0, σ₁²).
 */
export function independentPrior(settings: {
  inclusion: number;
  slabVariance: number;
  maxSize: number;
}): SelectionPrior {
  const { inclusion, slabVariance, maxSize } = settings;
  const logOdds = Math.log(inclusion) - Math.log1p(-inclusion);
  return { logModel: (size) => size * logOdds, slabVariance: () => slabVariance, maxSize };
}

/** λ = 1/(1 + (p+1)^ζ·√(2π)), where p + 1 counts the intercept (after eq. GLMprioreq1). */
export function liangInclusion(variables: number, zeta: number): number {
  return 1 / (1 + variables ** zeta * Math.sqrt(2 * Math.PI));
}

/**
 * The prior of Liang, Song and Yu (2013) for generalised linear models, eqs. GLMprioreq1 and GLMprioreq2 of the
 * supplement: coefficients of a model with |S| variables are N(0, σ²_S), σ²_S = exp(C0/|S|)/(2π), so that a larger
 * model has smaller coefficients. A small C0 favours many small effects.
 */
export function liangPrior(settings: { inclusion: number; c0: number; maxSize: number }): SelectionPrior {
  const { inclusion, c0, maxSize } = settings;
  const logOdds = Math.log(inclusion) - Math.log1p(-inclusion);
  return {
    logModel: (size) => size * logOdds,
    slabVariance: (size) => Math.exp(c0 / size) / (2 * Math.PI),
    maxSize,
  };
}
