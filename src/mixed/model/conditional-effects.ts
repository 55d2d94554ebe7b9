/**
 * The Gaussian conditional of one unit's random effects, N(A⁻¹Z′(y − Wβ), σ²A⁻¹) with A = Z′Z + D⁻¹, from the unit's
 * cross-products: what an exact draw, an exact expectation and a prediction have in common.
 */

import { choleskyInPlace, packedSize, placeOf, solveLower, solveUpper } from "../../math/packed.js";
import type { MixedLayout, MixedPoint } from "./chart.js";

/**
 * out ← Cholesky factor of Z′Z + D⁻¹ of the unit whose cross-products start at `from`. Returns whether there is one:
 * rounding leaves none of a D that is all but singular.
 */
export function factorConditional(
  out: Float64Array,
  at: number,
  { random }: MixedLayout,
  point: MixedPoint,
  values: Float64Array,
  from: number,
): boolean {
  for (let j = 0, to = 0; j < random.length; j++) {
    for (let k = 0; k <= j; k++, to++) {
      out[at + to] = values[from + placeOf(random[j], random[k])] + point.inverseCovariance[to];
    }
  }
  return choleskyInPlace(out, at, random.length);
}

/** out ← Z′(y − Wβ) of the same unit. */
export function conditionalProducts(
  out: Float64Array,
  at: number,
  { random, fixed, width }: MixedLayout,
  theta: Float64Array,
  values: Float64Array,
  from: number,
): void {
  const last = from + packedSize(width);
  for (let j = 0; j < random.length; j++) {
    let sum = values[last + random[j]];
    for (let k = 0; k < fixed.length; k++) sum -= values[from + placeOf(random[j], fixed[k])] * theta[k];
    out[at + j] = sum;
  }
}

/** b ← A⁻¹b, from the factor of A: the products become the mean. */
export function solveConditional(
  b: Float64Array,
  at: number,
  factor: Float64Array,
  atFactor: number,
  q: number,
): void {
  solveLower(b, at, factor, atFactor, q);
  solveUpper(b, at, factor, atFactor, q);
}
