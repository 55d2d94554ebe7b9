/**
 * A mixture on all of its rows at once: labels given θ and θ given labels, each from its exact conditional law (Diebolt
 * and Robert 1994), and EM for the mode from which a chain starts and at which numbers of clusters are compared.
 */

import { labels } from "../../latent/labels.js";
import type { Rng } from "../../math/rng.js";
import type { Mixture } from "../../models/mixture.js";
import type { Rows } from "../../types.js";
import { sharedOut } from "../shares.js";
import type { ConjugateBlocks } from "./conjugate.js";
import { bestOf, climbing, type EmStep, type Mode } from "./mode.js";
import { GUESSES, type Guess, partition } from "./partition.js";
import { renewSimplex } from "./renew-simplex.js";

/** A model and what its blocks are given their rows. */
export interface ExactMixture {
  readonly model: Mixture;
  readonly blocks: ConjugateBlocks;
  /** See `Mode.value`. */
  volume(theta: Float64Array): number;
}

/** Shares below this move no sum that is reported. */
const NOTHING = 1e-10;

/** One sweep, θ to θ. */
export function mixtureSweep(
  { model, blocks }: ExactMixture,
  rows: Rows,
): (rng: Rng, theta: Float64Array) => void {
  const kernel = labels(model);
  const counts = new Float64Array(model.components);
  let z: ReturnType<typeof kernel.init> | undefined;
  return (rng, theta) => {
    z ??= kernel.init(rng, theta);
    kernel.enter(z, theta, rows);
    kernel.step(rng, z, theta, rows);
    counts.fill(0);
    blocks.clear(theta, rng);
    for (let i = 0; i < rows.rows; i++) {
      const k = z.labels[i];
      counts[k] += 1;
      blocks.add(k, 1, rows.values, i * rows.columns);
    }
    renewSimplex(theta, 0, counts, rng);
    blocks.renew(theta, rng);
  };
}

export function mixtureEm({ model, blocks }: ExactMixture, rows: Rows): EmStep {
  const { components } = model;
  const terms = new Float64Array(rows.rows * components);
  const counts = new Float64Array(components);
  return (theta) => {
    model.logTerms(terms, theta, rows);
    const logLikelihood = sharedOut(terms, rows.rows, components);
    const prior = model.logJoint(theta, { labels: [] }, { ...rows, rows: 0 });
    counts.fill(0);
    blocks.clear(theta);
    for (let i = 0; i < rows.rows; i++) {
      for (let k = 0; k < components; k++) {
        const share = terms[i * components + k];
        if (share < NOTHING) continue;
        counts[k] += share;
        blocks.add(k, share, rows.values, i * rows.columns);
      }
    }
    renewSimplex(theta, 0, counts);
    blocks.renew(theta);
    return { logLikelihood, logPosterior: logLikelihood + prior };
  };
}

/** Rows of the short climbs and of the long ones, their steps at most, and how many of each there are. */
const SHORT = { rows: 2000, steps: 15, tries: 12 };
const LONG = { rows: 5000, steps: 300, few: 3 };

/** The best of several modes; of many rows, some, other ones for every generator. The rows are in random order. */
export function* mixtureMode(rng: Rng, exact: ExactMixture, data: Rows): Generator<undefined, Mode, void> {
  const tries = exact.model.components === 1 ? 1 : SHORT.tries;
  const few = someOf(rng, data, SHORT.rows);
  const more = someOf(rng, data, LONG.rows);
  const em = mixtureEm(exact, few);
  const short = Array.from({ length: tries }, (_, attempt) => () => {
    const guess = GUESSES[attempt % GUESSES.length];
    return climbing(em, guessed(rng.split(attempt), exact, few, guess), SHORT.steps, exact.volume);
  });
  const whole = mixtureEm(exact, more);
  return yield* bestOf(short, LONG.few, (theta) => climbing(whole, theta, LONG.steps, exact.volume));
}

/** On all rows, from a mode of some of them. */
export function mixtureRefined(
  exact: ExactMixture,
  data: Rows,
  from: Float64Array,
  steps = LONG.steps,
): Generator<undefined, Mode, void> {
  return climbing(mixtureEm(exact, data), from, steps, exact.volume, "mode");
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

/** Blocks of the rows that are guessed to belong together. */
export function guessed(rng: Rng, { model, blocks }: ExactMixture, rows: Rows, guess: Guess): Float64Array {
  const { components, names } = model;
  const theta = new Float64Array(names.length);
  const guesses = partition(rng, rows, components, guess);
  const counts = new Float64Array(components);
  // Twice, because a mean is first looked for under the covariance of all rows.
  for (let round = 0; round < 2; round++) {
    counts.fill(0);
    blocks.clear(theta);
    for (let i = 0; i < rows.rows; i++) {
      counts[guesses[i]] += 1;
      blocks.add(guesses[i], 1, rows.values, i * rows.columns);
    }
    blocks.renew(theta);
  }
  renewSimplex(theta, 0, counts);
  return theta;
}
