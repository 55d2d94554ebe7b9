/** Algorithm 1 of Song et al. (2020) on a store: one chain, from a plan that can cross threads. */

import { SparseDrawSink, type SparseDraws } from "../../draws/sparse-draws.js";
import { SparrowError } from "../../errors.js";
import type { Likelihood } from "../../families/family.js";
import { type FamilyName, familyNamed } from "../../families/register.js";
import { withNoise } from "../../gradients/differences.js";
import { fisher } from "../../gradients/fisher.js";
import { type IntegratorName, integratorNamed } from "../../integrators/named.js";
import { absent, informedBirths } from "../../latent/informed-births.js";
import { langevinSpike } from "../../latent/pseudo-prior.js";
import { rjmh } from "../../latent/rjmh.js";
import { isMember, join } from "../../latent/selection.js";
import { selectionModel } from "../../latent/selection-model.js";
import { Rng } from "../../math/rng.js";
import { independentPrior, liangPrior, type SelectionPrior } from "../../models/priors.js";
import { chain } from "../../sampling/chain.js";
import { type StepSizes, scheduleOf, valueAt, weightAt } from "../../sampling/schedule.js";
import { CHAIN_STREAMS, RUN_STREAMS } from "../../sampling/streams.js";
import type { Arena } from "../../store/batch/arena.js";
import { blockBatches, rowBatches } from "../../store/batch/batch.js";
import type { Scaling } from "../../store/batch/scaling.js";
import type { Store } from "../../store/store.js";
import { option } from "../../wording.js";
import type { Work } from "../../workers/job.js";
import { type Members, type Residual, residualWeights } from "./residual-weights.js";
import { stepNoise } from "./step-noise.js";

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
  /** Of a family whose noise is a parameter; 1 and known for the others. */
  readonly noise: NoisePlan;
  readonly inclusion: number;
  /** One number, or C0 of the prior whose slab narrows as the model grows. */
  readonly slabVariance: number | { readonly c0: number };
  readonly spikeVariance: number;
  readonly maxSize: number;
  readonly weights: Float64Array;
  readonly always: readonly number[];
  readonly scaling: Scaling;
  /** Births around one-step estimates, or with what the Langevin walk has left behind, as in the paper. */
  readonly births: "informed" | "walk";
  /** Where the intercept, the last variable, starts, if not at 0. */
  readonly intercept?: number;
  /** Proposal weights that follow the residual; without it they are those above. */
  readonly adaptation?: AdaptationPlan;
}

export interface AdaptationPlan {
  /** Blocks in the batch that the residual is looked at on. */
  readonly blocks: number;
  /** Mean of x_j², for a Gaussian. */
  readonly meanSquares?: Float64Array;
}

/** A stretch of a chain: how many iterations went before, and where they led. */
export interface SearchRound {
  readonly round: number;
  readonly before: number;
  readonly iterations: number;
  readonly start: ChainState;
}

/** Where a chain has come to. */
export interface ChainState {
  readonly members: Uint32Array;
  /** Their coefficients. */
  readonly values: Float64Array;
  readonly noiseVariance: number;
}

export type BatchPlan =
  | { readonly by: "blocks"; readonly blocks: number }
  | { readonly by: "rows"; readonly rows: number; readonly replacement: boolean };

/** A schedule, or one of shares of the inverse of the largest curvature of the current model. */
export type StepSizePlan = StepSizes | { readonly relativeToCurvature: StepSizes };

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
  /** How many times larger batches would have to be for the noise of the model step; see `step-noise.ts`. */
  readonly stepNoise?: number;
  /** The model at the end: all there is of a chain that was stopped in its burn-in. */
  readonly last: ChainState;
}

/** Largest number of draws a chain keeps; beyond it thinning doubles. */
const MAX_DRAWS = 4000;

export function searchChain(
  store: Store,
  arena: Arena,
  plan: SearchPlan,
  index: number,
  /** A stretch of the chain; without it, all of it. */
  { round, before = 0, iterations, start }: Partial<SearchRound> = {},
): Work<ChainOutput> {
  const { kernels, layout } = store;
  const whole = Rng.seeded(plan.seed).split(RUN_STREAMS.chains + index);
  const rng = round ? whole.split(CHAIN_STREAMS.rounds + round) : whole;
  const batchRows = plan.batch.by === "blocks" ? plan.batch.blocks * layout.stride : plan.batch.rows;
  const batches =
    plan.batch.by === "blocks"
      ? blockBatches(store, plan.scaling, arena, plan.batch.blocks)
      : rowBatches(store, plan.scaling, arena, plan.batch.rows, plan.batch.replacement);

  const variables = plan.weights.length;
  const noise = { variance: start?.noiseVariance ?? plan.noise.variance };
  const family = familyNamed(plan.family);
  const likelihood = family.likelihood(kernels, noise);
  const prior = priorOf(plan);
  const movesPerBatch = plan.models * plan.moves;
  const vector = () => arena.vector(batchRows);
  const theta = new Float64Array(variables);
  if (plan.intercept !== undefined) theta[variables - 1] = plan.intercept;
  start?.members.forEach((j, i) => {
    theta[j] = start.values[i];
  });
  const adaptation =
    plan.adaptation && adaptedTo(store, arena, plan, { likelihood, prior }, rng.split(CHAIN_STREAMS.look));
  const looked = adaptation?.refresh(startingModel(plan, start), theta, start !== undefined);
  // Steps follow σ² slowly, while a round may have found a lot.
  if (looked && start && !plan.noise.known) noise.variance = looked.meanSquare;
  const weights = looked?.weights ?? plan.weights;
  const common = { kernels, likelihood, prior, weights, always: plan.always, movesPerBatch };
  const informed = plan.births === "informed" ? informedBirths({ ...common, vector }) : undefined;
  const pseudoPrior = informed
    ? absent
    : langevinSpike({ variables, variance: plan.spikeVariance, temperature: plan.temperature });
  const kernel = informed ?? rjmh({ ...common, pseudoPrior, vector });
  const z = kernel.init(rng, theta);
  start?.members.forEach((j) => {
    if (!isMember(z, j)) join(z, j);
  });

  const inclusion = new Float64Array(variables);
  const sink = new SparseDrawSink(MAX_DRAWS);
  const sizes: number[] = [];
  const burnIn = plan.burnIn - before;
  const relative = typeof plan.stepSize === "object" && "relativeToCurvature" in plan.stepSize;
  const schedule = scheduleOf(relative ? plan.stepSize.relativeToCurvature : plan.stepSize);
  const curvature = () => adaptation?.curvature(z.size) ?? layout.rows / noise.variance;
  let models = 0;
  let t = 0;

  const moveNoise = plan.noise.known
    ? undefined
    : family.noise?.steps(rng.split(CHAIN_STREAMS.start), layout.rows);
  const steps = chain({
    rng,
    theta,
    batches,
    gradient: withNoise(
      fisher({
        model: selectionModel({ names: store.names, likelihood, prior, pseudoPrior }),
        kernel,
        z,
        rng: rng.split(CHAIN_STREAMS.latent),
        draws: plan.models,
        moves: plan.moves,
        visit: ({ members, size }) => {
          if (t < burnIn) return;
          const weight = weightAt(schedule, before + t + 1);
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
    stepSize: (at) => valueAt(schedule, before + at) / (relative ? curvature() : 1),
    iterations: iterations ?? plan.iterations,
    after(stepSize, batch) {
      pseudoPrior.advance(stepSize);
      if (!moveNoise) return;
      const squares = kernels.squaredError(z.eta.pointer, batch.target.pointer, batch.rows);
      noise.variance = moveNoise(noise.variance, squares / batch.rows);
    },
  });

  return {
    next() {
      if (informed && adaptation && !round && isRefresh(t)) {
        informed.adapt(adaptation.refresh(z, theta).weights);
      }
      const step = steps.next();
      if (step.done) return false;
      t = step.value.t;
      if (!z.members.subarray(0, z.size).every((j) => Number.isFinite(theta[j]))) {
        throw new SparrowError(
          `The chain diverged in iteration ${t}; make ${option("stepSize")} smaller.`,
          "diverged",
        );
      }
      if (t % plan.thin === 0) {
        sizes.push(z.size);
        const weight = weightAt(schedule, before + t);
        if (t > burnIn && weight > 0) sink.add(before + t, z.members, z.size, theta, weight);
      }
      return true;
    },
    get done() {
      return t;
    },
    result() {
      const members = z.members.slice(0, z.size);
      const needed =
        adaptation &&
        stepNoise(
          { ...common, batches, eta: z.eta, scratch: z.scratch },
          rng.split(CHAIN_STREAMS.stepNoise),
          z,
          theta,
        );
      const values = Float64Array.from(members, (j) => theta[j]);
      return {
        iterations: t,
        models,
        inclusion,
        draws: sink.finish(),
        sizes: Float64Array.from(sizes),
        ...(needed !== undefined && { stepNoise: needed }),
        last: { members, values, noiseVariance: noise.variance },
      };
    },
  };
}

/** In units of the standardised columns. */
const LARGEST_DRIFT = 0.5;

/** After 4, 8, 16, … iterations of the first round: often while the model grows. */
function isRefresh(t: number): boolean {
  return t >= 4 && Number.isInteger(Math.log2(t));
}

function startingModel(plan: SearchPlan, start: ChainState | undefined): Members {
  const members = start?.members ?? Uint32Array.from(plan.always);
  const place = new Int32Array(plan.weights.length).fill(-1);
  members.forEach((j, i) => {
    place[j] = i;
  });
  return { members, place, size: members.length, always: plan.always.length };
}

/** Proposal weights and a step size that follow the model. */
function adaptedTo(
  store: Store,
  arena: Arena,
  plan: SearchPlan,
  { likelihood, prior }: { likelihood: Likelihood; prior: SelectionPrior },
  rng: Rng,
): { refresh(z: Members, theta: Float64Array, settle?: boolean): Residual; curvature(size: number): number } {
  const { blocks, meanSquares } = plan.adaptation!;
  const variables = plan.weights.length;
  const batches = blockBatches(store, plan.scaling, arena, blocks);
  const residual = residualWeights({
    ...{ kernels: store.kernels, likelihood, prior, variables },
    ...{ meanSquares, movable: (j) => plan.weights[j] > 0 },
    intercept: plan.always.includes(variables - 1) ? variables - 1 : undefined,
    vector: () => arena.vector(blocks * store.layout.stride),
  });
  let curvature = 1;
  let measuredAt = 1;
  return {
    refresh(z, theta, settle = false) {
      const batch = batches.draw(rng);
      if (settle) residual.settle(z, theta, batch);
      const looked = residual(z, theta, batch);
      curvature = looked.curvature;
      measuredAt = Math.max(1, z.size);
      return looked;
    },
    // A model that has grown since may have a curvature that has grown in proportion.
    curvature: (size) => curvature * Math.max(1, size / measuredAt),
  };
}

/** The prior over models and coefficients that a plan describes. */
export function priorOf(plan: Pick<SearchPlan, "inclusion" | "slabVariance" | "maxSize">): SelectionPrior {
  const { inclusion, slabVariance, maxSize } = plan;
  return typeof slabVariance === "number"
    ? independentPrior({ inclusion, slabVariance, maxSize })
    : liangPrior({ inclusion, c0: slabVariance.c0, maxSize });
}
