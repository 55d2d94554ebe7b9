/** A selection problem small enough to enumerate, with dyadic numbers so that float32 holds them exactly. */

import { gaussian } from "../../src/families/gaussian.js";
import type { PseudoPrior } from "../../src/latent/pseudo-prior.js";
import { rjmh } from "../../src/latent/rjmh.js";
import { join, type Selection } from "../../src/latent/selection.js";
import { type AliasTable, aliasTable } from "../../src/math/alias.js";
import { Rng } from "../../src/math/rng.js";
import { logSlab, type SelectionPrior } from "../../src/models/priors.js";
import { blockBatches } from "../../src/store/batch/batch.js";
import { unscaled } from "../../src/store/batch/scaling.js";
import type { Batch, InnerKernel } from "../../src/types.js";
import { arenaOf, tinyStore } from "../tiny-store.js";

export interface Problem {
  readonly variables: number;
  readonly maxSize: number;
  readonly always?: readonly number[];
  readonly movesPerBatch?: number;
}

/** N/n, σ² and the spread of excluded coefficients. */
const [WEIGHT, NOISE, SPREAD] = [1.5, 4, 0.75];

export const magnitudes = [0.5, 0.25, 0.75, 0.375, 1, 0.625];
export const weights = [0.9, 0.4, 0.55, 0.7, 0.45, 0.8];

/** Log odds and slab variance that depend on the size in no simple way, so that nothing cancels by accident. */
function prior(maxSize: number): SelectionPrior {
  const logModel = [0, -0.4, -0.1, -1, -0.6, -0.2, -0.9];
  return { logModel: (size) => logModel[size], slabVariance: (size) => 0.5 + 0.3 * size, maxSize };
}

/** Independent of time: θ_j keeps its value while it is out. */
const pseudoPrior: PseudoPrior = {
  wake() {},
  sleep() {},
  advance() {},
  logDensity: (_j, value) => -0.5 * Math.log(2 * Math.PI * SPREAD) - value ** 2 / (2 * SPREAD),
  gradient: (_j, value) => -value / SPREAD,
};

const VALUES = [-1, 0.5, 2, 1, -0.5, 0, 1.5, -2];
const ROWS = 7;
/** Entry (i, j) of the data; column `variables` is the target. */
const entry = (i: number, j: number): number => VALUES[(3 * i + 5 * j + i * j) % VALUES.length];

export interface Tiny {
  readonly kernel: InnerKernel<Selection>;
  readonly batch: Batch;
  readonly theta: Float64Array;
  readonly states: readonly number[];
  /** Brings z to a state: bits 0 … p are γ, the next p the signs. Outside the model a sign means nothing: it is +. */
  enter(state: number): Selection;
  stateOf(z: Selection): number;
  logTarget(state: number): number;
  readonly memory: WebAssembly.Memory;
}

export async function tinySelection(problem: Problem, births?: AliasTable): Promise<Tiny> {
  const { variables: p, maxSize, always = [], movesPerBatch = 1 } = problem;
  const column = (j: number) => Float64Array.from({ length: ROWS }, (_, i) => entry(i, j));
  const columns = Object.fromEntries(
    Array.from({ length: p + 1 }, (_, j) => [j < p ? `x${j}` : "y", column(j)]),
  );
  const store = await tinyStore(columns, { blockRows: ROWS });
  const arena = arenaOf(store);
  const batch = {
    ...blockBatches(store, unscaled(store.shift), arena, 1).draw(Rng.seeded(1)),
    weight: WEIGHT,
  };
  const w = Float64Array.from({ length: p }, (_, j) => weights[j]);
  const kernel = rjmh({
    kernels: store.kernels,
    likelihood: gaussian.likelihood(store.kernels, { variance: NOISE }),
    prior: prior(maxSize),
    pseudoPrior,
    weights: w,
    births: births ?? aliasTable(w),
    always,
    movesPerBatch,
    vector: () => arena.vector(ROWS + 4),
  });

  const theta = new Float64Array(p);
  const isIn = (state: number, j: number): boolean => (state >> j) % 2 === 1;
  const value = (state: number, j: number): number => ((state >> (p + j)) % 2 ? -1 : 1) * magnitudes[j];
  const forced = always.reduce((mask, j) => mask | (1 << j), 0);
  const size = (state: number) => theta.reduce((n, _, j) => n + (isIn(state & ~forced, j) ? 1 : 0), 0);
  const states = Array.from({ length: 1 << (2 * p) }, (_, state) => state).filter((state) => {
    if ((state & forced) !== forced || size(state) > maxSize) return false;
    // Permanent members never change their sign.
    const signed = state & ~forced & ((1 << p) - 1);
    return ((state >> p) & ~signed) === 0;
  });

  return {
    kernel,
    batch,
    theta,
    states,
    memory: store.kernels.memory,
    enter(state) {
      const z = kernel.init(Rng.seeded(1), theta);
      for (let j = 0; j < p; j++) {
        theta[j] = value(state, j);
        if (isIn(state & ~forced, j)) join(z, j);
      }
      kernel.enter(z, theta, batch);
      return z;
    },
    stateOf(z) {
      let state = 0;
      for (let j = 0; j < p; j++) {
        if (z.place[j] < 0) continue;
        state |= 1 << j;
        if (theta[j] < 0) state |= 1 << (p + j);
      }
      return state;
    },
    logTarget(state) {
      let total = 0;
      for (let i = 0; i < ROWS; i++) {
        let eta = 0;
        for (let j = 0; j < p; j++) if (isIn(state, j)) eta += value(state, j) * entry(i, j);
        total -= (WEIGHT * (entry(i, p) - eta) ** 2) / (2 * NOISE);
      }
      let squares = 0;
      for (let j = 0; j < p; j++) {
        if (isIn(state & ~forced, j)) squares += magnitudes[j] ** 2;
        // Either sign.
        else if (!isIn(state, j)) total += Math.LN2 + pseudoPrior.logDensity(j, magnitudes[j]);
      }
      return total + prior(maxSize).logModel(size(state)) + logSlab(prior(maxSize), size(state), squares);
    },
  };
}

export function normalised(logWeights: readonly number[]): number[] {
  const largest = Math.max(...logWeights);
  const unnormalised = logWeights.map((value) => Math.exp(value - largest));
  const sum = unnormalised.reduce((a, b) => a + b, 0);
  return unnormalised.map((value) => value / sum);
}
