/** What can be said about a mixed model before it is fitted: what makes no sense is an error, what is weak a warning. */

import { SparrowError } from "../errors.js";
import { placeOf } from "../math/packed.js";
import type { MixedDesign } from "./model/chart.js";
import { type CrossProducts, pooled } from "./model/crossproducts.js";

const NEGLIGIBLE = 1e-10;

export function check(data: CrossProducts, { fixed, random }: MixedDesign): string[] {
  const { rows, values } = pooled(data);
  const { columns, target } = data;
  const width = columns.length;
  const units = data.rows.length;
  if (units < 2)
    throw new SparrowError("A mixed model needs at least two groups: there is one; use `fit` instead.");

  const square = (at: Float64Array, from: number, count: number, j: number): number =>
    at[from + placeOf(j, j)] - at[from + placeOf(j, 0)] ** 2 / count;
  const constant = (j: number): boolean => square(values, 0, rows, j) <= NEGLIGIBLE * values[placeOf(j, j)];
  if (constant(width)) {
    throw new SparrowError(
      `The target "${target}" has the same value in every row: there is nothing to explain.`,
    );
  }
  for (let j = 1; j < width; j++) {
    if (constant(j)) {
      throw new SparrowError(`Column "${columns[j]}" has the same value in every row: leave it out.`);
    }
  }
  const dependent = firstDependent(values, fixed);
  if (dependent !== undefined) {
    throw new SparrowError(
      `Column "${columns[dependent]}" is a linear combination of the fixed columns before it: leave it out.`,
    );
  }

  const warnings: string[] = [];
  const several = data.rows.reduce((sum, n) => sum + Number(n > 1), 0);
  if (several === 0) {
    warnings.push(
      "Every group has one row, so random effects cannot be told from noise: their split rests on the priors alone.",
    );
  }
  for (const j of random) {
    if (j === 0 || several === 0) continue;
    const varies = data.rows.some((n, i) => {
      const from = i * data.stride;
      return n > 1 && square(data.values, from, n, j) > NEGLIGIBLE * data.values[from + placeOf(j, j)];
    });
    if (!varies && random.includes(0)) {
      warnings.push(
        `Column "${columns[j]}" never varies within a group, so its random effect cannot be told from the random intercept: their split rests on the priors alone.`,
      );
    }
  }
  if (units <= random.length) {
    warnings.push(
      `There are ${units} groups for ${random.length} random effects: their covariance rests mostly on the priors.`,
    );
  }
  return warnings;
}

/** The first of `which` that the ones before it determine, by the pivots of a Cholesky factor with unit diagonal. */
function firstDependent(values: Float64Array, which: readonly number[]): number | undefined {
  const size = which.length;
  const l = new Float64Array((size * (size + 1)) / 2);
  const scale = which.map((j) => Math.sqrt(values[placeOf(j, j)]));
  for (let j = 0; j < size; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = values[placeOf(which[j], which[k])] / (scale[j] * scale[k]);
      for (let i = 0; i < k; i++) sum -= l[placeOf(j, i)] * l[placeOf(k, i)];
      if (j === k && sum < NEGLIGIBLE) return which[j];
      l[placeOf(j, k)] = j === k ? Math.sqrt(sum) : sum / l[placeOf(k, k)];
    }
  }
  return undefined;
}
