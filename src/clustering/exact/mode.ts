/** A mode of the posterior, and the climb to it by steps of EM. */

export interface Mode {
  readonly theta: Float64Array;
  /** log p(rows | θ) */
  readonly logLikelihood: number;
  /**
   * By which modes are compared: the log posterior density there, and half the log determinant of every covariance,
   * since what counts is the mass about a mode, and a mean is as uncertain as its cluster is wide. A cluster on a
   * handful of rows that happen to lie in a plane is high and narrow.
   */
  readonly value: number;
}

/** Writes the next θ over the one given, and returns the log likelihood and the log posterior of the one given. */
export type EmStep = (theta: Float64Array) => {
  readonly logLikelihood: number;
  readonly logPosterior: number;
};

/** In units of log posterior: what a start may still gain in a step, and what a mode that is reported may. */
const STILL = { start: 0.01, mode: 1e-4 };

/** Undefined now and then, so that it can be stopped. */
export function* climbing(
  step: EmStep,
  from: Float64Array,
  most: number,
  volume: (theta: Float64Array) => number,
  until: keyof typeof STILL = "start",
): Generator<undefined, Mode, void> {
  const theta = from.slice();
  let before = theta.slice();
  let last = { logLikelihood: Number.NEGATIVE_INFINITY, logPosterior: Number.NEGATIVE_INFINITY };
  for (let round = 0; ; round++) {
    before = theta.slice();
    const now = step(theta);
    yield undefined;
    const still = Math.abs(now.logPosterior - last.logPosterior) < STILL[until];
    last = now;
    if (still || round >= most) break;
  }
  return { theta: before, logLikelihood: last.logLikelihood, value: last.logPosterior + volume(before) };
}

/** ½Σ log|Σ_k| of Gaussian blocks in d columns. */
export function logVolume(
  theta: Float64Array,
  d: number,
  count: number,
  block: (k: number) => number,
): number {
  let sum = 0;
  for (let k = 0; k < count; k++) for (let j = 0; j < d; j++) sum -= theta[block(k) + d + j];
  return sum;
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
