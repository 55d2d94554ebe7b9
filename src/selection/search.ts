/** Algorithm 1 of Song et al. (2020) on a store: one chain, from a plan that can cross threads. */

import { SparseDrawSink, type SparseDraws } from "../draws/sparse-draws.js";
import { fisher } from "../gradients/fisher.js";
import { sgld } from "../integrators/sgld.js";
import { langevinSpike } from "../latent/pseudo-prior.js";
import { rjmh } from "../latent/rjmh.js";
import { aliasTable } from "../math/alias.js";
import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import { gaussian } from "../models/families.js";
import { independentPrior } from "../models/priors.js";
import { selectionModel } from "../models/selection.js";
import { chain } from "../sampling/chain.js";
import { polynomial } from "../sampling/schedule.js";
import type { Arena } from "../store/arena.js";
import { blockBatches, rowBatches } from "../store/batch.js";
import type { Scaling } from "../store/scaling.js";
import type { Store } from "../store/store.js";
import type { Schedule } from "../types.js";

/** Everything that determines a chain, apart from the data. Plain data: it crosses threads and is recorded. */
export interface SearchPlan {
  readonly seed: number;
  readonly iterations: number;
  readonly burnIn: number;
  readonly thin: number;
  readonly batch: BatchPlan;
  readonly models: number;
  readonly moves: number;
  readonly stepSize: StepSizePlan;
  readonly temperature: number;
  readonly noise: NoisePlan;
  readonly inclusion: number;
  readonly slabVariance: number;
  readonly spikeVariance: number;
  readonly maxSize: number;
  readonly weights: Float64Array;
  readonly always: readonly number[];
  readonly scaling: Scaling;
}

export type BatchPlan =
  | { readonly by: "blocks"; readonly blocks: number }
  | { readonly by: "rows"; readonly rows: number; readonly replacement: boolean };

/** A constant, a(b + t)^(−κ), or a multiple of σ²/N, the scale of the posterior. */
export type StepSizePlan =
  | number
  | { readonly a: number; readonly b: number; readonly kappa: number }
  | { readonly relative: number };

/** σ² fixed, or started somewhere and sampled. */
export interface NoisePlan {
  readonly variance: number;
  readonly known: boolean;
}

export interface ChainOutput {
  readonly iterations: number;
  /** Models counted after burn-in, and how many of them held each variable. */
  readonly models: number;
  readonly inclusion: Float64Array;
  readonly draws: SparseDraws;
  /** Model size after each thinned iteration, burn-in included. */
  readonly sizes: Float64Array;
}

export interface SearchChain {
  /** Advances one iteration; false when the chain is done. */
  next(): boolean;
  readonly t: number;
  output(): ChainOutput;
}

/** Largest number of draws a chain keeps; beyond it thinning doubles. */
const MAX_DRAWS = 4000;

export function searchChain(store: Store, arena: Arena, plan: SearchPlan, index: number): SearchChain {
  const { kernels, layout } = store;
  const rng = Rng.seeded(plan.seed).split(index);
  const batchRows = plan.batch.by === "blocks" ? plan.batch.blocks * layout.stride : plan.batch.rows;
  const batches =
    plan.batch.by === "blocks"
      ? blockBatches(store, plan.scaling, arena, plan.batch.blocks)
      : rowBatches(store, plan.scaling, arena, plan.batch.rows, plan.batch.replacement);

  const variables = plan.weights.length;
  const noise = { variance: plan.noise.variance };
  const family = gaussian(kernels, noise);
  const prior = independentPrior(plan);
  const pseudoPrior = langevinSpike({
    variables,
    variance: plan.spikeVariance,
    temperature: plan.temperature,
  });
  const kernel = rjmh({
    kernels,
    family,
    prior,
    pseudoPrior,
    weights: plan.weights,
    births: aliasTable(plan.weights),
    always: plan.always,
    movesPerBatch: plan.models * plan.moves,
    eta: arena.vector(batchRows),
    scratch: arena.vector(batchRows),
  });
  const theta = new Float64Array(variables);
  const z = kernel.init(rng, theta);

  const inclusion = new Float64Array(variables);
  const sink = new SparseDrawSink(MAX_DRAWS);
  const sizes: number[] = [];
  let models = 0;
  let t = 0;

  const moveNoise = plan.noise.known ? undefined : noiseStep(rng.split(3), layout.rows);
  const steps = chain({
    rng,
    theta,
    batches,
    gradient: fisher({
      model: selectionModel({ names: store.names, family, prior, pseudoPrior }),
      kernel,
      z,
      rng: rng.split(2),
      draws: plan.models,
      moves: plan.moves,
      visit: ({ members, size }) => {
        if (t < plan.burnIn) return;
        models += 1;
        for (let i = 0; i < size; i++) inclusion[members[i]] += 1;
      },
    }),
    integrator: sgld({ temperature: plan.temperature }),
    stepSize: scheduleOf(plan.stepSize, noise, layout.rows),
    iterations: plan.iterations,
    after(stepSize, batch) {
      pseudoPrior.advance(stepSize);
      if (!moveNoise) return;
      const squares = kernels.squaredError(z.eta.pointer, batch.target.pointer, batch.rows);
      noise.variance = moveNoise(noise.variance, squares / batch.rows);
    },
  });

  return {
    next() {
      const step = steps.next();
      if (step.done) return false;
      t = step.value.t;
      if (t % plan.thin === 0) {
        sizes.push(z.size);
        if (t > plan.burnIn) sink.add(t, z.members, z.size, theta);
      }
      return true;
    },
    get t() {
      return t;
    },
    output: () => ({
      iterations: t,
      models,
      inclusion,
      draws: sink.finish(),
      sizes: Float64Array.from(sizes),
    }),
  };
}

function scheduleOf(plan: StepSizePlan, noise: { readonly variance: number }, rows: number): Schedule {
  if (typeof plan === "number") return plan;
  if ("relative" in plan) return () => (plan.relative * noise.variance) / rows;
  return polynomial(plan);
}

/** Share of the posterior's own scale that log σ² moves by in a step, and the most it may move at once. */
const NOISE_STEP = 0.1;
const NOISE_LEAP = 0.1;

/**
 * Langevin steps of s = log σ² under p(σ²) ∝ 1/σ²: the gradient is (N/2)(r̄²/σ² − 1), where r̄² is the batch's mean
 * squared residual, and the information N/2.
 */
function noiseStep(rng: Rng, rows: number): (variance: number, meanSquare: number) => number {
  const noise = Math.sqrt((2 * NOISE_STEP) / rows);
  return (variance, meanSquare) => {
    const drift = 0.5 * NOISE_STEP * (meanSquare / variance - 1);
    const move = Math.max(-NOISE_LEAP, Math.min(NOISE_LEAP, drift + noise * normal(rng)));
    return variance * Math.exp(move);
  };
}
