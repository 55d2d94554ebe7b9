/**
 * One sweep of a sampler that expands nothing: of classes, weights ω_i ~ PG(1, η_i) make the likelihood Gaussian (Polson,
 * Scott and Windle 2013), with targets κ_i/ω_i, κ = y − ½. Given them, coefficients and intercept are integrated out:
 *
 *     ω | η              row by row
 *     scale | S, ω       of the slab
 *     S | scale, ω       a walk over models by their marginal likelihoods
 *     α, β_S | S, ω      normal; and with them η
 *
 * so that models, weights and coefficients have the posterior for their law, without an approximation. What is reported
 * are conditionals given the weights: π(γ_j = 1 | γ_−j, ω), averaged along the walk, and the laws of coefficients.
 */

import { cholesky } from "../../math/linear.js";
import { normal } from "../../math/normal.js";
import type { Rng } from "../../math/rng.js";
import { exponential, multivariateNormal } from "../../math/variates.js";
import type { WeightedCentre } from "../expansion/expansion.js";
import { Evidence, type ModelPosterior, type SufficientStatistics } from "../posterior/evidence.js";
import type { ModelSpace } from "../posterior/model-weights.js";
import { drawFrom, scaleLaw } from "../posterior/scale-law.js";
import { logPriorAt, logSum, type Slab, slabAt } from "../posterior/slab.js";
import { flipRates } from "../posterior/walks/flip-rates.js";
import { constantOf, type DenseRows, targetOf, weightedRows } from "./weighted-rows.js";

/** What a chain walks on. */
export interface Ground {
  readonly data: DenseRows;
  /** The target, κ of every row, and what a row says of its linear predictor. */
  readonly targets: Float64Array;
  readonly scores: Float64Array;
  readonly logDensity: (y: number, eta: number) => number;
  readonly weight: (rng: Rng, eta: number) => number;
  readonly slab: Slab;
  readonly space: ModelSpace;
  readonly hasIntercept: boolean;
}

/** Where a chain stands. */
export interface Standing {
  members: readonly number[];
  readonly eta: Float64Array;
  /** Room for products of all columns, which only those take up that a sweep needs. */
  readonly gram: Float64Array;
}

export interface Swept {
  /** Inclusion probabilities, averaged along the walk. */
  readonly inclusion: Float64Array;
  /** Time spent at models of 0, 1, 2, … members. */
  readonly sizes: Float64Array;
  /** Probabilities of the scales. */
  readonly scale: Float64Array;
  /** The model at the end, the law of its coefficients, and where the regression passes through. */
  readonly members: readonly number[];
  readonly posterior: ModelPosterior;
  readonly centre: WeightedCentre;
}

/** How long a walk is: as many flips a sweep as models have members. */
const SPAN = 1;

export function sweep(rng: Rng, ground: Ground, standing: Standing): Swept {
  const { data, slab, space } = ground;
  const look = lookAt(rng, ground, standing);
  for (const j of standing.members) look.need(j);
  const { probability: scale } = scaleLaw(look.statistics, slab, 1, standing.members);
  const evidence = new Evidence(look.statistics, slabAt(slab, drawFrom(rng, scale)), 1);
  evidence.rebuild(standing.members);
  const inclusion = new Float64Array(data.columns);
  const sizes = new Float64Array(space.logModel.length + space.always.length);
  const rates = flipRates(evidence, space);
  for (let left = SPAN; ; ) {
    const logZ = rates.look();
    const stay = Math.min(left, exponential(rng) * Math.exp(-logZ));
    for (let j = 0; j < inclusion.length; j++) inclusion[j] += (stay / SPAN) * rates.conditional[j];
    sizes[evidence.members.length] += stay / SPAN;
    left -= stay;
    if (!(left > 0)) break;
    const j = rates.choose(rng);
    look.need(j);
    if (evidence.place[j] >= 0) evidence.remove(j);
    else evidence.add(j);
  }
  const posterior = evidence.posterior();
  const drawn = drawPredictors(rng, ground, standing.eta, posterior, look.centre);
  for (let t = 0; t < RAYS; t++) alongRay(rng, ground, standing.eta, drawn);
  standing.members = [...evidence.members].sort((a, b) => a - b);
  return { inclusion, sizes, scale, members: standing.members, posterior, centre: look.centre };
}

/** The likelihood with weights that are drawn afresh; products are there for the columns that were needed. */
function lookAt(rng: Rng, { data, scores, weight, hasIntercept }: Ground, { eta, gram }: Standing) {
  const { rows, columns: size } = data;
  const weights = eta.map((at) => weight(rng, at));
  const target = scores.map((score, i) => score / weights[i]);
  const weighted = weightedRows(data, target, weights);
  const total = hasIntercept ? weights.reduce((sum, w) => sum + w, 0) : 1;
  const sums = hasIntercept ? weighted.products(constantOf(data)).slice() : new Float64Array(size + 2);
  const means = sums.subarray(0, size).map((sum) => sum / total);
  const mean = sums[size] / total;
  const products = weighted.products(targetOf(data));
  for (let j = 0; j < size; j++) gram[j * size + j] = weighted.squares[j] - total * means[j] * means[j];
  const statistics: SufficientStatistics = {
    size,
    gram,
    cross: means.map((at, j) => products[j] - total * at * mean),
    targetSquares: products[size] - total * mean * mean,
    freedom: rows,
  };
  const known = new Uint8Array(size);
  const centre: WeightedCentre = { intercept: mean, variance: 1 / total, means };
  return {
    statistics,
    centre,
    /** Whoever takes a column into a model needs its products. */
    need(j: number): void {
      if (known[j] === 1) return;
      known[j] = 1;
      const found = weighted.products(j);
      const away = total * means[j];
      const diagonal = gram[j * size + j];
      for (let c = 0; c < size; c++) gram[j * size + c] = found[c] - away * means[c];
      gram[j * size + j] = diagonal;
    },
  };
}

/** Draws coefficients and intercept, and what they make of every row. */
function drawPredictors(
  rng: Rng,
  { data: { columns, values }, hasIntercept }: Ground,
  eta: Float64Array,
  { members, mean, covariance }: ModelPosterior,
  centre: WeightedCentre,
): Drawn {
  const k = members.length;
  const factor = covariance.slice();
  for (let ridge = 1e-14; !cholesky(factor, k); ridge *= 10) {
    covariance.forEach((value, e) => {
      factor[e] = value * (e % (k + 1) === 0 ? 1 + ridge : 1);
    });
  }
  const drawn = new Float64Array(k);
  multivariateNormal(rng, drawn, mean, factor);
  let intercept = hasIntercept ? centre.intercept + Math.sqrt(centre.variance) * normal(rng) : 0;
  if (hasIntercept) {
    for (let a = 0; a < k; a++) intercept -= drawn[a] * centre.means[members[a]];
  }
  for (let i = 0, row = 0; i < eta.length; i++, row += columns) {
    let sum = intercept;
    for (let a = 0; a < k; a++) sum += drawn[a] * values[row + members[a]];
    eta[i] = sum;
  }
  return { members: k, squares: drawn.reduce((sum, b) => sum + b * b, 0), intercept };
}

/** Of drawn coefficients: how many they are, the sum of their squares, and the intercept. */
interface Drawn {
  readonly members: number;
  squares: number;
  intercept: number;
}

/** Moves along a ray in a sweep, and how far one goes, in logs: a little, or about from one scale of the slab to the next. */
const RAYS = 6;
const NEAR = 0.3;
const FAR = { step: Math.LN2, spread: 0.15 };

/**
 * All coefficients times a common number, by the likelihood itself: weights that were drawn at the old predictors hold
 * them there, and where classes can be separated nothing else says how large they are. Metropolis and Hastings, with the
 * scale of the slab summed out: β → cβ has the Jacobian c^k.
 */
function alongRay(
  rng: Rng,
  { targets, logDensity, slab, hasIntercept }: Ground,
  eta: Float64Array,
  drawn: Drawn,
) {
  const { members: k, squares, intercept } = drawn;
  if (k === 0) return;
  const u = rng.uniform();
  const far = u < 0.5 ? 0 : u < 0.75 ? FAR.step : -FAR.step;
  const step = far + (far === 0 ? NEAR : FAR.spread) * normal(rng);
  const c = Math.exp(step);
  const whole = !hasIntercept || rng.uniform() < 0.5;
  const fixed = whole ? 0 : intercept;
  let log = (k + (whole && hasIntercept ? 1 : 0)) * step;
  for (let i = 0; i < eta.length; i++) {
    log += logDensity(targets[i], fixed + c * (eta[i] - fixed)) - logDensity(targets[i], eta[i]);
  }
  log += slabOf(slab, k, c * c * squares) - slabOf(slab, k, squares);
  if (!(Math.log(rng.uniform()) < log)) return;
  for (let i = 0; i < eta.length; i++) eta[i] = fixed + c * (eta[i] - fixed);
  drawn.squares = c * c * squares;
  if (whole) drawn.intercept = c * intercept;
}

/** Of k coefficients with this sum of squares, over all scales. */
const slabOf = (slab: Slab, k: number, squares: number): number =>
  logSum(slab.scales.map((v, s) => logPriorAt(slab, s, k) - 0.5 * (squares / v + k * Math.log(v))));
