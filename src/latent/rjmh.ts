/**
 * Reversible-jump Metropolis–Hastings over models (Green 1995; supplement, section S3). Given θ, a move changes γ
 * alone, so the target is
 *
 *     (N/n)·log p(batch | θ∘γ) + log π(γ) + log π(θ_S | γ) + log π(θ_−S | γ)
 *
 * What a move proposes is in `proposals.ts`. The sign of a coefficient that enters or leaves is flipped with
 * probability ½. Not in the paper: members that never leave, and any pseudo-prior for θ_−S.
 */

import type { Kernels } from "../kernels/interface.js";
import type { AliasTable } from "../math/alias.js";
import type { Rng } from "../math/rng.js";
import type { Family } from "../models/families.js";
import { logSlab, type SelectionPrior } from "../models/priors.js";
import type { Batch, InnerKernel, Vector } from "../types.js";
import { Proposals } from "./proposals.js";
import type { PseudoPrior } from "./pseudo-prior.js";
import { accepts, isMember, join, leave, type Selection, selection, touch } from "./selection.js";

export interface RjmhSettings {
  readonly kernels: Kernels;
  readonly family: Family;
  readonly prior: SelectionPrior;
  readonly pseudoPrior: PseudoPrior;
  /** Proposal weights in (0, 1), one per variable; 0 for variables that never enter. */
  readonly weights: Float64Array;
  /** How births are drawn; by the weights unless told. */
  readonly births?: AliasTable;
  /** Variables in every model; they do not count in the prior. */
  readonly always?: readonly number[];
  readonly signFlips?: boolean;
  /** Moves between two calls of `enter`, to bound what they can touch. */
  readonly movesPerBatch: number;
  readonly eta: Vector;
  readonly scratch: Vector;
}

export function rjmh(settings: RjmhSettings): InnerKernel<Selection> {
  const { kernels, family, prior, pseudoPrior, always = [], signFlips = true } = settings;
  // Permanent members are never proposed: they count neither in the normalisers nor in what the cap can reach.
  const weights = settings.weights.slice();
  for (const j of always) weights[j] = 0;
  const proposals = new Proposals(weights, prior.maxSize, settings.births);

  /** The part of the log target that depends on size and Σ θ² alone. */
  const logPrior = (size: number, sumSquares: number): number =>
    prior.logModel(size) + logSlab(prior, size, sumSquares);

  /** The value with which a variable enters or leaves. */
  const flipped = (rng: Rng, value: number): number => (signFlips && rng.uint32() & 1 ? -value : value);

  function likelihoodGain(z: Selection, batch: Batch): number {
    return batch.weight * family.change(z.scratch.pointer, z.eta.pointer, batch.target.pointer, batch.rows);
  }

  function commit(z: Selection, batch: Batch): void {
    kernels.affineAxpy(z.eta.pointer, 1, 0, z.scratch.pointer, batch.rows);
  }

  /** θ_i was up to date while i was in; a return within this batch must find it as it is now. */
  function depart(z: Selection, i: number): void {
    leave(z, i);
    pseudoPrior.sleep(i);
  }

  function birth(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const j = proposals.drawOutside(rng, z);
    pseudoPrior.wake(rng, theta, j);
    const value = flipped(rng, theta[j]);
    kernels.fill(z.scratch.pointer, 0, batch.rows);
    batch.axpy(z.scratch, value, j);
    const sumSquares = z.sumSquares + value * value;
    const logRatio =
      likelihoodGain(z, batch) +
      logPrior(free + 1, sumSquares) -
      logPrior(free, z.sumSquares) -
      pseudoPrior.logDensity(j, theta[j]) +
      proposals.birthRatio(free, j);
    if (!accepts(rng, logRatio)) return false;
    commit(z, batch);
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
    kernels.fill(z.scratch.pointer, 0, batch.rows);
    batch.axpy(z.scratch, -theta[i], i);
    const value = flipped(rng, theta[i]);
    const sumSquares = Math.max(0, z.sumSquares - value * value);
    const logRatio =
      likelihoodGain(z, batch) +
      logPrior(free - 1, sumSquares) -
      logPrior(free, z.sumSquares) +
      pseudoPrior.logDensity(i, value) +
      proposals.deathRatio(free, i);
    if (!accepts(rng, logRatio)) return false;
    commit(z, batch);
    theta[i] = value;
    z.sumSquares = sumSquares;
    proposals.left(i);
    depart(z, i);
    return true;
  }

  function exchange(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const i = proposals.drawInside(rng, z);
    const j = proposals.drawOutside(rng, z);
    pseudoPrior.wake(rng, theta, j);
    const entering = flipped(rng, theta[j]);
    const leaving = flipped(rng, theta[i]);
    kernels.fill(z.scratch.pointer, 0, batch.rows);
    batch.axpy(z.scratch, -theta[i], i);
    batch.axpy(z.scratch, entering, j);
    const sumSquares = Math.max(0, z.sumSquares - leaving * leaving + entering * entering);
    const logRatio =
      likelihoodGain(z, batch) +
      logPrior(free, sumSquares) -
      logPrior(free, z.sumSquares) +
      pseudoPrior.logDensity(i, leaving) -
      pseudoPrior.logDensity(j, theta[j]) +
      proposals.exchangeRatio(i, j);
    if (!accepts(rng, logRatio)) return false;
    commit(z, batch);
    theta[i] = leaving;
    theta[j] = entering;
    z.sumSquares = sumSquares;
    proposals.left(i);
    proposals.entered(j);
    depart(z, i);
    join(z, j);
    touch(z, j);
    return true;
  }

  return {
    init: () => selection({ ...settings, always, variables: weights.length, maxSize: proposals.maxSize }),

    enter(z, theta, batch) {
      // What was awake in the last round but is out of the model now goes to sleep.
      for (let i = 0; i < z.touched.count; i++) {
        const j = z.touched.indices[i];
        if (!isMember(z, j)) pseudoPrior.sleep(j);
      }
      enterBatch(kernels, z, theta, batch);
      proposals.enter(z);
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
