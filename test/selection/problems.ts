/** Small random regressions, and their sufficient statistics formed in the obvious way. */

import { normal } from "../../src/math/normal.js";
import type { Rng } from "../../src/math/rng.js";
import type { SufficientStatistics } from "../../src/selection/posterior/evidence.js";
import { inner } from "../dense.js";

export interface Regression {
  /** One array per column. */
  readonly columns: number[][];
  readonly y: number[];
}

/** Equicorrelated normal columns, y = Xβ + noise. */
export function regression(
  rng: Rng,
  settings: { rows: number; beta: readonly number[]; correlation: number; noise: number },
): Regression {
  const { rows, beta, correlation, noise } = settings;
  const shared = Array.from({ length: rows }, () => normal(rng));
  const columns = beta.map(() =>
    shared.map((e) => Math.sqrt(correlation) * e + Math.sqrt(1 - correlation) * normal(rng)),
  );
  const y = shared.map(
    (_, i) => noise * normal(rng) + beta.reduce((sum, b, j) => sum + b * columns[j][i], 0),
  );
  return { columns, y };
}

export function centred(values: readonly number[]): number[] {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.map((value) => value - mean);
}

/** With a flat intercept the columns and the target lose their means and one degree of freedom goes. */
export function statisticsOf({ columns, y }: Regression, flatIntercept: boolean): SufficientStatistics {
  const x = flatIntercept ? columns.map(centred) : columns;
  const target = flatIntercept ? centred(y) : y;
  return {
    size: x.length,
    gram: Float64Array.from(x.flatMap((a) => x.map((b) => inner(a, b)))),
    cross: Float64Array.from(x, (a) => inner(a, target)),
    targetSquares: inner(target, target),
    freedom: y.length - (flatIntercept ? 1 : 0),
  };
}
