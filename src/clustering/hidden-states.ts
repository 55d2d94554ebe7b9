/**
 * A hidden Markov model of one long sequence, sampled by stretches with buffers: the transition matrix, what each state
 * emits, and the states' probabilities along any sequence. Gaussian columns are standardised inside.
 */

import { SparrowError } from "../errors.js";
import { withNoise } from "../gradients/differences.js";
import { sgfsFull } from "../integrators/sgfs-full.js";
import { states as paths } from "../latent/states.js";
import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import { categorical, gaussian } from "../models/emissions.js";
import { type Hmm, hmm } from "../models/hmm.js";
import { mixture } from "../models/mixture.js";
import { shuffled } from "../sampling/row-blocks.js";
import { sample } from "../sampling/sample.js";
import { stretches } from "../sampling/stretches.js";
import type { Rows } from "../types.js";
import { exchangeableStates, relabelled } from "./relabel.js";
import { standardised } from "./standardised.js";
import { startingTheta } from "./start.js";
import { covarianceOf, type Estimate, estimate } from "./summary.js";

export type EmissionSettings =
  | { readonly kind: "gaussian"; readonly columns?: number; readonly covariance?: "diagonal" | "full" }
  | { readonly kind: "categorical"; readonly levels: number };

export interface HiddenStateSettings {
  readonly states: number;
  readonly emission: EmissionSettings;
  readonly seed?: number;
  /** Steps of a stretch that count, and steps on either side that only inform it. */
  readonly length?: number;
  readonly buffer?: number;
  readonly iterations?: number;
  readonly burnIn?: number;
  /** Latent paths in one gradient. They share one filter, and the fewer, the larger the error that sets the pace. */
  readonly draws?: number;
  /** Relative to the information: see sgfsFull. */
  readonly stepSize?: number;
  readonly signal?: AbortSignal;
}

export interface HiddenState {
  /** The share of steps spent in it. */
  readonly share: Estimate;
  /** The probabilities of moving to each state. */
  readonly transitions: readonly Estimate[];
  readonly mean?: readonly Estimate[];
  readonly covariance?: readonly (readonly Estimate[])[];
  readonly probabilities?: readonly Estimate[];
}

const KEPT = 500;
/** A chain does not cross between modes: it starts from the best of several short ones on the opening of the sequence. */
const OPENING = 10_000;
const TRIES = 5;

export function hiddenStates(values: Rows["values"], settings: HiddenStateSettings): HiddenState[] {
  const { states, emission: kind, seed = 1, buffer = 50, signal } = settings;
  const { iterations = 6000, burnIn = Math.floor(iterations / 3), stepSize = 0.1, draws: m = 4 } = settings;
  const rng = Rng.seeded(seed);
  const columns = kind.kind === "gaussian" ? (kind.columns ?? 1) : 1;
  const steps = values.length / columns;
  const { length = Math.max(Math.min(1000, Math.ceil(steps / 4)), Math.ceil(steps / 100)) } = settings;
  const units = kind.kind === "gaussian" ? standardised(values, columns) : undefined;
  const data = units?.values ?? values;
  const covariance = kind.kind === "gaussian" ? (kind.covariance ?? "full") : "full";
  const emission =
    kind.kind === "gaussian"
      ? gaussian({ columns, covariance, within: states ** (-2 / columns) })
      : categorical({ levels: checkedLevels(values, kind.levels) });
  const model = hmm({ states, emission });
  const run = (from: Float64Array, on: Rows["values"], over: number, seeded: Rng) =>
    sample(
      {
        model,
        kernel: paths(model),
        batches: stretches(on, { columns, length: Math.min(length, on.length / columns / 10), buffer }),
        integrator: sgfsFull({ relative: true }),
        stepSize,
        iterations: over,
        theta: from,
        rng: seeded,
        draws: m,
        ...(signal ? { signal } : {}),
      },
      withNoise,
    );

  const opening = data.subarray(0, Math.min(steps, OPENING) * columns);
  let best: { theta: Float64Array; logLikelihood: number } | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const seeded = rng.split(1).split(attempt);
    const from = start(seeded, model, data, columns, kind.kind);
    let last = from;
    for (const { theta } of run(from, opening, 1000, seeded)) last = theta;
    const logLikelihood = likelihood(model, last, opening, columns);
    if (!best || logLikelihood > best.logLikelihood) best = { theta: last, logLikelihood };
  }

  const kept: Float64Array[] = [];
  const every = Math.max(1, Math.floor((iterations - burnIn) / KEPT));
  for (const { t, theta } of run(best!.theta, data, iterations, rng.split(2))) {
    if (t > burnIn && t % every === 0) kept.push(theta.slice());
  }
  if (kept.length === 0) {
    throw new SparrowError(
      `No draws were kept: give more than ${burnIn} iterations, or let the run finish.`,
      "usage",
    );
  }

  const exchangeable = exchangeableStates(model);
  const draws = relabelled(exchangeable, kept);
  const shares = draws.map(exchangeable.shares);
  const matrices = draws.map((theta) => {
    const matrix = new Float64Array(states * states);
    model.transitions(matrix, theta);
    return matrix;
  });
  const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  return upTo(states).map((k) => {
    const common = {
      share: estimate(shares.map((s) => s[k])),
      transitions: upTo(states).map((l) => estimate(matrices.map((a) => a[k * states + l]))),
    };
    const at = model.block(k);
    if (!units) {
      const probabilities = draws.map((theta) => {
        const logs = new Float64Array(emission.size);
        emission.unpack(logs, 0, theta, at);
        return logs.map(Math.exp);
      });
      return {
        ...common,
        probabilities: upTo(emission.size).map((v) => estimate(probabilities.map((p) => p[v]))),
      };
    }
    const { centre, scale } = units;
    const sigmas = draws.map((theta) => covarianceOf(theta, at, columns, covariance === "full"));
    return {
      ...common,
      mean: upTo(columns).map((j) => estimate(draws.map((theta) => centre[j] + scale[j] * theta[at + j]))),
      covariance: upTo(columns).map((i) =>
        upTo(columns).map((j) => estimate(sigmas.map((s) => s[i * columns + j] * scale[i] * scale[j]))),
      ),
    };
  });
}

/** Sticky transitions; Gaussian blocks from clusters of the steps taken as rows, categorical ones at random. */
function start(rng: Rng, model: Hmm, data: Rows["values"], columns: number, kind: string): Float64Array {
  const { states, emission } = model;
  const theta = new Float64Array(model.names.length);
  for (let k = 0; k < states; k++) {
    for (let l = 0; l < states - 1; l++) {
      theta[k * (states - 1) + l] = k === l ? STICKY : k === states - 1 ? -STICKY : 0;
    }
  }
  if (kind === "categorical") {
    for (let j = model.block(0); j < theta.length; j++) theta[j] = normal(rng);
    return theta;
  }
  const asRows = mixture({ components: states, emission });
  const values = shuffled(rng.split(0), data, columns);
  const rows = values.length / columns;
  const blocks = startingTheta(rng.split(1), asRows, { rows, columns, weight: 1, values });
  theta.set(blocks.subarray(asRows.block(0)), model.block(0));
  return theta;
}

function likelihood(model: Hmm, theta: Float64Array, values: Rows["values"], columns: number): number {
  const kernel = paths(model);
  const z = kernel.init(Rng.seeded(0), theta);
  const rows = values.length / columns;
  kernel.enter(z, theta, { rows, columns, weight: 1, values, from: 0, to: rows });
  return Number.isFinite(z.logLikelihood) ? z.logLikelihood : Number.NEGATIVE_INFINITY;
}

/** Log odds of staying against moving to one other state. */
const STICKY = Math.log(4);

function checkedLevels(values: Rows["values"], levels: number): number {
  const bad = values.findIndex((x: number) => !(Number.isInteger(x) && x >= 0 && x < levels));
  if (bad >= 0) {
    throw new SparrowError(
      `Step ${bad + 1} of the sequence is ${values[bad]}: a categorical sequence of ${levels} levels holds codes 0 to ${levels - 1}.`,
    );
  }
  return levels;
}
