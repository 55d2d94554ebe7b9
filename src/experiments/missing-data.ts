/**
 * Regressions with holes, to judge imputation by. Columns share a factor, so that each tells something of the others:
 * x_j = √ρ·f + √(1 − ρ)·e_j. Every column but the first loses entries at random given what is seen: the more often,
 * the larger the target is.
 */

import { type FamilyName, familyNamed, familyNames } from "../families/register.js";
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
  /** Of the target; Gaussian, with noise of variance one, unless told. */
  readonly family?: FamilyName;
}

/** The columns that matter, the second and third of which have holes. */
export const HOLED_EFFECTS = [1, -1, 0.75] as const;
const CORRELATION = 0.5;
/** Where the response has noise of its own; the others are 0 or 1, and small counts, half of the time. */
const INTERCEPT = 1;

export function holedRegression(settings: HoledSettings): HoledRegression {
  const { rows, columns: count, share, seed } = settings;
  const family = familyNamed(settings.family ?? familyNames[0]);
  const intercept = family.noise ? INTERCEPT : 0;
  const rng = Rng.seeded(seed);
  const columns = Array.from({ length: count }, () => new Float64Array(rows));
  const y = new Float64Array(rows);
  const effects = Array.from({ length: count }, (_, j): number => HOLED_EFFECTS[j] ?? 0);
  for (let i = 0; i < rows; i++) {
    const factor = Math.sqrt(CORRELATION) * normal(rng);
    y[i] = intercept + (family.noise ? normal(rng) : 0);
    columns.forEach((values, j) => {
      values[i] = factor + Math.sqrt(1 - CORRELATION) * normal(rng);
      y[i] += effects[j] * values[i];
    });
    if (!family.noise) y[i] = family.draw(rng, y[i], 1);
    const often = y[i] > intercept ? 1.2 * share : 0.8 * share;
    for (const values of columns.slice(1)) if (rng.uniform() < often) values[i] = Number.NaN;
  }
  return { columns, y, effects };
}
