import type { Problem } from "../posterior/problem.js";
import type { Holes } from "./holes.js";

/** A problem with missing predictors. */
export interface HoledProblem extends Problem {
  readonly holes: Holes;
}

/** The full covariance of the candidates is factored in every sweep; of more columns, these are chosen. */
export const MAX_COLUMNS = 1000;
