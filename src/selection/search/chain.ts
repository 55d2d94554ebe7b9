/** Algorithm 1 of Song et al. (2020) on a store: one chain, from a plan that can cross threads. */

import { SparrowError } from "../../errors.js";
import { withNoise } from "../../gradients/differences.js";
import { fisher } from "../../gradients/fisher.js";
import { integratorNamed } from "../../integrators/named.js";
import { selectionModel } from "../../latent/selection-model.js";
import { Rng } from "../../math/rng.js";
import { chain } from "../../sampling/chain.js";
import { scheduleOf, valueAt } from "../../sampling/schedule.js";
import { CHAIN_STREAMS, RUN_STREAMS } from "../../sampling/streams.js";
import type { Arena } from "../../store/batch/arena.js";
import { type Batches, blockBatches, rowBatches } from "../../store/batch/batch.js";
import type { Store } from "../../store/store.js";
import { option } from "../../wording.js";
import type { Work } from "../../workers/job.js";
import { chainRecord } from "./record.js";
import { canStand, restoreStanding, type SearchStanding, standingOf } from "./standing.js";
import { type SearchState, searchState } from "./state.js";
import { stepNoise } from "./step-noise.js";
import { type ChainOutput, type SearchPlan, type SearchRound, SIZED } from "./types.js";

export function searchChain(
  store: Store,
  arena: Arena,
  plan: SearchPlan,
  index: number,
  /** A stretch of the chain; without it, all of it. */
  { round, before = 0, iterations = plan.iterations, start }: Partial<SearchRound> = {},
  from?: SearchStanding,
): Work<ChainOutput> {
  const whole = Rng.seeded(plan.seed).split(RUN_STREAMS.chains + index);
  const rng = round ? whole.split(CHAIN_STREAMS.rounds + round) : whole;
  const batches = batchesOf(store, arena, plan);
  const state = searchState({ store, arena }, plan, rng, start);
  if (from) restoreStanding(state, from);
  const { theta, z, noise, likelihood, informed, adaptation } = state;
  const latent = from ? Rng.restore(from.latent) : rng.split(CHAIN_STREAMS.latent);
  const noiseRng = from ? Rng.restore(from.noise) : rng.split(CHAIN_STREAMS.start);
  const relative = typeof plan.stepSize === "object" && "relativeToCurvature" in plan.stepSize;
  const schedule = scheduleOf(relative ? plan.stepSize.relativeToCurvature : plan.stepSize);
  const curvature = () => adaptation?.curvature(z.size) ?? store.layout.rows / noise.variance;
  const record = chainRecord(plan, schedule, before, from?.record);
  let t = from?.chain.t ?? 0;
  let stand: (() => SearchStanding["chain"]) | undefined;

  const steps = chain({
    rng,
    theta,
    from: from && { ...from.chain, state: { ...from.chain.state, theta } },
    adopt: true,
    batches,
    gradient: gradientOf(store, plan, latent, state, (held) => record.visit(t, held)),
    integrator: integratorNamed(plan.integrator, {
      temperature: plan.temperature,
      ...(informed && { limit: LARGEST_DRIFT }),
    }),
    stepSize: (at) => valueAt(schedule, before + at) / (relative ? curvature() : 1),
    iterations,
    after: afterStep(store, plan, noiseRng, state),
  });

  return {
    next() {
      if (informed && adaptation && !round && isRefresh(t, iterations)) {
        informed.adapt(adaptation.refresh(z, theta).weights);
      }
      const step = steps.next();
      if (step.done) return false;
      t = step.value.t;
      stand = step.value.standing as typeof stand;
      const isLost = !z.members.subarray(0, z.size).every((j) => Number.isFinite(theta[j]));
      if (isLost && informed && adaptation) adaptation.startAgain(z, theta);
      else if (isLost) {
        throw new SparrowError(
          `The chain diverged in iteration ${t}; make ${option("stepSize")} smaller.`,
          "diverged",
        );
      }
      record.keep(t, z, theta);
      return true;
    },
    get done() {
      return t;
    },
    ...(canStand(plan, state) && {
      save: () =>
        stand && {
          ...standingOf(state),
          chain: stand(),
          latent: latent.save(),
          noise: noiseRng.save(),
          record: record.save(),
        },
    }),
    result() {
      const members = z.members.slice(0, z.size);
      const look = { kernels: store.kernels, likelihood, batches, eta: z.eta, scratch: z.scratch };
      const sizes = adaptation !== undefined && (round ?? 0) >= SIZED;
      const needed = sizes ? stepNoise(look, rng.split(CHAIN_STREAMS.stepNoise), z, theta) : undefined;
      const values = Float64Array.from(members, (j) => theta[j]);
      return {
        iterations: t,
        ...record.counted(),
        ...(needed !== undefined && { stepNoise: needed }),
        last: { members, values, noiseVariance: noise.variance },
      };
    },
  };
}

function batchesOf(store: Store, arena: Arena, { batch, scaling }: SearchPlan): Batches {
  return batch.by === "blocks"
    ? blockBatches(store, scaling, arena, batch.blocks)
    : rowBatches(store, scaling, arena, batch.rows, batch.replacement);
}

/** The average over the models of an iteration, each of which is shown to `visit`. */
function gradientOf(
  store: Store,
  plan: SearchPlan,
  latent: Rng,
  { likelihood, prior, pseudoPrior, kernel, z }: SearchState,
  visit: (held: { readonly members: Uint32Array; readonly size: number }) => void,
) {
  const model = selectionModel({ names: store.names, likelihood, prior, pseudoPrior });
  return withNoise(fisher({ model, kernel, z, rng: latent, draws: plan.models, moves: plan.moves, visit }), {
    firstCounts: false,
  });
}

/** What moves along with θ: the pseudo-prior of those that sleep, and σ² where it is not known. */
function afterStep(
  { kernels, layout }: Store,
  plan: SearchPlan,
  rng: Rng,
  { family, noise, pseudoPrior, z }: SearchState,
) {
  const moveNoise = plan.noise.known ? undefined : family.noise?.steps(rng, layout.rows);
  return (
    stepSize: number,
    batch: { readonly rows: number; readonly target: { readonly pointer: number } },
  ) => {
    pseudoPrior.advance(stepSize);
    if (!moveNoise) return;
    const squares = kernels.squaredError(z.eta.pointer, batch.target.pointer, batch.rows);
    noise.variance = moveNoise(noise.variance, squares / batch.rows);
  };
}

/** In units of the standardised columns. */
const LARGEST_DRIFT = 0.5;

/** After 4, 8, 16, … iterations of the first round: often while the model grows, but not when the next one is near. */
function isRefresh(t: number, iterations: number): boolean {
  return t >= 4 && Number.isInteger(Math.log2(t)) && 1.5 * t <= iterations;
}
