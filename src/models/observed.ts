/**
 * Rows with holes under a Gaussian block. With the precision P = U'U, m the columns that are missing and o the others,
 *
 *     x_m | x_o ~ N(μ_m − P_mm^{-1}P_mo(x_o − μ_o), P_mm^{-1}),   log p(x_o) = log p(x_o, E x_m) − ½log|P_mm| + ½|m|·log 2π
 */

import { backSolve, cholesky, forwardSolve, logDeterminant, solve } from "../math/linear.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import type { Rows } from "../types.js";

type Values = Rows["values"];

/** How the factor lies in the parameters of a block: μ, U_jj, U_jk. */
export interface FactorShape {
  readonly d: number;
  readonly full: boolean;
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

export function observedDensity(
  params: Float64Array,
  shape: FactorShape,
  values: Values,
  first: number,
): number {
  const { d } = shape;
  const row = new Float64Array(d);
  const { missing, factor } = filled(row, params, shape, values, first);
  const m = missing.length;
  let sum = (m - d) * HALF_LOG_2PI - 0.5 * logDeterminant(factor, m);
  const u = lowerFactor(params, shape);
  for (let j = 0; j < d; j++) {
    let y = 0;
    for (let k = 0; k <= j; k++) y += u[j * d + k] * (row[k] - params[k]);
    sum += Math.log(u[j * d + j]) - 0.5 * y * y;
  }
  return sum;
}

/** What the holes of a row are: their columns, and the factor of P_mm. */
export interface Filled {
  readonly missing: readonly number[];
  readonly factor: Float64Array;
}

/** out ← the row with its expectation, or where there is a generator a draw, in every hole. */
export function filled(
  out: Float64Array,
  params: Float64Array,
  shape: FactorShape,
  values: Values,
  first: number,
  rng?: Rng,
): Filled {
  const { d } = shape;
  const missing: number[] = [];
  for (let j = 0; j < d; j++) {
    out[j] = values[first + j];
    if (Number.isNaN(out[j])) missing.push(j);
  }
  const m = missing.length;
  const factor = new Float64Array(m * m);
  if (m === 0) return { missing, factor };
  const u = lowerFactor(params, shape);
  const precision = (i: number, j: number): number => {
    let sum = 0;
    for (let k = Math.max(i, j); k < d; k++) sum += u[k * d + i] * u[k * d + j];
    return sum;
  };
  const pull = new Float64Array(m);
  missing.forEach((a, i) => {
    for (let j = 0; j <= i; j++) factor[i * m + j] = precision(a, missing[j]);
    for (let j = 0; j < d; j++)
      if (!Number.isNaN(values[first + j])) pull[i] -= precision(a, j) * (out[j] - params[j]);
  });
  if (!cholesky(factor, m)) throw new RangeError("a covariance is singular");
  if (rng) {
    forwardSolve(factor, m, pull);
    for (let i = 0; i < m; i++) pull[i] += normal(rng);
    backSolve(factor, m, pull);
  } else solve(factor, m, pull);
  missing.forEach((j, i) => {
    out[j] = params[j] + pull[i];
  });
  return { missing, factor };
}

/** U row after row. */
function lowerFactor(params: Float64Array, { d, full }: FactorShape): Float64Array {
  const u = new Float64Array(d * d);
  let next = 2 * d;
  for (let j = 0; j < d; j++) {
    u[j * d + j] = params[d + j];
    if (full) for (let k = 0; k < j; k++) u[j * d + k] = params[next++];
  }
  return u;
}
