/** A mode of the posterior, and the climb to it by steps of EM. */

import type { Shapes } from "./shapes.js";

export interface Mode {
  readonly theta: Float64Array;
  /** log p(rows | θ) */
  readonly logLikelihood: number;
  /**
   * By which modes are compared: the log posterior density there, with what counts of the shapes of its clusters; see
   * there.
   */
  readonly value: number;
  /** What is left out of the value, because values cannot show it. */
  readonly sharpness: number;
}

/** Writes the next θ over the one given; of the one given, log likelihood, log posterior and the rows of each block. */
export type EmStep = (theta: Float64Array) => {
  readonly logLikelihood: number;
  readonly logPosterior: number;
  readonly rows: Float64Array;
};

/** In units of log posterior: what a start may still gain in a step, and what a mode that is reported may. */
const STILL = { start: 0.01, mode: 1e-4 };

/** Undefined now and then, so that it can be stopped. */
export function* climbing(
  step: EmStep,
  from: Float64Array,
  most: number,
  shapes: Shapes,
  until: keyof typeof STILL = "start",
): Generator<undefined, Mode, void> {
  const theta = from.slice();
  let before = theta.slice();
  let last: ReturnType<EmStep> | undefined;
  for (let round = 0; ; round++) {
    before = theta.slice();
    const now = step(theta);
    yield undefined;
    const still = last && Math.abs(now.logPosterior - last.logPosterior) < STILL[until];
    last = now;
    if (!still && round < most) continue;
    const sharpness = shapes.sharpness(before, now.rows);
    const value = now.logPosterior + shapes.volume(before) - sharpness;
    return { theta: before, logLikelihood: now.logLikelihood, value, sharpness };
  }
}

/** Runs the short climbs, and the best few of them to their ends; the best of these. */
export function* bestOf(
  short: readonly (() => Generator<undefined, Mode, void>)[],
  few: number,
  long: (theta: Float64Array) => Generator<undefined, Mode, void>,
): Generator<undefined, Mode, void> {
  const found: Mode[] = [];
  for (const climb of short) found.push(yield* climb());
  found.sort((a, b) => b.value - a.value);
  let best: Mode | undefined;
  for (const { theta } of found.slice(0, few)) {
    const mode = yield* long(theta);
    if (!best || mode.value > best.value) best = mode;
  }
  return best!;
}
