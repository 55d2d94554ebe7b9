/** What a search is told and what it leaves behind. Plain data: it crosses threads and is recorded. */

import type { SparseDraws } from "../../draws/sparse-draws.js";
import type { FamilyName } from "../../families/register.js";
import type { IntegratorName } from "../../integrators/named.js";
import { independentPrior, liangPrior, type SelectionPrior } from "../../models/priors.js";
import type { StepSizes } from "../../sampling/schedule.js";
import type { Scaling } from "../../store/batch/scaling.js";

/** Everything that determines a chain, apart from the data. */
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
  /** Of all rows, for a Gaussian: what a look at the empty model would find. */
  readonly known?: KnownMeans;
  /** The same with the constant freed, where rows have weights. */
  readonly aboutMeans?: KnownMeans;
}

/** As the search sees columns and target. */
export interface KnownMeans {
  /** Of x_j². */
  readonly squares: Float64Array;
  /** Of x_j·y. */
  readonly products: Float64Array;
  /** Of y². */
  readonly target: number;
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

/** The first round after which batches may grow: early models are far from settled, and what they call firm is not. */
export const SIZED = 2;

export interface ChainOutput {
  readonly iterations: number;
  /** Models counted after burn-in, and how many of them held each variable; each by the weight of its step. */
  readonly models: number;
  readonly inclusion: Float64Array;
  readonly draws: SparseDraws;
  /** Model size after each thinned iteration, burn-in included. */
  readonly sizes: Float64Array;
  /** How many times larger batches would have to be for the noise of the model step; see `step-noise.ts`. From SIZED on. */
  readonly stepNoise?: number;
  /** The model at the end: all there is of a chain that was stopped in its burn-in. */
  readonly last: ChainState;
}

/** The prior over models and coefficients that a plan describes. */
export function priorOf(plan: Pick<SearchPlan, "inclusion" | "slabVariance" | "maxSize">): SelectionPrior {
  const { inclusion, slabVariance, maxSize } = plan;
  return typeof slabVariance === "number"
    ? independentPrior({ inclusion, slabVariance, maxSize })
    : liangPrior({ inclusion, c0: slabVariance.c0, maxSize });
}
