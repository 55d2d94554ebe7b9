/** A chain of a mixed model as a job: it brings its data with it, so that any thread can do it. */

import { Rng, type RngState } from "../math/rng.js";
import { BlowUp } from "../sampling/steady.js";
import type { Job } from "../workers/job.js";
import { algorithmS1, anchoredLangevin } from "./chains.js";
import { expandedGibbs } from "./expanded-gibbs.js";
import { augmentationGibbs } from "./gibbs.js";
import type { MixedDesign } from "./model/chart.js";
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
  start(_place, task) {
    const { problem, chain, iterations, burnIn, blown } = task;
    const { thin } = problem.plan;
    const steps = chainOf(task)[Symbol.iterator]();
    const kept: Float64Array[] = [];
    let last: Float64Array | undefined;
    let blowUp: string | undefined;
    let t = 0;
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
      result: () => ({
        kept,
        last: last?.slice(),
        finished: t === iterations,
        ...(blowUp !== undefined && { blowUp }),
      }),
    };
  },
};

function chainOf({ problem, rng: state, factor, from, iterations }: MixedChainTask): Iterable<Float64Array> {
  const { data, design, plan, start, mode } = problem;
  const rng = Rng.restore(state);
  if (plan.method === "gibbs") {
    const begin = from ?? mode?.theta ?? start;
    return design.priors?.law === "half-t"
      ? expandedGibbs(rng, begin, { data, design })
      : augmentationGibbs(rng, begin, { data, design, collapsed: true });
  }
  const settings = { ...plan, iterations, data, design, from, stepSize: plan.stepSize * factor };
  return mode ? anchoredLangevin(rng, mode, settings) : algorithmS1(rng, from ?? start, settings);
}

/** Other threads may be at it. */
function lower(shared: Int32Array, value: number): void {
  for (let seen = Atomics.load(shared, 0); value < seen; ) {
    const before = Atomics.compareExchange(shared, 0, seen, value);
    if (before === seen) return;
    seen = before;
  }
}
