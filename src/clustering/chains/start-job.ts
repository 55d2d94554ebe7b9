/** Where a chain starts, as a job: a climb to a mode, which may be stopped between two steps. */

import { Rng, type RngState } from "../../math/rng.js";
import type { Job } from "../../workers/job.js";
import type { Mode } from "../exact/mode.js";

export interface StartTask<D> {
  readonly problem: D;
  /** The chain's own stream. */
  readonly rng: RngState;
}

/** Undefined where it was stopped. */
export type StartJob<D> = Job<StartTask<D>, Mode | undefined, unknown>;

export function startJob<D>(
  name: string,
  climb: (problem: D, rng: Rng) => Generator<undefined, Mode, void>,
): StartJob<D> {
  return {
    name,
    start(_place, { problem, rng }) {
      const steps = climb(problem, Rng.restore(rng));
      let found: Mode | undefined;
      return {
        next() {
          const { done, value } = steps.next();
          if (done) found = value;
          return !done;
        },
        done: 0,
        result: () => found,
      };
    },
  };
}

/** A mode that is lower than another by this holds a share of the posterior that nobody would miss. */
const NEGLIGIBLE = 10;

/** Where each chain begins: at its own mode, or at the best of all where its own is out of the question. */
export function beginnings(modes: readonly Mode[]): readonly { readonly begin: Float64Array }[] {
  const best = modes.reduce((a, b) => (b.value > a.value ? b : a));
  return modes.map((mode) => ({ begin: (best.value - mode.value > NEGLIGIBLE ? best : mode).theta }));
}
