/** A chain of a mixed model as a job: it brings its data with it, so that any thread can do it. */

import { Rng, type RngState } from "../math/rng.js";
import { BlowUp } from "../sampling/steady.js";
import type { Job, Work } from "../workers/job.js";
import { algorithmS1, anchoredLangevin, type LangevinStanding } from "./chains.js";
import { expandedGibbs } from "./expanded-gibbs.js";
import { augmentationGibbs } from "./gibbs.js";
import { layoutOf, type MixedDesign } from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import type { MixedPlan } from "./options.js";
import type { Anchor } from "./start.js";

/** Plain data: it crosses threads. */
export interface MixedProblem {
  /** In standard coordinates; what the groups are called is of no interest here. */
  readonly data: CrossProducts;
  readonly design: MixedDesign;
  readonly plan: MixedPlan;
  /** θ of least squares, and the posterior mode where chains begin there. */
  readonly start: Float64Array;
  readonly mode: Anchor | undefined;
}

export interface MixedChainTask {
  readonly problem: MixedProblem;
  readonly chain: number;
  readonly rng: RngState;
  /** Where the chain was when the round before this one ended. */
  readonly from: Float64Array | undefined;
  /** Iterations of this round, and how many of them are discarded. */
  readonly iterations: number;
  readonly burnIn: number;
  /** What is left of the step size. */
  readonly factor: number;
  /** One number that all chains share: the first of them that blew up, or as many as there are. */
  readonly blown: Int32Array;
}

export interface MixedChain {
  readonly kept: readonly Float64Array[];
  readonly last: Float64Array | undefined;
  readonly finished: boolean;
  /** Why its draws are worthless. */
  readonly blowUp?: string;
}

export const mixedChainJob: Job<MixedChainTask, MixedChain, unknown> = {
  name: "mixed-chain",
  start: (_place, task, from) =>
    followed(task, task.problem.plan.thin, from, (standing) => chainOf(task, standing)),
};

/** A chain under way: its path, begun where it stood, and what is kept of it. */
export function followed(
  { chain, iterations, burnIn, blown }: Pick<MixedChainTask, "chain" | "iterations" | "burnIn" | "blown">,
  thin: number,
  from: unknown,
  pathFrom: (standing: unknown) => Path,
): Work<MixedChain> {
  const saved = from as Saved | undefined;
  const path = pathFrom(saved?.standing);
  const steps = path[Symbol.iterator]();
  const kept: Float64Array[] = saved ? [...saved.kept] : [];
  let last: Float64Array | undefined = saved?.last;
  let blowUp: string | undefined;
  let t = saved?.t ?? 0;
  return {
    next() {
      // All start again, so that only the chains before one that blew up go on: they may blow up as well, and it is
      // the first of all whose reason is told, however many threads there are.
      if (t === iterations || blowUp !== undefined || Atomics.load(blown, 0) < chain) return false;
      try {
        const { value, done } = steps.next();
        if (done) return false;
        last = value;
        if (++t > burnIn && (t - burnIn) % thin === 0) kept.push(value.slice());
      } catch (error) {
        if (!(error instanceof BlowUp)) throw error;
        blowUp = error.message;
        lower(blown, chain);
      }
      return true;
    },
    get done() {
      return t;
    },
    save: (): Saved => ({ t, kept, last, standing: path.save() }),
    result: () => ({
      kept,
      last: last?.slice(),
      finished: t === iterations,
      ...(blowUp !== undefined && { blowUp }),
    }),
  };
}

/** Where a chain stands: iterations, the draws so far, and what its kind needs to go on. */
interface Saved {
  readonly t: number;
  readonly kept: readonly Float64Array[];
  readonly last: Float64Array | undefined;
  readonly standing: unknown;
}

export interface Path extends Iterable<Float64Array> {
  /** Undefined before the first step: then it begins again. */
  save(): unknown;
}

function chainOf({ problem, rng: state, factor, from, iterations }: MixedChainTask, standing: unknown): Path {
  const { data, design, plan, start, mode } = problem;
  if (plan.method === "gibbs") {
    // Random effects are drawn anew in every sweep: coordinates and random numbers are all there is.
    const saved = standing as { readonly theta: Float64Array; readonly rng: RngState } | undefined;
    const rng = Rng.restore(saved?.rng ?? state);
    let theta = saved?.theta ?? from ?? mode?.theta ?? start;
    const sweeps =
      layoutOf(design).priors.law === "inverse-wishart"
        ? augmentationGibbs(rng, theta, { data, design, collapsed: true })
        : expandedGibbs(rng, theta, { data, design });
    return {
      *[Symbol.iterator]() {
        for (const next of sweeps) {
          theta = next;
          yield next;
        }
      },
      save: () => ({ theta, rng: rng.save() }),
    };
  }
  const rng = Rng.restore(state);
  const settings = { ...plan, iterations, data, design, from, stepSize: plan.stepSize * factor };
  const stood = standing as LangevinStanding | undefined;
  return mode
    ? anchoredLangevin(rng, mode, settings, stood)
    : algorithmS1(rng, from ?? start, settings, stood);
}

/** Other threads may be at it. */
function lower(shared: Int32Array, value: number): void {
  for (let seen = Atomics.load(shared, 0); value < seen; ) {
    const before = Atomics.compareExchange(shared, 0, seen, value);
    if (before === seen) return;
    seen = before;
  }
}
