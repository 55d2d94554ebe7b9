/** Where a chain of a search stands: its model and coefficients, and the kernels that move them. */

import type { Family, Likelihood } from "../../families/family.js";
import { familyNamed } from "../../families/register.js";
import { absent, informedBirths } from "../../latent/informed-births.js";
import { langevinSpike, type PseudoPrior } from "../../latent/pseudo-prior.js";
import { rjmh } from "../../latent/rjmh.js";
import { isMember, join, type Selection } from "../../latent/selection.js";
import type { Rng } from "../../math/rng.js";
import type { SelectionPrior } from "../../models/priors.js";
import { CHAIN_STREAMS } from "../../sampling/streams.js";
import type { InnerKernel } from "../../types.js";
import type { Workplace } from "../../workers/job.js";
import { type Adaptation, adaptation, startingModel, startingPoint } from "./adaptation.js";
import { type ChainState, priorOf, type SearchPlan } from "./types.js";

export interface SearchState {
  readonly theta: Float64Array;
  readonly z: Selection;
  /** σ², which may move. */
  readonly noise: { variance: number };
  readonly family: Family;
  readonly likelihood: Likelihood;
  readonly prior: SelectionPrior;
  readonly pseudoPrior: PseudoPrior;
  readonly kernel: InnerKernel<Selection>;
  /** Births around one-step estimates, whose weights can be adapted; undefined where births walk. */
  readonly informed: ReturnType<typeof informedBirths> | undefined;
  readonly adaptation: Adaptation | undefined;
}

export function searchState(
  place: Workplace,
  plan: SearchPlan,
  rng: Rng,
  start: ChainState | undefined,
): SearchState {
  const { store, arena } = place;
  const { kernels, layout } = store;
  const variables = plan.weights.length;
  const noise = { variance: start?.noiseVariance ?? plan.noise.variance };
  const family = familyNamed(plan.family);
  const likelihood = family.likelihood(kernels, noise);
  const prior = priorOf(plan);
  const theta = startingPoint(plan, start);
  const adapted =
    plan.adaptation &&
    adaptation(place, plan, plan.adaptation, { likelihood, prior }, rng.split(CHAIN_STREAMS.look));
  const looked = adapted?.refresh(startingModel(plan, start), theta, start !== undefined);
  // Steps follow σ² slowly, while a round may have found a lot.
  if (looked && start && !plan.noise.known) noise.variance = looked.meanSquare;
  const batchRows = plan.batch.by === "blocks" ? plan.batch.blocks * layout.stride : plan.batch.rows;
  const common = {
    kernels,
    likelihood,
    prior,
    weights: looked?.weights ?? plan.weights,
    always: plan.always,
    movesPerBatch: plan.models * plan.moves,
    vector: () => arena.vector(batchRows),
  };
  const informed = plan.births === "informed" ? informedBirths(common) : undefined;
  const pseudoPrior = informed
    ? absent
    : langevinSpike({ variables, variance: plan.spikeVariance, temperature: plan.temperature });
  const kernel = informed ?? rjmh({ ...common, pseudoPrior });
  const z = kernel.init(rng, theta);
  start?.members.forEach((j) => {
    if (!isMember(z, j)) join(z, j);
  });
  return { theta, z, noise, family, likelihood, prior, pseudoPrior, kernel, informed, adaptation: adapted };
}
