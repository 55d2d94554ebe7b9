/** Algorithm 1 of Song et al. (2020) on a store: one chain, from a plan that can cross threads. */

import { SparseDrawSink, type SparseDraws } from "../draws/sparse-draws.js";
import { SparrowError } from "../errors.js";
import { withNoise } from "../gradients/differences.js";
import { fisher } from "../gradients/fisher.js";
import { type IntegratorName, integratorNamed } from "../integrators/named.js";
import { absent, informedBirths } from "../latent/informed-births.js";
import { langevinSpike } from "../latent/pseudo-prior.js";
import { rjmh } from "../latent/rjmh.js";
import type { Selection } from "../latent/selection.js";
import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import { type Family, type FamilyName, familyNamed } from "../models/families.js";
import { independentPrior, liangPrior, type SelectionPrior } from "../models/priors.js";
import { selectionModel } from "../models/selection.js";
import { chain } from "../sampling/chain.js";
import { type StepSizes, scheduleOf, valueAt, weightAt } from "../sampling/schedule.js";
import type { Arena } from "../store/arena.js";
import { blockBatches, rowBatches } from "../store/batch.js";
import type { Scaling } from "../store/scaling.js";
import type { Store } from "../store/store.js";
import type { Schedule } from "../types.js";
import { residualWeights } from "./residual-weights.js";

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
  readonly integrator: IntegratorName;
  readonly temperature: number;
  readonly family: FamilyName;
  /** Of the Gaussian family; the others have none. */
  readonly noise: NoisePlan;
  readonly inclusion: number;
  /** One number, or C0 of the prior whose slab narrows as the model grows. */
  readonly slabVariance: number | { readonly c0: number };
  readonly spikeVariance: number;
  readonly maxSize: number;
  readonly weights: Float64Array;
  readonly always: readonly number[];
  readonly scaling: Scaling;
  /** Births around one-step estimates, with weights that follow the residual; without it, those of the paper. */
  readonly informed?: InformedPlan;
}

export interface InformedPlan {
  /** Blocks in the batch that weights are refreshed on. */
  readonly refreshBlocks: number;
  /** Where the intercept, the last variable, starts. */
  readonly intercept: number;
  /** ε as a share of the inverse of the curvature. */
  readonly relativeStep: StepSizes;
}

export type BatchPlan =
  | { readonly by: "blocks"; readonly blocks: number }
  | { readonly by: "rows"; readonly rows: number; readonly replacement: boolean };

/** A schedule, or a multiple of σ²/N, the scale of the posterior. */
export type StepSizePlan = StepSizes | { readonly relative: number };

/** σ² fixed, or started somewhere and sampled. */
export interface NoisePlan {
  readonly variance: number;
  readonly known: boolean;
}

export interface ChainOutput {
  readonly iterations: number;
  /** Models counted after burn-in, and how many of them held each variable; each by the weight of its step. */
  readonly models: number;
  readonly inclusion: Float64Array;
  readonly draws: SparseDraws;
  /** Model size after each thinned iteration, burn-in included. */
  readonly sizes: Float64Array;
  /** The variables of the model at the end: all there is of a chain that was stopped in its burn-in. */
  readonly last: Uint32Array;
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
  const family = familyNamed(kernels, plan.family, noise);
  const prior = priorOf(plan);
  const common = { kernels, family, prior, weights: plan.weights, always: plan.always };
  const movesPerBatch = plan.models * plan.moves;
  const vector = () => arena.vector(batchRows);
  const informed = plan.informed && informedBirths({ ...common, movesPerBatch, vector });
  const pseudoPrior = informed
    ? absent
    : langevinSpike({ variables, variance: plan.spikeVariance, temperature: plan.temperature });
  const kernel = informed ?? rjmh({ ...common, pseudoPrior, movesPerBatch, vector });
  const theta = new Float64Array(variables);
  if (plan.informed) theta[variables - 1] = plan.informed.intercept;
  const z = kernel.init(rng, theta);
  const adaptation = informed && adaptedTo(store, arena, plan, { family, prior }, rng.split(4));

  const inclusion = new Float64Array(variables);
  const sink = new SparseDrawSink(MAX_DRAWS);
  const sizes: number[] = [];
  let models = 0;
  let t = 0;

  const schedule = scheduleIn(plan, noise, layout.rows);
  const moveNoise = plan.noise.known ? undefined : noiseStep(rng.split(3), layout.rows);
  const steps = chain({
    rng,
    theta,
    batches,
    gradient: withNoise(
      fisher({
        model: selectionModel({ names: store.names, family, prior, pseudoPrior }),
        kernel,
        z,
        rng: rng.split(2),
        draws: plan.models,
        moves: plan.moves,
        visit: ({ members, size }) => {
          if (t < plan.burnIn) return;
          const weight = weightAt(schedule, t + 1);
          models += weight;
          for (let i = 0; i < size; i++) inclusion[members[i]] += weight;
        },
      }),
      { firstCounts: false },
    ),
    integrator: integratorNamed(plan.integrator, {
      temperature: plan.temperature,
      ...(informed && { limit: LARGEST_DRIFT }),
    }),
    stepSize: adaptation ? (at) => valueAt(schedule, at) * adaptation.inverseCurvature(z.size) : schedule,
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
      if (informed && adaptation && t < Math.max(1, plan.burnIn) && isRefresh(t)) {
        informed.adapt(adaptation.refresh(z, theta));
      }
      const step = steps.next();
      if (step.done) return false;
      t = step.value.t;
      if (!z.members.subarray(0, z.size).every((j) => Number.isFinite(theta[j]))) {
        throw new SparrowError(`The chain diverged in iteration ${t}; make --step-size smaller.`);
      }
      if (t % plan.thin === 0) {
        sizes.push(z.size);
        const weight = weightAt(schedule, t);
        if (t > plan.burnIn && weight > 0) sink.add(t, z.members, z.size, theta, weight);
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
      last: z.members.slice(0, z.size),
    }),
  };
}

/** In units of the standardised columns. */
const LARGEST_DRIFT = 0.5;

/** At the start, and then at 4, 8, 16, … iterations: often while the model grows. */
function isRefresh(t: number): boolean {
  return t === 0 || (t >= 4 && Number.isInteger(Math.log2(t)));
}

/** Proposal weights and a step size that follow the model while the chain burns in. */
function adaptedTo(
  store: Store,
  arena: Arena,
  plan: SearchPlan,
  { family, prior }: { family: Family; prior: SelectionPrior },
  rng: Rng,
): { refresh(z: Selection, theta: Float64Array): Float64Array; inverseCurvature(size: number): number } {
  const { refreshBlocks } = plan.informed!;
  const variables = plan.weights.length;
  const batches = blockBatches(store, plan.scaling, arena, refreshBlocks);
  const residual = residualWeights({
    ...{ kernels: store.kernels, family, prior, variables },
    movable: (j) => plan.weights[j] > 0,
    intercept: plan.always.includes(variables - 1) ? variables - 1 : undefined,
    vector: () => arena.vector(refreshBlocks * store.layout.stride),
  });
  let curvature = 1;
  let measuredAt = 1;
  return {
    refresh(z, theta) {
      const { weights, curvature: largest } = residual(z, theta, batches.draw(rng));
      curvature = largest;
      measuredAt = Math.max(1, z.size);
      return weights;
    },
    // A model that has grown since may have a curvature that has grown in proportion.
    inverseCurvature: (size) => 1 / (curvature * Math.max(1, size / measuredAt)),
  };
}

/** The prior over models and coefficients that a plan describes. */
export function priorOf(plan: Pick<SearchPlan, "inclusion" | "slabVariance" | "maxSize">): SelectionPrior {
  const { inclusion, slabVariance, maxSize } = plan;
  return typeof slabVariance === "number"
    ? independentPrior({ inclusion, slabVariance, maxSize })
    : liangPrior({ inclusion, c0: slabVariance.c0, maxSize });
}

/** The step sizes of a plan; of one with informed births, as shares of the inverse curvature. */
function scheduleIn(plan: SearchPlan, noise: { readonly variance: number }, rows: number): Schedule {
  const { stepSize } = plan;
  if (plan.informed) return scheduleOf(plan.informed.relativeStep);
  if (typeof stepSize === "number" || !("relative" in stepSize)) return scheduleOf(stepSize);
  return () => (stepSize.relative * noise.variance) / rows;
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
