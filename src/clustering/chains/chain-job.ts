/**
 * A chain as a job: run on to a given iteration, from its start or from where it stood. It brings its data with it, so
 * any thread can do it, and each part of a chain may be done by another one.
 */

import { Rng, type RngState } from "../../math/rng.js";
import type { Job } from "../../workers/job.js";

/** What is asked: `D` is the problem, `S` where a chain stands. Plain data: it crosses threads. */
export interface ChainTask<D, S> {
  readonly problem: D;
  /** The chain's own stream. */
  readonly rng: RngState;
  /** Undefined for a chain that has not begun. */
  readonly from: { readonly t: number; readonly standing: S } | undefined;
  /** Iterations to reach. */
  readonly to: number;
  /** Every so many draws are kept. */
  readonly every: number;
}

export interface ChainPart<S> {
  readonly kept: readonly Kept[];
  /** Where the chain stands now; undefined where it was stopped before its first iteration. */
  readonly now: { readonly t: number; readonly standing: S } | undefined;
}

export interface Kept {
  readonly t: number;
  readonly theta: Float64Array;
  readonly weight: number;
}

export interface ChainDraw<S> extends Kept {
  /** Where the chain stands at this draw, until it is run on. */
  standing(): S;
}

/** Undefined while a chain looks for its start, now and then, so that it can be stopped there, too. */
export type ChainSteps<S> = Generator<ChainDraw<S> | undefined, void, void>;

export type ChainJob<D, S> = Job<ChainTask<D, S>, ChainPart<S>, unknown>;

export function chainJob<D, S>(
  name: string,
  chain: (problem: D, rng: Rng, to: number, from: S | undefined) => ChainSteps<S>,
): ChainJob<D, S> {
  return {
    name,
    start(_place, { problem, rng, from, to, every }, saved) {
      const stood = saved as ChainPart<S> | undefined;
      const steps = chain(problem, Rng.restore(rng), to, (stood?.now ?? from)?.standing);
      const kept: Kept[] = [...(stood?.kept ?? [])];
      const before = from?.t ?? 0;
      let last: ChainDraw<S> | undefined;
      const soFar = (): ChainPart<S> => ({
        kept,
        now: last ? { t: last.t, standing: last.standing() } : (stood?.now ?? from),
      });
      return {
        next() {
          const { done, value } = steps.next();
          if (done) return false;
          if (!value) return true;
          last = value;
          const { t, theta, weight } = value;
          if (t % every === 0 && weight > 0) kept.push({ t, theta: theta.slice(), weight });
          return t < to;
        },
        get done() {
          return (last?.t ?? stood?.now?.t ?? before) - before;
        },
        result: soFar,
        // A chain that still looks for its start has nothing to go on from.
        save: () => (last ? soFar() : stood),
      };
    },
  };
}
