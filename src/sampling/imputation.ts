/**
 * Algorithm S1 as a generator: a mini-batch, its gradient estimate, one step of the integrator, and θ. It ends when
 * its consumer stops asking or when the signal fires, and throws `BlowUp` as soon as a step leaves all proportion.
 */

import { SparrowError } from "../errors.js";
import type { BatchGradient } from "../gradients/imputed.js";
import type { Rng } from "../math/rng.js";
import type { Integrator, Schedule } from "../types.js";
import { valueAt } from "./schedule.js";

export interface ImputationSettings<S extends { readonly theta: Float64Array }> {
  readonly gradient: BatchGradient;
  readonly integrator: Integrator<S>;
  readonly stepSize: Schedule;
  /** The most that each coordinate can move in one sound iteration. */
  readonly largestMove?: Float64Array;
  readonly signal?: AbortSignal | undefined;
}

/** The step size was too large: what has been drawn is worthless. */
export class BlowUp extends Error {
  override readonly name = "BlowUp";
}

/** Yields θ after every iteration: the same array each time, so copy what is to be kept. */
export function* imputation<S extends { readonly theta: Float64Array }>(
  rng: Rng,
  start: Float64Array,
  settings: ImputationSettings<S>,
): Generator<Float64Array, void> {
  const { gradient, integrator, stepSize, largestMove, signal } = settings;
  const state = integrator.init(rng, start.slice());
  const before = start.slice();
  for (let t = 1; !signal?.aborted; t++) {
    gradient.next(rng);
    before.set(state.theta);
    integrator.step(rng, state, gradient, valueAt(stepSize, t));
    for (let j = 0; j < before.length; j++) {
      const move = Math.abs(state.theta[j] - before[j]);
      if (!(move <= (largestMove?.[j] ?? Number.MAX_VALUE))) {
        throw new BlowUp(`coordinate ${j} moved by ${move} at iteration ${t}`);
      }
    }
    yield state.theta;
  }
}

const HALVINGS = 30;

/** Runs `attempt(1)`, and after a blow-up again from the start with ½, ¼, … of the step size, telling `warn`. */
export function withSteadyStep<T>(attempt: (factor: number) => T, warn: (message: string) => void): T {
  for (let k = 0; k < HALVINGS; k++) {
    try {
      return attempt(2 ** -k);
    } catch (error) {
      if (!(error instanceof BlowUp)) throw error;
      warn(`the step size was too large (${error.message}): starting again with half of it`);
    }
  }
  throw new SparrowError(
    `the run blew up even with ${2 ** -HALVINGS} of the step size: check the scale of the columns`,
  );
}
