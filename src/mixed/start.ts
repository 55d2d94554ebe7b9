/** Where the chains begin: least squares and D = 0.2·I as in the paper, and from there the mode and its curvature. */

import { curvature, dampedFactor, type LogDensity, mode, refined } from "../math/mode.js";
import { choleskyInPlace, invertLower, packedSize, placeOf, solveLower, solveUpper } from "../math/packed.js";
import type { Rng } from "../math/rng.js";
import { subset } from "../sampling/subset.js";
import {
  layoutOf,
  type MixedDesign,
  type MixedLayout,
  type MixedPriors,
  pivots,
  thetaOf,
} from "./model/chart.js";
import { type CrossProducts, pooled } from "./model/crossproducts.js";
import type { MarginalModel } from "./model/marginal.js";

const INITIAL_D = 0.2;

export function leastSquares(data: CrossProducts, design: MixedDesign): Float64Array {
  const layout = layoutOf(design);
  const { fixed, random, width, priors } = layout;
  const { rows, values } = pooled(data);
  const p = fixed.length;
  const gram = new Float64Array(packedSize(p));
  const beta = new Float64Array(p);
  for (let j = 0, at = 0; j < p; j++) {
    beta[j] = values[placeOf(width, fixed[j])];
    for (let k = 0; k <= j; k++) gram[at++] = values[placeOf(fixed[j], fixed[k])];
    gram[at - 1] += 1e-9 / priors.fixedVariance;
  }
  choleskyInPlace(gram, 0, p);
  solveLower(beta, 0, gram, 0, p);
  let residual = values[placeOf(width, width)];
  for (const u of beta) residual -= u * u;
  solveUpper(beta, 0, gram, 0, p);
  const factor = new Float64Array(packedSize(random.length));
  for (let j = 0; j < random.length; j++) factor[placeOf(j, j)] = Math.sqrt(INITIAL_D);
  const variance = Math.max(residual, 1e-6 * values[placeOf(width, width)]) / rows;
  return thetaOf(layout, beta, variance, factor);
}

export interface Anchor {
  readonly theta: Float64Array;
  /** ∇log π there, given all the data: nearly zero. */
  readonly gradient: Float64Array;
  /** Cholesky factor of −∇² log π there. */
  readonly factor: Float64Array;
}

/** Units enough for a curvature within a few per cent: what is left is for the full-data steps to correct. */
const SUBSET = 2000;
const REFINEMENTS = 20;

/** The posterior mode: Newton on a subset of the units, then a few full passes with the subset's curvature. */
export function anchor(rng: Rng, start: Float64Array, model: MarginalModel, data: CrossProducts): Anchor {
  const count = data.rows.length;
  const few = Math.min(count, SUBSET);
  const sample: LogDensity = densityOf(model, data, subset(count, few)(rng).slice(), count / few);
  const full = densityOf(model, data, Uint32Array.from(data.rows.keys()), 1);
  const theta = mode(sample, start);
  const factor = dampedFactor(curvature(sample, theta), theta.length);
  // A tenth of a standard deviation from the mode is near enough for an anchor.
  return { ...refined(full, theta, factor, 0.1, few < count ? REFINEMENTS : 0), factor };
}

/**
 * From here on in the logarithm, the posterior of a standard deviation is not that of a normal law: it reaches zero. Where
 * it is in or out that is so earlier: at 0.15 it is out with a probability of half a per cent, at 0.3 with one of a fifth.
 */
const SKEW = { "spike-and-slab": 0.15, "half-t": 0.3, "inverse-wishart": 0.3 } as const;

/** The random effect whose standard deviation is the least certain, where it may as well be zero. */
export function nearZero(anchor: Anchor, layout: MixedLayout): string | undefined {
  const k = leastCertain(anchor, [...pivots(layout)], layout.priors.law);
  return k === undefined ? undefined : layout.columns[layout.random[k]];
}

/** Which of some logarithms in θ is the least certain, where it is no longer near to normal. */
export function leastCertain(
  { factor, theta }: Anchor,
  places: readonly number[],
  law: MixedPriors["law"],
): number | undefined {
  const inverse = new Float64Array(factor.length);
  invertLower(inverse, factor, 0, theta.length);
  let worst: number = SKEW[law];
  let which: number | undefined;
  places.forEach((at, k) => {
    let variance = 0;
    for (let i = at; i < theta.length; i++) variance += inverse[packedSize(i) + at] ** 2;
    if (Math.sqrt(variance) <= worst) return;
    worst = Math.sqrt(variance);
    which = k;
  });
  return which;
}

export function densityOf(
  model: MarginalModel,
  data: CrossProducts,
  units: Uint32Array,
  weight: number,
): LogDensity {
  const batch = { data, units, weight };
  return {
    value: (theta) => model.logJoint(theta, null, batch),
    gradient(out, theta) {
      out.fill(0);
      model.addGrad(out, 1, theta, null, batch);
    },
  };
}
