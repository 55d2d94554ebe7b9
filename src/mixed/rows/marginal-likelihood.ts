/**
 * log p(y | β, σ², Σ) of a model of rows with the effects of all terms integrated out: by Laplace at their mode,
 *
 *     log p(y, b̂) + ½d·log 2π − ½log|H|,   H = Z′VZ + Σ⁻¹,
 *
 * which is exact where the noise is normal and what lme4 calls nAGQ = 1 elsewhere.
 */

import { familyNamed } from "../../families/register.js";
import { choleskyInPlace, placeOf } from "../../math/packed.js";
import { inverted } from "./covariance.js";
import { effectsSolver } from "./effects-solver.js";
import type { Prepared } from "./prepare.js";
import { addByLevel, addEffects, addFixed, type RowsProblem } from "./problem.js";
import { rowFunctions } from "./row-functions.js";
import type { KeptDraw } from "./rows-job.js";

export interface RowsPoint {
  readonly beta: ArrayLike<number>;
  /** σ², or 1. */
  readonly noise: number;
  /** Σ of every term, packed. */
  readonly covariances: readonly Float64Array[];
}

/** Newton steps, and the gain below which the next changes nothing that is shown. */
const [STEPS, GAIN] = [60, 1e-10];

/** Undefined where there are too many effects, or no mode was found. */
export function logMarginalLikelihood(problem: RowsProblem, point: RowsPoint): number | undefined {
  const { terms, rows, y, weights } = problem;
  const factor = effectsSolver(problem);
  if (!factor) return undefined;
  const family = familyNamed(problem.family);
  const inverses = point.covariances.map((covariance, t) => inverted(covariance, terms[t].columns.length));
  const functions = rowFunctions(problem, point.noise);
  const fixed = problem.offset?.slice() ?? new Float64Array(rows);
  addFixed(fixed, problem, point.beta);

  /** log p(y, b) but for what b has no part in; the functions of the rows are left at b. */
  const joint = (b: readonly Float64Array[]): number => {
    const eta = fixed.slice();
    terms.forEach((term, t) => {
      addEffects(eta, 1, problem, term, b[t]);
    });
    functions.at(eta);
    let value = 0;
    for (let i = 0; i < rows; i++) value += functions.logs[i];
    b.forEach((effects, t) => {
      const product = times(inverses[t], effects, terms[t].columns.length);
      for (let at = 0; at < effects.length; at++) value -= 0.5 * product[at] * effects[at];
    });
    return value;
  };

  let b: readonly Float64Array[] = terms.map(
    ({ levels, columns }) => new Float64Array(levels * columns.length),
  );
  let value = joint(b);
  for (let step = 0; step < STEPS; step++) {
    const factored = factor(functions.bends, inverses);
    if (!factored) return undefined;
    const slopes = b.map((effects, t) => {
      const out = times(inverses[t], effects, terms[t].columns.length).map((product) => -product);
      addByLevel(out, problem, terms[t], functions.slopes);
      return out;
    });
    const move = factored.solve(slopes);
    let [share, there, next] = [1, b, value];
    do {
      there = b.map((effects, t) => effects.map((effect, at) => effect + share * move[t][at]));
      next = joint(there);
      share /= 2;
    } while (!(next >= value - GAIN) && share > 1e-6);
    const gain = next - value;
    [b, value] = [there, next];
    // Of a quadratic function one step finds the top.
    if (!family.quadratic && !(gain < GAIN * (1 + Math.abs(value)))) continue;
    const bend = family.quadratic ? factored : factor(functions.bends, inverses);
    if (!bend) return undefined;
    for (let i = 0; i < rows; i++) value += family.logBase(y[i], weights ? weights[i] : 1, point.noise);
    point.covariances.forEach((covariance, t) => {
      value -= 0.5 * terms[t].levels * logDeterminantOf(covariance, terms[t].columns.length);
    });
    return value - 0.5 * bend.logDeterminant;
  }
  return undefined;
}

/** In the units of the data, at the posterior means. */
export function logLikelihoodAtMeans(
  { problem, scales }: Pick<Prepared, "problem" | "scales">,
  draws: readonly KeptDraw[],
): number | undefined {
  const mean = (f: (draw: KeptDraw) => Float64Array): Float64Array => {
    const sum = f(draws[0]).map(() => 0);
    for (const draw of draws) {
      const values = f(draw);
      for (let j = 0; j < sum.length; j++) sum[j] += values[j] / draws.length;
    }
    return sum;
  };
  const value = logMarginalLikelihood(problem, {
    beta: mean(({ beta }) => beta),
    noise: mean(({ noise }) => Float64Array.of(noise))[0],
    covariances: problem.terms.map(({ columns }, t) =>
      mean(({ inverses }) => inverted(inverses[t], columns.length)),
    ),
  });
  if (value === undefined || !familyNamed(problem.family).quadratic) return value;
  return value - problem.rows * Math.log(scales.target);
}

/** A·b of every level. */
function times(a: Float64Array, b: Float64Array, q: number): Float64Array {
  const out = new Float64Array(b.length);
  for (let at = 0; at < b.length; at += q) {
    for (let k = 0; k < q; k++) for (let l = 0; l < q; l++) out[at + k] += a[placeOf(k, l)] * b[at + l];
  }
  return out;
}

function logDeterminantOf(a: Float64Array, q: number): number {
  const factor = a.slice();
  choleskyInPlace(factor, 0, q);
  let sum = 0;
  for (let k = 0; k < q; k++) sum += 2 * Math.log(factor[placeOf(k, k)]);
  return sum;
}
