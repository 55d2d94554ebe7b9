/**
 * Where chains of a mixture start and at which numbers of clusters are compared: the best of several modes to which EM
 * climbs from first guesses, and then from regroupings of the best one for as long as these are better.
 */

import type { Rng } from "../../math/rng.js";
import type { Mixture } from "../../models/mixture.js";
import { logSimplex } from "../../models/simplex.js";
import type { Rows } from "../../types.js";
import { type ExactMixture, mixtureEm, ofGroups } from "./mixture-exact.js";
import { bestOf, climbing, type Mode } from "./mode.js";
import { GUESSES, type Guess, partition } from "./partition.js";
import { regroupings } from "./regroupings.js";

/** Rows of the short climbs and of the long ones, their steps at most, and how many of each there are. */
const SHORT = { rows: 2000, steps: 15, tries: 12 };
const LONG = { rows: 5000, steps: 300, few: 3 };
/** Steps of a regrouping, how many go on and to how many, and what one must gain in the log of the mass. */
const REGROUPED = { steps: 5, few: 2, more: 20, gain: 1, rounds: 5 };

/** Rows that the smallest cluster has at least where others are parted by them. */
const PARTED = 10;

/** Rows of which a mode is found at most. */
export const MODE_ROWS = LONG.rows;

/** The best of several modes; of many rows, some, other ones for every generator. The rows are in random order. */
export function* mixtureMode(rng: Rng, exact: ExactMixture, data: Rows): Generator<undefined, Mode, void> {
  const tries = exact.model.components === 1 ? 1 : SHORT.tries;
  const few = someOf(rng, data, SHORT.rows);
  const more = someOf(rng, data, LONG.rows);
  const em = mixtureEm(exact, few);
  const short = Array.from({ length: tries }, (_, attempt) => () => {
    const guess = GUESSES[attempt % GUESSES.length];
    return climbing(em, guessed(rng.split(attempt), exact, few, guess), SHORT.steps, exact.shapes);
  });
  const whole = mixtureEm(exact, more);
  const long = (theta: Float64Array) => climbing(whole, theta, LONG.steps, exact.shapes);
  let best = yield* bestOf(short, LONG.few, long);
  for (let round = 0; round < REGROUPED.rounds; round++) {
    // Of a small cluster few rows are too few to part it from another.
    const rows = least(exact.model, few, best.theta) < PARTED ? more : few;
    const other = yield* regrouped(rng.split(tries + round), exact, rows, best.theta);
    if (!other) break;
    const mode = yield* long(other);
    if (mode.value < best.value + REGROUPED.gain) break;
    best = mode;
  }
  return best;
}

/** Rows of the smallest cluster, by its weight. */
function least({ components }: Mixture, { rows }: Rows, theta: Float64Array): number {
  const logs = new Float64Array(components);
  logSimplex(logs, theta, 0);
  return rows * Math.exp(Math.min(...logs));
}

/** A better place than θ for these rows, which has one cluster less here and one more there. */
function* regrouped(
  rng: Rng,
  exact: ExactMixture,
  rows: Rows,
  theta: Float64Array,
): Generator<undefined, Float64Array | undefined, void> {
  const em = mixtureEm(exact, rows);
  const climb = (from: Float64Array, steps: number) => climbing(em, from, steps, exact.shapes);
  const short: (() => Generator<undefined, Mode, void>)[] = [];
  for (const groups of regroupings(rng, exact.model, rows, theta)) {
    short.push(() => climb(ofGroups(exact, rows, groups), REGROUPED.steps));
  }
  if (short.length === 0) return undefined;
  const found = yield* bestOf(short, REGROUPED.few, (from) => climb(from, REGROUPED.more));
  const here = yield* climb(theta, REGROUPED.steps);
  return found.value < here.value + REGROUPED.gain ? undefined : found.theta;
}

/** On all rows, from a mode of some of them. */
export function mixtureRefined(
  exact: ExactMixture,
  data: Rows,
  from: Float64Array,
  steps = LONG.steps,
): Generator<undefined, Mode, void> {
  return climbing(mixtureEm(exact, data), from, steps, exact.shapes, "mode");
}

function someOf(rng: Rng, { rows, columns, values }: Rows, count: number): Rows {
  if (rows <= count) return { rows, columns, weight: 1, values };
  const first = rng.below(rows - count + 1);
  return {
    rows: count,
    columns,
    weight: 1,
    values: values.subarray(first * columns, (first + count) * columns),
  };
}

/** Blocks of rows that are guessed to belong together. */
export function guessed(rng: Rng, exact: ExactMixture, rows: Rows, guess: Guess): Float64Array {
  return ofGroups(exact, rows, partition(rng, rows, exact.model.components, guess));
}
