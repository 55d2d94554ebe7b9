import type { AutoProblem, Fitted } from "./exact.js";

/**
 * Where the regression passes through: given a model the intercept is N(target − Σβ_j·means_j, σ²/weight), under a
 * flat prior. For binomial and Poisson targets the weights of the expansion take the place of the rows.
 */
export interface Centre {
  readonly target: number;
  readonly weight: number;
  /** How far each candidate is from zero there, on the model's scale. */
  readonly means: readonly number[];
}

export function centreOf(
  { store, screen, scaling }: AutoProblem,
  { candidates, centre }: Pick<Fitted, "candidates" | "centre">,
): Centre {
  const { rows, columns } = store.layout;
  const { slope, offset } = scaling;
  if (centre) {
    return {
      target: centre.intercept,
      weight: 1 / centre.variance,
      means: candidates.map((j, i) => centre.means[i] - offset[j] + slope[j] * store.shift[j]),
    };
  }
  return {
    target: screen.mean[columns] + store.shift[columns],
    weight: rows,
    means: candidates.map((j) => slope[j] * (screen.mean[j] + store.shift[j])),
  };
}
