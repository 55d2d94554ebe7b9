/**
 * Reversible-jump Metropolis–Hastings over models (Green 1995; supplement, section S3). Given θ, a move changes γ
 * alone, so the target is
 *
 *     (N/n)·log p(batch | θ∘γ) + log π(γ) + log π(θ_S | γ) + log π(θ_−S | γ)
 *
 * Birth draws j ∉ S with probability ∝ w_j, death i ∈ S ∝ 1 − w_i, exchange does both; 1/3 each, except that the
 * empty model only grows and the full one only shrinks. The sign of a coefficient that enters or leaves is flipped
 * with probability ½. Not in the paper: members that never leave, and any pseudo-prior for θ_−S.
 */

import type { Kernels } from "../kernels/interface.js";
import type { AliasTable } from "../math/alias.js";
import type { Rng } from "../math/rng.js";
import type { Family } from "../models/families.js";
import { logSlab, type SelectionPrior } from "../models/priors.js";
import type { Batch, InnerKernel, Vector } from "../types.js";
import type { PseudoPrior } from "./pseudo-prior.js";
import { isMember, join, leave, type Selection } from "./selection.js";

export interface RjmhSettings {
  readonly kernels: Kernels;
  readonly family: Family;
  readonly prior: SelectionPrior;
  readonly pseudoPrior: PseudoPrior;
  /** Proposal weights in (0, 1), one per variable; 0 for variables that never enter. */
  readonly weights: Float64Array;
  readonly births: AliasTable;
  /** Variables in every model; they do not count in the prior. */
  readonly always?: readonly number[];
  readonly signFlips?: boolean;
  /** Moves between two calls of `enter`, to bound what they can touch. */
  readonly movesPerBatch: number;
  readonly eta: Vector;
  readonly scratch: Vector;
}

export function rjmh(settings: RjmhSettings): InnerKernel<Selection> {
  const { kernels, family, prior, pseudoPrior, births, always = [], signFlips = true } = settings;
  // Permanent members are never proposed: they count neither in the normalisers nor in what the cap can reach.
  const weights = settings.weights.slice();
  for (const j of always) weights[j] = 0;
  const maxSize = Math.min(
    prior.maxSize,
    weights.reduce((count, w) => count + (w > 0 ? 1 : 0), 0),
  );
  const totalWeight = weights.reduce((sum, w) => sum + w, 0);
  // Σ_{∉S} w and Σ_{∈S} (1 − w): the normalisers of birth and death.
  let outside = 0;
  let inside = 0;
  const lastTouched = new Int32Array(weights.length).fill(-1);
  let epoch = 0;

  const birthProbability = (size: number): number => (size === 0 ? 1 : size === maxSize ? 0 : 1 / 3);
  const deathProbability = (size: number): number => (size === 0 ? 0 : size === maxSize ? 1 : 1 / 3);
  /** The part of the log target that depends on size and Σ θ² alone. */
  const logPrior = (size: number, sumSquares: number): number =>
    prior.logModel(size) + logSlab(prior, size, sumSquares);

  function touch(z: Selection, j: number): void {
    if (lastTouched[j] === epoch) return;
    lastTouched[j] = epoch;
    z.touched.indices[z.touched.count++] = j;
  }

  function drawOutside(rng: Rng, z: Selection): number {
    for (;;) {
      const j = births.draw(rng);
      if (!isMember(z, j)) return j;
    }
  }

  function drawInside(rng: Rng, z: Selection): number {
    let u = rng.uniform() * inside;
    for (let i = z.always; i < z.size; i++) {
      u -= 1 - weights[z.members[i]];
      if (u < 0) return z.members[i];
    }
    return z.members[z.size - 1];
  }

  /** The value with which a variable enters or leaves. */
  const flipped = (rng: Rng, value: number): number => (signFlips && rng.uint32() & 1 ? -value : value);

  const accepts = (rng: Rng, logRatio: number): boolean =>
    logRatio >= 0 || Math.log(rng.uniformOpen()) < logRatio;

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
    const j = drawOutside(rng, z);
    pseudoPrior.wake(rng, theta, j);
    const value = flipped(rng, theta[j]);
    kernels.fill(z.scratch.pointer, 0, batch.rows);
    batch.axpy(z.scratch, value, j);
    const sumSquares = z.sumSquares + value * value;
    const w = weights[j];
    const logRatio =
      likelihoodGain(z, batch) +
      logPrior(free + 1, sumSquares) -
      logPrior(free, z.sumSquares) -
      pseudoPrior.logDensity(j, theta[j]) +
      Math.log((deathProbability(free + 1) * (1 - w)) / (inside + 1 - w)) -
      Math.log((birthProbability(free) * w) / outside);
    if (!accepts(rng, logRatio)) return false;
    commit(z, batch);
    theta[j] = value;
    z.sumSquares = sumSquares;
    outside -= w;
    inside += 1 - w;
    join(z, j);
    touch(z, j);
    return true;
  }

  function death(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const i = drawInside(rng, z);
    kernels.fill(z.scratch.pointer, 0, batch.rows);
    batch.axpy(z.scratch, -theta[i], i);
    const value = flipped(rng, theta[i]);
    const sumSquares = Math.max(0, z.sumSquares - value * value);
    const w = weights[i];
    const logRatio =
      likelihoodGain(z, batch) +
      logPrior(free - 1, sumSquares) -
      logPrior(free, z.sumSquares) +
      pseudoPrior.logDensity(i, value) +
      Math.log((birthProbability(free - 1) * w) / (outside + w)) -
      Math.log((deathProbability(free) * (1 - w)) / inside);
    if (!accepts(rng, logRatio)) return false;
    commit(z, batch);
    theta[i] = value;
    z.sumSquares = sumSquares;
    outside += w;
    inside -= 1 - w;
    depart(z, i);
    return true;
  }

  function exchange(rng: Rng, z: Selection, theta: Float64Array, batch: Batch): boolean {
    const free = z.size - z.always;
    const i = drawInside(rng, z);
    const j = drawOutside(rng, z);
    pseudoPrior.wake(rng, theta, j);
    const entering = flipped(rng, theta[j]);
    const leaving = flipped(rng, theta[i]);
    kernels.fill(z.scratch.pointer, 0, batch.rows);
    batch.axpy(z.scratch, -theta[i], i);
    batch.axpy(z.scratch, entering, j);
    const sumSquares = Math.max(0, z.sumSquares - leaving * leaving + entering * entering);
    const [wi, wj] = [weights[i], weights[j]];
    const logRatio =
      likelihoodGain(z, batch) +
      logPrior(free, sumSquares) -
      logPrior(free, z.sumSquares) +
      pseudoPrior.logDensity(i, leaving) -
      pseudoPrior.logDensity(j, theta[j]) +
      Math.log(((1 - wj) / (inside + wi - wj)) * (wi / (outside - wj + wi))) -
      Math.log(((1 - wi) / inside) * (wj / outside));
    if (!accepts(rng, logRatio)) return false;
    commit(z, batch);
    theta[i] = leaving;
    theta[j] = entering;
    z.sumSquares = sumSquares;
    outside += wi - wj;
    inside += wi - wj;
    depart(z, i);
    join(z, j);
    touch(z, j);
    return true;
  }

  return {
    init() {
      const room = always.length + maxSize;
      const z: Selection = {
        members: new Uint32Array(room + 1),
        always: always.length,
        size: 0,
        place: new Int32Array(weights.length).fill(-1),
        eta: settings.eta,
        scratch: settings.scratch,
        sumSquares: 0,
        touched: { count: 0, indices: new Uint32Array(room + settings.movesPerBatch) },
      };
      for (const j of always) join(z, j);
      return z;
    },

    enter(z, theta, batch) {
      // What was awake in the last round but is out of the model now goes to sleep.
      for (let i = 0; i < z.touched.count; i++) {
        const j = z.touched.indices[i];
        if (!isMember(z, j)) pseudoPrior.sleep(j);
      }
      epoch += 1;
      z.touched.count = 0;
      z.sumSquares = 0;
      outside = totalWeight;
      inside = 0;
      kernels.fill(z.eta.pointer, 0, batch.rows);
      for (let i = 0; i < z.size; i++) {
        const j = z.members[i];
        batch.axpy(z.eta, theta[j], j);
        touch(z, j);
        if (i < z.always) continue;
        z.sumSquares += theta[j] * theta[j];
        outside -= weights[j];
        inside += 1 - weights[j];
      }
    },

    step(rng, z, theta, batch) {
      const free = z.size - z.always;
      if (maxSize === 0) return false;
      if (free === 0) return birth(rng, z, theta, batch);
      if (free === maxSize) return death(rng, z, theta, batch);
      const kind = rng.below(3);
      if (kind === 0) return birth(rng, z, theta, batch);
      if (kind === 1) return death(rng, z, theta, batch);
      return exchange(rng, z, theta, batch);
    },
  };
}
