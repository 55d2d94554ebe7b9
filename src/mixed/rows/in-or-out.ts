/**
 * What half-t is multiplied with where effects are in or out (model/spike-and-slab.ts), for the samplers over rows: from
 * what the rows of a level can tell, and as a ratio by which steps are taken that are those of half-t.
 */

import { familyNamed } from "../../families/register.js";
import { placeOf } from "../../math/packed.js";
import type { Rng } from "../../math/rng.js";
import { logRatio, type Resolution, resolutionOf } from "../model/spike-and-slab.js";
import { inverted, setInverse } from "./covariance.js";
import { columnOf, type RowsPriors, type RowsProblem, type RowsState, type RowsTerm } from "./problem.js";
import { rowFunctions } from "./row-functions.js";

/** Newton steps from the link of the mean, which is where they end where there is no offset. */
const STEPS = 10;

/**
 * Information of every row on its linear predictor, over 1/σ² where there is a noise: its weight, or of classes and counts
 * minus the curvature of its log likelihood where nothing but an intercept explains them.
 */
export function rowInformation(problem: Omit<RowsProblem, "terms" | "nests">): Float64Array {
  const { rows, y, weights, offset } = problem;
  const family = familyNamed(problem.family);
  if (family.quadratic) return weights ?? new Float64Array(rows).fill(1);
  const functions = rowFunctions(problem);
  let [sum, count] = [0, 0];
  for (let i = 0; i < rows; i++) {
    const weight = weights ? weights[i] : 1;
    sum += weight * y[i];
    count += weight;
  }
  let intercept = family.link(sum / count);
  for (let t = 0; t <= STEPS; t++) {
    functions.at(Float64Array.from({ length: rows }, (_, i) => intercept + (offset ? offset[i] : 0)));
    if (!offset || t === STEPS) break;
    const total = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);
    intercept += total(functions.slopes) / total(functions.bends);
  }
  return functions.bends;
}

/** What the levels of a term can tell of each of its effects. */
export function resolutionsOf(
  problem: Omit<RowsProblem, "terms" | "nests">,
  { codes, levels, columns }: Pick<RowsTerm, "codes" | "levels" | "columns">,
  information: Float64Array,
): Resolution[] {
  return columns.map((place) => {
    const z = columnOf(problem, place);
    const squares = new Float64Array(levels);
    for (let i = 0; i < codes.length; i++) squares[codes[i]] += information[i] * (z ? z[i] * z[i] : 1);
    return resolutionOf(
      squares.reduce((sum, square) => sum + square * square, 0),
      squares.reduce((sum, square) => sum + Number(square > 0), 0),
    );
  });
}

/** log c of a term, from the standard deviations of its effects and that of the noise. */
export function logInOrOut(
  { law }: RowsPriors,
  { resolutions }: RowsTerm,
  spreads: ArrayLike<number>,
  noise: number,
): number {
  if (law === "half-t") return 0;
  let value = 0;
  for (let k = 0; k < spreads.length; k++) {
    value += logRatio(resolutions[k], spreads[k] / (noise * resolutions[k].unit)) - Math.log(noise);
  }
  return value;
}

/** Of all terms. */
export function logInOrOutOfAll(
  priors: RowsPriors,
  terms: readonly RowsTerm[],
  { inverses }: Pick<RowsState, "inverses">,
  noise: number,
): number {
  if (priors.law === "half-t") return 0;
  return terms.reduce(
    (sum, term, t) => sum + logInOrOut(priors, term, spreadsOf(inverses[t], term.columns.length), noise),
    0,
  );
}

/** Standard deviations, from Σ⁻¹. */
export function spreadsOf(inverse: Float64Array, q: number): Float64Array {
  const covariance = inverted(inverse, q);
  return Float64Array.from({ length: q }, (_, k) => Math.sqrt(covariance[placeOf(k, k)]));
}

/** Whether what half-t proposed is taken, from by how much log c rises; half-t itself takes all and draws nothing. */
export const isTaken = (rng: Rng, rise: number): boolean => rise >= 0 || Math.log(rng.uniformOpen()) < rise;

/** Q⁻¹ as it was proposed, with Σ⁻¹ what it makes of it, or as Σ⁻¹ has it. */
export function takenInner(
  rng: Rng,
  inverse: Float64Array,
  expansion: Float64Array,
  proposed: Float64Array,
  inOrOut: (inverse: Float64Array) => number,
): Float64Array {
  const there = new Float64Array(inverse.length);
  setInverse(there, proposed, expansion);
  if (isTaken(rng, inOrOut(there) - inOrOut(inverse))) {
    inverse.set(there);
    return proposed;
  }
  const kept = new Float64Array(inverse.length);
  setInverse(
    kept,
    inverse,
    expansion.map((xi) => 1 / xi),
  );
  return kept;
}
