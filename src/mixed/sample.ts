/**
 * All chains of a plan: begun anew with half the step size as often as one of them blows up, and continued, where nobody
 * said how long they should be, until they agree.
 */

import { Rng } from "../math/rng.js";
import { BlowUp, withSteadyStep } from "../sampling/steady.js";
import { CHAIN_STREAMS, MIXED_STREAMS } from "../sampling/streams.js";
import { type Crew, sharedWith, withPool } from "../workers/crew.js";
import type { Pool } from "../workers/pool.js";
import { type MixedChain, type MixedChainTask, type MixedProblem, mixedChainJob } from "./chain-job.js";
import { layoutOf, type MixedDesign } from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import { marginalMixed } from "./model/marginal.js";
import { type MixedOptions, type MixedPlan, planFor, refuseBatches } from "./options.js";
import { inRounds, type Round } from "./rounds.js";
import { anchor, leastSquares, nearZero } from "./start.js";

export interface Sampled {
  /** θ of the draws that were kept. */
  readonly chains: readonly (readonly Float64Array[])[];
  readonly partial: boolean;
  readonly halvings: number;
  /** The plan that was followed. */
  readonly plan: MixedPlan;
  /** A random effect whose standard deviation may be zero, where mini-batches were asked for all the same. */
  readonly nearZero: string | undefined;
  /** Iterations of each chain, and how many of them were discarded. */
  readonly iterations: number;
  readonly burnIn: number;
  /** Seconds of wall clock. */
  readonly timing: Readonly<Record<string, number>>;
}

export interface Sampling {
  /** In standard coordinates. */
  readonly data: CrossProducts;
  readonly design: MixedDesign;
  readonly plan: MixedPlan;
  readonly options: MixedOptions;
  readonly crew: Crew;
  /** From θ to the numbers that people read, whose diagnostics say when to stop. */
  readonly read: (theta: Float64Array) => Float64Array;
}

/** Of an iteration, for each group that it visits: 1 to 2 µs with six random effects. */
const SECONDS_A_GROUP = 2e-6;

export async function sample({ data, design, plan: asked, options, crew, read }: Sampling): Promise<Sampled> {
  const rng = Rng.seeded(options.seed ?? 1);
  const timing: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    const from = performance.now();
    const out = await work();
    timing[name] = (performance.now() - from) / 1000;
    return out;
  };
  const start = await timed("start", () => leastSquares(data, design));
  const found =
    asked.anchored && asked.method === "esgld"
      ? await timed("mode", () => anchor(rng.split(MIXED_STREAMS.mode), start, marginalMixed(design), data))
      : undefined;
  const zero = found && nearZero(found, layoutOf(design));
  const isFree = options.method === undefined || options.method === "auto";
  const plan = zero !== undefined && isFree ? sweeps(options, data.rows.length, design.random.length) : asked;
  const mode = plan.method === "esgld" ? found : undefined;

  let halvings = 0;
  const visited = plan.method === "gibbs" ? data.rows.length : plan.batch;
  const work = plan.chains * plan.iterations * visited * SECONDS_A_GROUP;
  const run = await timed("sample", () =>
    withPool(crew, { chains: plan.chains, threads: options.threads, work }, (pool) => {
      const problem: MixedProblem = { data: sharedData(pool, data), design, plan, start, mode };
      return withSteadyStep(
        (factor) => allChains(pool, problem, { rng, factor, options, read }),
        (message) => {
          halvings++;
          options.onMessage?.(message);
        },
      );
    }),
  );
  return { ...run, halvings, timing, plan, nearZero: mode && zero };
}

/** Where mini-batches cannot show what there is. */
function sweeps(options: MixedOptions, groups: number, effects: number): MixedPlan {
  refuseBatches(options);
  return planFor({ ...options, method: "gibbs" }, groups, effects);
}

/** One copy for all threads, without the names of the groups. */
function sharedData(pool: Pool<undefined>, data: CrossProducts): CrossProducts {
  return {
    ...data,
    groups: [],
    rows: sharedWith(pool, data.rows),
    values: sharedWith(pool, data.values),
  };
}

interface Running {
  readonly rng: Rng;
  readonly factor: number;
  readonly options: MixedOptions;
  readonly read: Sampling["read"];
}

type Drawn = Pick<Sampled, "chains" | "partial" | "iterations" | "burnIn">;

function allChains(pool: Pool<undefined>, problem: MixedProblem, running: Running): Promise<Drawn> {
  return inRounds<Float64Array, MixedChain>(problem.plan, running.read, (round, before) =>
    oneRound(pool, problem, { ...running, ...round, last: before.map((chain) => chain.last) }),
  );
}

interface ChainRound extends Running, Round {
  readonly last: readonly (Float64Array | undefined)[];
}

async function oneRound(
  pool: Pool<undefined>,
  problem: MixedProblem,
  round: ChainRound,
): Promise<MixedChain[]> {
  const { chains } = problem.plan;
  const { signal, onProgress } = round.options;
  const blown = sharedWith(pool, Int32Array.of(chains));
  const tasks = Array.from({ length: chains }, (_, chain): MixedChainTask => {
    const own = round.rng.split(MIXED_STREAMS.chains + chain);
    return {
      problem,
      chain,
      rng: (round.round === 0 ? own : own.split(CHAIN_STREAMS.rounds + round.round)).save(),
      from: round.last[chain],
      iterations: round.length,
      burnIn: round.burnIn,
      factor: round.factor,
      blown,
    };
  });
  const before = chains * round.done;
  const total = before + chains * round.length;
  const results = await pool.run(mixedChainJob, tasks, {
    signal,
    onProgress: onProgress && ((done) => onProgress({ stage: "sample", done: before + done, total })),
  });
  const first = results.find(({ blowUp }) => blowUp !== undefined);
  if (first?.blowUp !== undefined) throw new BlowUp(first.blowUp);
  return results;
}
