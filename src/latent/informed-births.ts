/**
 * Reversible jumps whose births are informed by the residual (Green 1995). A coefficient exists only while its
 * variable is in the model. Birth of j draws it around one Newton step from zero on the current batch,
 *
 *     θ_j ~ q_j = N(U/(I + 1/v), 1/(I + 1/v)),   U = (N/n)·x_j'(y − μ)/φ,   I = (N/n)·x_j'Wx_j/φ
 *
 * with μ and W at the model without j, φ the dispersion and v the slab variance of the larger model. Death of j is
 * the way back, so its ratio carries q_j at the model without j; exchange does both. The target is
 *
 *     (N/n)·log p(batch | θ_S) + log π(S) + log N(θ_S; 0, v(|S|))
 *
 * For a Gaussian q_j is the exact conditional law, so a birth is accepted with a probability that does not depend
 * on the value drawn. Differs from the paper, whose births take the θ_j that a Langevin walk has left behind.
 */

import type { Kernels } from "../kernels/interface.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import type { Family } from "../models/families.js";
import { logSlab, type SelectionPrior } from "../models/priors.js";
import type { Batch, InnerKernel, Vector } from "../types.js";
import { Proposals } from "./proposals.js";
import type { PseudoPrior } from "./pseudo-prior.js";
import { enterBatch } from "./rjmh.js";
import { accepts, join, leave, type Selection, selection, touch } from "./selection.js";

export interface InformedBirthsSettings {
  readonly kernels: Kernels;
  readonly family: Family;
  readonly prior: SelectionPrior;
  /** Proposal weights in (0, 1), one per variable; 0 for variables that never move. */
  readonly weights: Float64Array;
  /** Variables in every model; they do not count in the prior. */
  readonly always?: readonly number[];
  readonly movesPerBatch: number;
  /** A vector of the batch's length. */
  readonly vector: () => Vector;
}

export interface InformedBirths extends InnerKernel<Selection> {
  /** New proposal weights, from the next `enter` on. */
  adapt(weights: Float64Array): void;
}

/** Outside the model θ_j does not exist: nothing moves it and no density belongs to it. */
export const absent: PseudoPrior = {
  wake() {},
  sleep() {},
  advance() {},
  logDensity: () => 0,
  gradient: () => 0,
};

export function informedBirths(settings: InformedBirthsSettings): InformedBirths {
  const { kernels, family, prior, weights, always = [], vector } = settings;
  const proposals = new Proposals(weights, prior.maxSize);
  const [column, information, score, variance, reduced, reducedScore, reducedVariance] = Array.from(
    { length: 7 },
    vector,
  );
  // Whether `score` and `variance` are those of the current η: births that are rejected share them.
  let fresh = false;

  const logPrior = (size: number, sumSquares: number): number =>
    prior.logModel(size) + logSlab(prior, size, sumSquares);

  /** Mean and precision of q_j where the residual and its weights are given. */
  function oneStep(j: number, v: number, r: Vector, w: Vector, batch: Batch): [number, number] {
    kernels.fill(column.pointer, 0, batch.rows);
    batch.axpy(column, 1, j);
    kernels.product(information.pointer, column.pointer, w.pointer, batch.rows);
    const perRow = batch.weight / family.dispersion;
    const precision = perRow * batch.dot(j, information) + 1 / v;
    return [(perRow * batch.dot(j, r)) / precision, precision];
  }

  function refresh(z: Selection, batch: Batch): void {
    if (fresh) return;
    family.score(score.pointer, z.eta.pointer, batch.target.pointer, batch.rows);
    family.weights(variance.pointer, z.eta.pointer, batch.rows);
    fresh = true;
  }

  /** η, score and weights of the model without i, whose coefficient is `value`. */
  function reduce(z: Selection, i: number, value: number, batch: Batch): void {
    kernels.fill(reduced.pointer, 0, batch.rows);
    kernels.affineAxpy(reduced.pointer, 1, 0, z.eta.pointer, batch.rows);
    batch.axpy(reduced, -value, i);
    family.score(reducedScore.pointer, reduced.pointer, batch.target.pointer, batch.rows);
    family.weights(reducedVariance.pointer, reduced.pointer, batch.rows);
  }

  /** What the log-likelihood gains when `value`·x_j joins η, x_j being in `column`; leaves the term in z.scratch. */
  function gain(z: Selection, eta: Vector, value: number, batch: Batch): number {
    kernels.fill(z.scratch.pointer, 0, batch.rows);
    kernels.affineAxpy(z.scratch.pointer, value, 0, column.pointer, batch.rows);
    return batch.weight * family.change(z.scratch.pointer, eta.pointer, batch.target.pointer, batch.rows);
  }

  function replaceEta(z: Selection, eta: Vector, batch: Batch): void {
    kernels.fill(z.eta.pointer, 0, batch.rows);
    kernels.affineAxpy(z.eta.pointer, 1, 0, eta.pointer, batch.rows);
    fresh = false;
  }

  function birth(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const j = proposals.drawOutside(rng, z);
    refresh(z, batch);
    const [mean, precision] = oneStep(j, prior.slabVariance(free + 1), score, variance, batch);
    const value = mean + normal(rng) / Math.sqrt(precision);
    const sumSquares = z.sumSquares + value * value;
    const logRatio =
      gain(z, z.eta, value, batch) +
      logPrior(free + 1, sumSquares) -
      logPrior(free, z.sumSquares) -
      logNormal(value, mean, precision) +
      proposals.birthRatio(free, j);
    if (!accepts(rng, logRatio)) return false;
    kernels.affineAxpy(z.eta.pointer, 1, 0, z.scratch.pointer, batch.rows);
    fresh = false;
    theta[j] = value;
    z.sumSquares = sumSquares;
    proposals.entered(j);
    join(z, j);
    touch(z, j);
    return true;
  }

  function death(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const i = proposals.drawInside(rng, z);
    const value = theta[i];
    reduce(z, i, value, batch);
    const [mean, precision] = oneStep(i, prior.slabVariance(free), reducedScore, reducedVariance, batch);
    const sumSquares = Math.max(0, z.sumSquares - value * value);
    const logRatio =
      -gain(z, reduced, value, batch) +
      logPrior(free - 1, sumSquares) -
      logPrior(free, z.sumSquares) +
      logNormal(value, mean, precision) +
      proposals.deathRatio(free, i);
    if (!accepts(rng, logRatio)) return false;
    replaceEta(z, reduced, batch);
    z.sumSquares = sumSquares;
    proposals.left(i);
    leave(z, i);
    return true;
  }

  function exchange(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const i = proposals.drawInside(rng, z);
    const j = proposals.drawOutside(rng, z);
    const v = prior.slabVariance(free);
    const leaving = theta[i];
    reduce(z, i, leaving, batch);
    const [meanI, precisionI] = oneStep(i, v, reducedScore, reducedVariance, batch);
    const lost = gain(z, reduced, leaving, batch);
    const [meanJ, precisionJ] = oneStep(j, v, reducedScore, reducedVariance, batch);
    const entering = meanJ + normal(rng) / Math.sqrt(precisionJ);
    const won = gain(z, reduced, entering, batch);
    const sumSquares = Math.max(0, z.sumSquares - leaving * leaving + entering * entering);
    const logRatio =
      won -
      lost +
      logPrior(free, sumSquares) -
      logPrior(free, z.sumSquares) +
      logNormal(leaving, meanI, precisionI) -
      logNormal(entering, meanJ, precisionJ) +
      proposals.exchangeRatio(i, j);
    if (!accepts(rng, logRatio)) return false;
    kernels.affineAxpy(reduced.pointer, 1, 0, z.scratch.pointer, batch.rows);
    replaceEta(z, reduced, batch);
    theta[j] = entering;
    z.sumSquares = sumSquares;
    proposals.left(i);
    proposals.entered(j);
    leave(z, i);
    join(z, j);
    touch(z, j);
    return true;
  }

  return {
    init: () =>
      selection({
        ...settings,
        always,
        variables: weights.length,
        maxSize: proposals.maxSize,
        eta: vector(),
        scratch: vector(),
      }),

    enter(z, theta, batch) {
      enterBatch(kernels, z, theta, batch);
      proposals.enter(z);
      fresh = false;
    },

    step(rng, z, theta, batch) {
      switch (proposals.kind(rng, z)) {
        case "birth":
          return birth(rng, z, theta, batch);
        case "death":
          return death(rng, z, theta, batch);
        case "exchange":
          return exchange(rng, z, theta, batch);
        default:
          return false;
      }
    },

    adapt: (next) => proposals.adapt(next),
  };
}

function logNormal(value: number, mean: number, precision: number): number {
  return 0.5 * (Math.log(precision / (2 * Math.PI)) - precision * (value - mean) ** 2);
}
