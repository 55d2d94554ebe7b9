/**
 * Regressions with holes, to judge imputation by. Columns share a factor, so that each tells something of the others:
 * x_j = √ρ·f + √(1 − ρ)·e_j. Every column but the first loses entries at random given what is seen: the more often,
 * the larger the target is.
 */

import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";

export interface HoledRegression {
  /** NaN where missing. */
  readonly columns: readonly Float64Array[];
  readonly y: Float64Array;
  /** True coefficients, of all columns. */
  readonly effects: readonly number[];
}

export interface HoledSettings {
  readonly rows: number;
  readonly columns: number;
  /** Share of missing entries in a column that has any, about. */
  readonly share: number;
  readonly seed: number;
}

/** The columns that matter, the second and third of which have holes. */
export const HOLED_EFFECTS = [1, -1, 0.75] as const;
const CORRELATION = 0.5;

export function holedRegression({ rows, columns: count, share, seed }: HoledSettings): HoledRegression {
  const rng = Rng.seeded(seed);
  const columns = Array.from({ length: count }, () => new Float64Array(rows));
  const y = new Float64Array(rows);
  const effects = Array.from({ length: count }, (_, j): number => HOLED_EFFECTS[j] ?? 0);
  for (let i = 0; i < rows; i++) {
    const factor = Math.sqrt(CORRELATION) * normal(rng);
    y[i] = 1 + normal(rng);
    columns.forEach((values, j) => {
      values[i] = factor + Math.sqrt(1 - CORRELATION) * normal(rng);
      y[i] += effects[j] * values[i];
    });
    const often = y[i] > 1 ? 1.2 * share : 0.8 * share;
    for (const values of columns.slice(1)) if (rng.uniform() < often) values[i] = Number.NaN;
  }
  return { columns, y, effects };
}
