/** All chains of a plan, begun anew with half the step size as often as one of them blows up. */

import { SparrowError } from "../errors.js";
import { Rng } from "../math/rng.js";
import { BlowUp, withSteadyStep } from "../sampling/steady.js";
import { MIXED_STREAMS } from "../sampling/streams.js";
import { type Crew, sharedWith, withPool } from "../workers/crew.js";
import type { Pool } from "../workers/pool.js";
import { type MixedChainTask, type MixedProblem, mixedChainJob } from "./chain-job.js";
import type { MixedDesign } from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import { marginalMixed } from "./model/marginal.js";
import type { MixedOptions, MixedPlan } from "./options.js";
import { anchor, leastSquares } from "./start.js";

export interface Sampled {
  /** θ of the draws that were kept. */
  readonly chains: readonly (readonly Float64Array[])[];
  readonly partial: boolean;
  readonly halvings: number;
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
}

/** Of an iteration, for each group that it visits: 1 to 2 µs with six random effects. */
const SECONDS_A_GROUP = 2e-6;

export async function sample({ data, design, plan, options, crew }: Sampling): Promise<Sampled> {
  const rng = Rng.seeded(options.seed ?? 1);
  const timing: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    const from = performance.now();
    const out = await work();
    timing[name] = (performance.now() - from) / 1000;
    return out;
  };
  const start = await timed("start", () => leastSquares(data, design));
  const mode = plan.anchored
    ? await timed("mode", () => anchor(rng.split(MIXED_STREAMS.mode), start, marginalMixed(design), data))
    : undefined;

  let halvings = 0;
  const visited = plan.method === "gibbs" ? data.rows.length : plan.batch;
  const work = plan.chains * plan.iterations * visited * SECONDS_A_GROUP;
  const run = await timed("sample", () =>
    withPool(crew, { chains: plan.chains, threads: options.threads, work }, (pool) => {
      const problem: MixedProblem = { data: sharedData(pool, data), design, plan, start, mode };
      return withSteadyStep(
        (factor) => allChains(pool, problem, { rng, factor, options }),
        (message) => {
          halvings++;
          options.onMessage?.(message);
        },
      );
    }),
  );
  return { ...run, halvings, timing };
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

async function allChains(
  pool: Pool<undefined>,
  problem: MixedProblem,
  { rng, factor, options }: { rng: Rng; factor: number; options: MixedOptions },
): Promise<Pick<Sampled, "chains" | "partial">> {
  const { chains, iterations } = problem.plan;
  const { signal, onProgress } = options;
  const blown = sharedWith(pool, Int32Array.of(chains));
  const tasks = Array.from({ length: chains }, (_, chain): MixedChainTask => {
    const own = rng.split(MIXED_STREAMS.chains + chain).save();
    return { problem, chain, rng: own, factor, blown };
  });
  const total = chains * iterations;
  const results = await pool.run(mixedChainJob, tasks, {
    signal,
    onProgress: onProgress && ((done) => onProgress({ stage: "sample", done, total })),
  });
  const first = results.find(({ blowUp }) => blowUp !== undefined);
  if (first?.blowUp !== undefined) throw new BlowUp(first.blowUp);
  const kept = results.flatMap((chain) => (chain.finished || chain.kept.length > 1 ? [chain.kept] : []));
  if (kept.length === 0) throw new SparrowError("Stopped before anything was sampled.", "stopped");
  return { chains: kept, partial: results.some(({ finished }) => !finished) };
}
