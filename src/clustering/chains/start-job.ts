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
  return wholeJob(name, ({ problem, rng }: StartTask<D>) => climb(problem, Rng.restore(rng)));
}

/** Of a job that pauses now and then and is worth nothing until its end: undefined where it was stopped. */
export function wholeJob<I, O>(
  name: string,
  run: (input: I) => Generator<undefined, O, void>,
): Job<I, O | undefined, unknown> {
  return {
    name,
    start(_place, input) {
      const steps = run(input);
      let found: O | undefined;
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
