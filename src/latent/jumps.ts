/**
 * Reversible jumps between models (Green 1995; supplement, section S3): birth, death and exchange, whatever the way
 * in which a coefficient enters. The target is
 *
 *     (N/n)·log p(batch | θ∘γ) + log π(γ) + log π(θ_S | γ) + log π(θ_−S | γ)
 *
 * An `Entrance` draws the value of a coefficient that enters and gives the log odds of the move apart from π(γ), the
 * slab and the choice of the variable (`proposals.ts`). A death is the way back, so its odds are those of entering
 * the model without the variable; an exchange does both. Not in the paper: members that never leave.
 */

import type { Kernels } from "../kernels/interface.js";
import type { Rng } from "../math/rng.js";
import { logSlab, type SelectionPrior } from "../models/priors.js";
import type { Batch, InnerKernel, Vector } from "../types.js";
import type { Proposals } from "./proposals.js";
import { accepts, join, leave, type Selection, selection, touch } from "./selection.js";

/** How a coefficient comes into a model of `size` movable members, given the predictor η without it. */
export interface Entrance {
  /** A round on a new batch begins. */
  enter?(z: Selection): void;
  /** η is not what it was when it was last seen. */
  moved?(eta: Vector, batch: Batch): void;
  /** The log odds of entering with the value drawn, which is left in `value`. */
  draw(rng: Rng, theta: Float64Array, j: number, size: number, eta: Vector, batch: Batch): number;
  readonly value: number;
  /** The log odds of entering with the value that i has. */
  back(theta: Float64Array, i: number, size: number, eta: Vector, batch: Batch): number;
  left?(i: number): void;
}

export interface JumpSettings {
  readonly kernels: Kernels;
  readonly prior: SelectionPrior;
  /** Variables in every model; they do not count in the prior. */
  readonly always?: readonly number[];
  /** Moves between two calls of `enter`, to bound what they can touch. */
  readonly movesPerBatch: number;
  /** A vector of the batch's length. */
  readonly vector: () => Vector;
}

export function jumps(
  settings: JumpSettings,
  variables: number,
  proposals: Proposals,
  entrance: Entrance,
): InnerKernel<Selection> {
  const { kernels, prior, always = [], movesPerBatch, vector } = settings;
  const [eta, scratch, reduced] = Array.from({ length: 3 }, vector);
  const { reduce, departs, arrives } = changes(kernels, proposals, entrance, reduced);
  // Whether the entrance has seen the current η: births that are rejected share what it computed.
  let seen = false;

  /** The part of the log target that depends on size and Σ θ² alone. */
  const logPrior = (size: number, sumSquares: number): number =>
    prior.logModel(size) + logSlab(prior, size, sumSquares);

  function birth(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const j = proposals.drawOutside(rng, z);
    if (!seen) entrance.moved?.(z.eta, batch);
    seen = true;
    const odds = entrance.draw(rng, theta, j, free + 1, z.eta, batch);
    const { value } = entrance;
    const sumSquares = z.sumSquares + value * value;
    const priorOdds = logPrior(free + 1, sumSquares) - logPrior(free, z.sumSquares);
    if (!accepts(rng, odds + priorOdds + proposals.birthRatio(free, j))) return false;
    arrives(z, theta, j, value, batch);
    z.sumSquares = sumSquares;
    return true;
  }

  function death(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const i = proposals.drawInside(rng, z);
    reduce(z, theta, i, batch);
    const odds = entrance.back(theta, i, free, reduced, batch);
    const sumSquares = Math.max(0, z.sumSquares - theta[i] ** 2);
    const priorOdds = logPrior(free - 1, sumSquares) - logPrior(free, z.sumSquares);
    if (!accepts(rng, -odds + priorOdds + proposals.deathRatio(free, i))) return false;
    departs(z, i, batch);
    z.sumSquares = sumSquares;
    return true;
  }

  function exchange(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const i = proposals.drawInside(rng, z);
    const j = proposals.drawOutside(rng, z);
    reduce(z, theta, i, batch);
    const lost = entrance.back(theta, i, free, reduced, batch);
    const won = entrance.draw(rng, theta, j, free, reduced, batch);
    const { value } = entrance;
    const sumSquares = Math.max(0, z.sumSquares - theta[i] ** 2 + value * value);
    const priorOdds = logPrior(free, sumSquares) - logPrior(free, z.sumSquares);
    if (!accepts(rng, won - lost + priorOdds + proposals.exchangeRatio(i, j))) return false;
    departs(z, i, batch);
    arrives(z, theta, j, value, batch);
    z.sumSquares = sumSquares;
    return true;
  }

  const moves = { birth, death, exchange };
  return {
    init: () => selection({ variables, always, maxSize: proposals.maxSize, movesPerBatch, eta, scratch }),

    enter(z, theta, batch) {
      entrance.enter?.(z);
      enterBatch(kernels, z, theta, batch);
      proposals.enter(z);
      seen = false;
    },

    step(rng, z, theta, batch) {
      const kind = proposals.kind(rng, z);
      if (!kind || !moves[kind](rng, z, theta, batch)) return false;
      seen = false;
      return true;
    },
  };
}

/** What a move does to a model and its predictor once it is accepted, and the predictor without one member before. */
function changes(kernels: Kernels, proposals: Proposals, entrance: Entrance, reduced: Vector) {
  return {
    /** The predictor of the model without i. */
    reduce(z: Selection, theta: Float64Array, i: number, batch: Batch): void {
      kernels.copy(reduced.pointer, z.eta.pointer, batch.rows);
      batch.axpy(reduced, -theta[i], i);
      entrance.moved?.(reduced, batch);
    },

    departs(z: Selection, i: number, batch: Batch): void {
      kernels.copy(z.eta.pointer, reduced.pointer, batch.rows);
      proposals.left(i);
      leave(z, i);
      entrance.left?.(i);
    },

    arrives(z: Selection, theta: Float64Array, j: number, value: number, batch: Batch): void {
      batch.axpy(z.eta, value, j);
      theta[j] = value;
      proposals.entered(j);
      join(z, j);
      touch(z, j);
    },
  };
}

/** η, Σ θ² and the touched coordinates of the model on a new batch. */
export function enterBatch(kernels: Kernels, z: Selection, theta: Float64Array, batch: Batch): void {
  z.touched.count = 0;
  z.epoch += 1;
  z.sumSquares = 0;
  kernels.fill(z.eta.pointer, 0, batch.rows);
  for (let i = 0; i < z.size; i++) {
    const j = z.members[i];
    batch.axpy(z.eta, theta[j], j);
    touch(z, j);
    if (i >= z.always) z.sumSquares += theta[j] * theta[j];
  }
}
