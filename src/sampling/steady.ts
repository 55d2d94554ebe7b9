/** Step sizes that are too large are found out and halved; what they drew is never a result. */

import { SparrowError } from "../errors.js";
import type { Moment } from "./chain.js";

/** The step size was too large: what has been drawn is worthless. */
export class BlowUp extends Error {
  override readonly name = "BlowUp";
}

/** Passes a chain on, and throws as soon as a coordinate moves further in one step than a sound chain would. */
export function* steady<S extends { readonly theta: Float64Array }>(
  chain: Iterable<Moment<S>>,
  start: Float64Array,
  largestMove: Float64Array,
): Generator<Moment<S>, void, void> {
  const before = start.slice();
  for (const moment of chain) {
    const { theta } = moment.state;
    for (let j = 0; j < before.length; j++) {
      const move = Math.abs(theta[j] - before[j]);
      // Written so that NaN is caught.
      if (!(move <= largestMove[j])) {
        throw new BlowUp(`coordinate ${j} moved by ${move.toPrecision(3)} at iteration ${moment.t}`);
      }
    }
    before.set(theta);
    yield moment;
  }
}

const HALVINGS = 30;

/** Runs `attempt(1)`, and after a blow-up again from the start with ½, ¼, … of the step size, telling `warn`. */
export async function withSteadyStep<T>(
  attempt: (factor: number) => T | Promise<T>,
  warn: (message: string) => void,
): Promise<T> {
  for (let k = 0; k < HALVINGS; k++) {
    try {
      return await attempt(2 ** -k);
    } catch (error) {
      if (!(error instanceof BlowUp)) throw error;
      warn(`The step size was too large (${error.message}): starting again with half of it.`);
    }
  }
  throw new SparrowError("The run blew up at every step size: check the scale of the columns.", "diverged");
}
