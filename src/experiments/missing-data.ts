/**
 * Regressions with holes, to judge imputation by. Columns share a factor, so that each tells something of the others:
 * x_j = √ρ·f + √(1 − ρ)·e_j. Every column but the first loses entries at random given what is seen: the more often,
 * the larger the target is.
 */

import type { FamilyName } from "../families/families.js";
import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import { expit } from "../math/special.js";
import { poisson } from "../math/variates.js";

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
  /** Of the target; `gaussian`, with noise of variance one, unless told. */
  readonly family?: FamilyName;
}

/** The columns that matter, the second and third of which have holes. */
export const HOLED_EFFECTS = [1, -1, 0.75] as const;
const CORRELATION = 0.5;
const INTERCEPT = { gaussian: 1, binomial: 0, poisson: 0 } as const;

export function holedRegression(settings: HoledSettings): HoledRegression {
  const { rows, columns: count, share, seed, family = "gaussian" } = settings;
  const rng = Rng.seeded(seed);
  const columns = Array.from({ length: count }, () => new Float64Array(rows));
  const y = new Float64Array(rows);
  const effects = Array.from({ length: count }, (_, j): number => HOLED_EFFECTS[j] ?? 0);
  for (let i = 0; i < rows; i++) {
    const factor = Math.sqrt(CORRELATION) * normal(rng);
    y[i] = INTERCEPT[family] + (family === "gaussian" ? normal(rng) : 0);
    columns.forEach((values, j) => {
      values[i] = factor + Math.sqrt(1 - CORRELATION) * normal(rng);
      y[i] += effects[j] * values[i];
    });
    if (family === "binomial") y[i] = rng.uniform() < expit(y[i]) ? 1 : 0;
    if (family === "poisson") y[i] = poisson(rng, Math.exp(y[i]));
    const often = y[i] > INTERCEPT[family] ? 1.2 * share : 0.8 * share;
    for (const values of columns.slice(1)) if (rng.uniform() < often) values[i] = Number.NaN;
  }
  return { columns, y, effects };
}
