/**
 * What every model and inner kernel must satisfy, as functions that throw with the numbers when they do not: run them
 * in any test runner, on a tiny set of rows. Comparisons with Monte Carlo error are 4.5 standard errors wide from 64
 * batch means, so each has a false-alarm probability of about 3e-5.
 */

import { SparrowError } from "./errors.js";
import { fisher } from "./gradients/fisher.js";
import type { Rng } from "./math/rng.js";
import type { InnerKernel, Model } from "./types.js";

/** `addGrad` is the gradient of `logJoint`, by central differences, and adds `scale` times it to `out`. */
export function checkGradient<Z, B>(
  model: Model<Z, B>,
  at: { theta: Float64Array; z: Z; batch: B; tolerance?: number },
): void {
  const { theta, z, batch, tolerance = 1e-6 } = at;
  if (model.names.length !== theta.length) {
    throw new SparrowError(`The model names ${model.names.length} coordinates but θ has ${theta.length}.`);
  }
  const [start, scale] = [0.75, -2];
  const out = new Float64Array(theta.length).fill(start);
  model.addGrad(out, scale, theta, z, batch);
  const numeric = differences((moved) => model.logJoint(moved, z, batch), theta);
  const size = 1 + Math.max(...numeric.map(Math.abs));
  numeric.forEach((expected, j) => {
    const ours = (out[j] - start) / scale;
    if (!(Math.abs(ours - expected) <= tolerance * size)) {
      throw new SparrowError(
        `addGrad gives ${ours} for "${model.names[j]}", logJoint has slope ${expected}.`,
      );
    }
  });
}

/**
 * The kernel leaves π(z | θ, batch) ∝ exp(logJoint) invariant: over a long run it visits each of the states, listed
 * whole, as often as it should. Use a batch of weight 1, where the latent variables of rows count once.
 */
export function checkInvariance<Z, B>(
  model: Model<Z, B>,
  kernel: InnerKernel<Z, B>,
  at: {
    theta: Float64Array;
    batch: B;
    states: readonly Z[];
    key: (z: Z) => string;
    rng: Rng;
    moves?: number;
  },
): void {
  const { theta, batch, states, key, rng, moves = 64_000 } = at;
  const logs = states.map((z) => model.logJoint(theta, z, batch));
  const top = Math.max(...logs);
  const total = logs.reduce((sum, log) => sum + Math.exp(log - top), 0);
  const visits = new Map(states.map((z) => [key(z), new BatchMeans(moves)]));
  const z = kernel.init(rng, theta);
  kernel.enter(z, theta, batch);
  for (let t = -100; t < moves; t++) {
    kernel.step(rng, z, theta, batch);
    const here = key(z);
    if (!visits.has(here))
      throw new SparrowError(`The kernel reached ${here}, which is not among the states.`);
    if (t >= 0) for (const [name, seen] of visits) seen.push(name === here ? 1 : 0);
  }
  states.forEach((state, i) => {
    const p = Math.exp(logs[i] - top) / total;
    // A state too rare to be seen has no spread of its own: the binomial one stands in.
    const floor = Math.sqrt((p * (1 - p)) / moves);
    compare(`The share of state ${key(state)}`, visits.get(key(state))!, p, 0.5 * floor + 1 / moves);
  });
}

/** Fisher's identity: the average of `addGrad` over the kernel's draws is the gradient of the log marginal, which you know. */
export function checkFisher<Z, B>(
  model: Model<Z, B>,
  kernel: InnerKernel<Z, B>,
  at: {
    theta: Float64Array;
    batch: B;
    /** log π(θ | batch) with z summed or integrated out, up to a constant. */
    logMarginal: (theta: Float64Array) => number;
    rng: Rng;
    draws?: number;
  },
): void {
  const { theta, batch, logMarginal, rng, draws = 6400 } = at;
  const exact = differences(logMarginal, theta);
  averageGradient(model, kernel, [batch], { theta, rng, draws }).forEach((mean, j) => {
    compare(`The average gradient of "${model.names[j]}"`, mean, exact[j], 1e-5 * (1 + Math.abs(exact[j])));
  });
}

/** Averaged over ALL batches of a tiny set, the gradient is that on the whole set as one batch. */
export function checkUnbiased<Z, B>(
  model: Model<Z, B>,
  kernel: InnerKernel<Z, B>,
  at: { theta: Float64Array; batches: readonly B[]; whole: B; rng: Rng; draws?: number },
): void {
  const { theta, batches, whole, rng, draws = 6400 } = at;
  const mean = averageGradient(model, kernel, batches, { theta, rng, draws });
  averageGradient(model, kernel, [whole], { theta, rng, draws }).forEach((all, j) => {
    const error = Math.hypot(all.error, mean[j].error);
    const gap = Math.abs(all.mean - mean[j].mean);
    if (!(gap <= 4.5 * error + 1e-9 * (1 + Math.abs(all.mean)))) {
      throw new SparrowError(
        `Over all batches the gradient of "${model.names[j]}" averages ${mean[j].mean}, on all rows ${all.mean} (standard error ${error}).`,
      );
    }
  });
}

/** The average over batches of the gradient at θ, from so many latent draws. */
function averageGradient<Z, B>(
  model: Model<Z, B>,
  kernel: InnerKernel<Z, B>,
  batches: readonly B[],
  { theta, rng, draws }: { theta: Float64Array; rng: Rng; draws: number },
): BatchMeans[] {
  const z = kernel.init(rng, theta);
  const gradient = fisher({ model, kernel, z, rng, draws: 1, moves: 1 });
  const means = Array.from(theta, () => new BatchMeans(draws));
  const out = new Float64Array(theta.length);
  const sum = new Float64Array(theta.length);
  // One observation is a whole cycle through the batches, so that only the latent draws make it vary.
  for (let t = -50; t < draws; t++) {
    sum.fill(0);
    for (const batch of batches) {
      gradient(batch).at(out, theta);
      for (let j = 0; j < out.length; j++) sum[j] += out[j] / batches.length;
    }
    if (t >= 0) means.forEach((mean, j) => void mean.push(sum[j]));
  }
  return means;
}

function compare(what: string, seen: BatchMeans, expected: number, slack: number): void {
  if (!(Math.abs(seen.mean - expected) <= 4.5 * Math.max(seen.error, slack))) {
    throw new SparrowError(
      `${what} is ${seen.mean} (standard error ${seen.error}), it should be ${expected}.`,
    );
  }
}

function differences(f: (theta: Float64Array) => number, theta: Float64Array): number[] {
  return Array.from(theta, (x, j) => {
    const h = 1e-5 * (1 + Math.abs(x));
    const moved = theta.slice();
    moved[j] = x + h;
    const above = f(moved);
    moved[j] = x - h;
    return (above - f(moved)) / (2 * h);
  });
}

/** Mean and Monte Carlo standard error of a correlated series of known length. */
export class BatchMeans {
  private static readonly batches = 64;
  private readonly sums = new Float64Array(BatchMeans.batches);
  private index = 0;
  constructor(private readonly total: number) {}

  push(x: number): void {
    this.sums[Math.floor((this.index++ * BatchMeans.batches) / this.total)] += x;
  }
  get mean(): number {
    return this.sums.reduce((a, b) => a + b, 0) / this.total;
  }
  get error(): number {
    const size = this.total / BatchMeans.batches;
    const { mean } = this;
    const variance = this.sums.reduce((a, b) => a + (b / size - mean) ** 2, 0) / (BatchMeans.batches - 1);
    return Math.sqrt(variance / BatchMeans.batches);
  }
}

export { Rng, type RngState } from "./math/rng.js";
export type { Batch, InnerKernel, Model, Vector } from "./types.js";
