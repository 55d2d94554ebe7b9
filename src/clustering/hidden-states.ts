/**
 * A hidden Markov model of one long sequence or of many, sampled by stretches with buffers: the transition matrix, what
 * each state emits, and the states' probabilities along any sequence. Gaussian columns are standardised inside. From
 * 20,000 steps on the chains are anchored at a mode.
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
import { type Draw, sample } from "../sampling/sample.js";
import { type StepSizes, scheduleOf } from "../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../sampling/streams.js";
import { stretches } from "../sampling/stretches.js";
import type { Rows, Schedule } from "../types.js";
import { type Anchor, anchoredChain, anchorOf, ENOUGH, longSteps, MUCH } from "./anchored-chain.js";
import type { Judgement } from "./judgement.js";
import { densityOf, marginalHmm } from "./marginal.js";
import { exchangeableStates } from "./relabel.js";
import { type Estimate, estimate, mapped } from "./sampled.js";
import { opening, pieces, type Sequences, sequencesOf, wholeStretch } from "./sequences.js";
import { gentleSteps, settled } from "./settled.js";
import { rescaled, standardised } from "./standardised.js";
import { startingTheta } from "./start.js";
import { stateProbabilities } from "./state-probabilities.js";
import { type CategoricalBlock, categoricalBlock, type GaussianBlock, gaussianBlock } from "./summary.js";

export type EmissionSettings =
  | { readonly kind: "gaussian"; readonly columns?: number; readonly covariance?: "diagonal" | "full" }
  | { readonly kind: "categorical"; readonly levels: number };

export interface HiddenStateSettings {
  readonly states: number;
  readonly emission: EmissionSettings;
  readonly seed?: number;
  /** Each from a start of its own; 2 unless told, so that they can be compared. */
  readonly chains?: number;
  /** Steps of a stretch that count, and steps on either side that only inform it. */
  readonly length?: number;
  readonly buffer?: number;
  /** Of each chain; as many as it takes, 3000 to 24,000, unless told. */
  readonly iterations?: number;
  /** Iterations that do not count; a third unless told. */
  readonly burnIn?: number;
  /** Latent paths in one gradient, below 20,000 steps; beyond they are summed out. They share one filter, and the fewer, the larger the error that sets the pace. */
  readonly draws?: number;
  /** Relative to the information: see sgfsFull. Draws count by the rule of the schedule. */
  readonly stepSize?: StepSizes;
  readonly signal?: AbortSignal;
}

/** Mean and covariance of a Gaussian state, probabilities of a categorical one. */
export interface HiddenState extends Partial<GaussianBlock>, Partial<CategoricalBlock> {
  /** The share of steps spent in it. */
  readonly share: Estimate;
  /** The probabilities of moving to each state. */
  readonly transitions: readonly Estimate[];
}

export interface HiddenStates extends Judgement {
  /** The one with the most steps first. */
  readonly states: readonly HiddenState[];
  /** P(state k at step t | the sequence and the data), step after step. */
  probabilities(sequence: Rows["values"]): Float64Array;
}

/** A chain does not cross between modes: it starts from the best of several short ones on the opening of the data. */
const OPENING = 10_000;
const TRIES = 5;
/** Beyond the iterations in which Fisher scoring warms up. */
const TRY = { iterations: 300, stepSize: 0.1 };

/** On which Newton looks for the mode of a long sequence, before all of it. */
const PIECES = { count: 20, length: 1000 };

/** `values` is one sequence or a list of them, step after step and within a step column after column. */
export function hiddenStates(
  values: Rows["values"] | readonly Rows["values"][],
  settings: HiddenStateSettings,
): HiddenStates {
  const { states, emission: kind, seed = 1, chains = 2, buffer = 50, signal } = settings;
  const { iterations, burnIn, stepSize, draws: m = 4 } = settings;
  const rng = Rng.seeded(seed);
  const columns = kind.kind === "gaussian" ? (kind.columns ?? 1) : 1;
  const given = sequencesOf(values, columns, checkOf(kind));
  const units = kind.kind === "gaussian" ? standardised(given.values, columns) : undefined;
  const inUnits = (raw: Rows["values"]): Rows["values"] => (units ? rescaled(raw, units) : raw);
  const data: Sequences = { ...given, values: units?.values ?? given.values };
  const full = kind.kind === "gaussian" && kind.covariance !== "diagonal";
  const emission =
    kind.kind === "gaussian"
      ? gaussian({ columns, covariance: full ? "full" : "diagonal", within: states ** (-2 / columns) })
      : categorical({ levels: kind.levels });
  const model = hmm({ states, emission });
  const length =
    settings.length ?? Math.max(Math.min(1000, Math.ceil(data.steps / 4)), Math.ceil(data.steps / 100));
  const run = (
    from: Float64Array,
    on: Sequences,
    over: number,
    steps: Schedule,
    own: Rng,
  ): Generator<Draw, void, void> =>
    sample(
      {
        model,
        kernel: paths(model),
        batches: stretches(on.values, { ...on, length: Math.min(length, on.steps / 10), buffer }),
        integrator: sgfsFull({ relative: true }),
        stepSize: steps,
        iterations: over,
        theta: from,
        rng: own,
        draws: m,
        ...(signal ? { signal } : {}),
      },
      withNoise,
    );

  const beginning = opening(data, Math.min(data.steps, OPENING));
  function start(own: Rng): Float64Array {
    let best: { theta: Float64Array; logLikelihood: number } | undefined;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const seeded = own.split(attempt);
      let last = firstTheta(seeded, model, data, kind.kind);
      const over = TRY.iterations + 10 * last.length;
      for (const { theta } of run(last, beginning, over, TRY.stepSize, seeded)) last = theta;
      const logLikelihood = likelihood(model, last, beginning);
      if (!best || logLikelihood > best.logLikelihood) best = { theta: last, logLikelihood };
    }
    return best!.theta;
  }

  const marginal = marginalHmm(model);
  /** Undefined for few steps, and where there is no mode to speak of. */
  function anchorFrom(theta: Float64Array): Anchor | undefined {
    if (data.steps < MUCH) return undefined;
    const some = pieces(data, PIECES.count, PIECES.length);
    const weighted = { ...wholeStretch(some), weight: data.steps / some.steps };
    return anchorOf(theta, densityOf(marginal, weighted), densityOf(marginal, wholeStretch(data)));
  }

  const exchangeable = exchangeableStates(model);
  const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  const { blocks, draws, diagnostics, verdict } = settled({
    ...{
      model: exchangeable,
      chains,
      iterations,
      burnIn,
      rng: rng.split(CLUSTER_STREAMS.chains),
      kind: "state",
    },
    chain(own, over) {
      const theta = start(own.split(CLUSTER_STREAMS.start));
      const anchor = anchorFrom(theta);
      if (!anchor) {
        const steps = stepSize === undefined ? gentleSteps : scheduleOf(stepSize);
        return run(theta, data, over, steps, own.split(CLUSTER_STREAMS.steps));
      }
      return anchoredChain({
        ...{ model: marginal, anchor, iterations: over, rng: own.split(CLUSTER_STREAMS.steps), signal },
        batches: stretches(data.values, { ...data, length: settings.length ?? ENOUGH, buffer }),
        stepSize: stepSize === undefined ? longSteps : scheduleOf(stepSize),
      });
    },
    describe(draws): HiddenState[] {
      const shares = mapped(draws, exchangeable.shares);
      const matrices = mapped(draws, (theta) => {
        const matrix = new Float64Array(states * states);
        model.transitions(matrix, theta);
        return matrix;
      });
      return upTo(states).map((k) => ({
        share: estimate(shares, (share) => share[k]),
        transitions: upTo(states).map((l) => estimate(matrices, (matrix) => matrix[k * states + l])),
        ...(units
          ? gaussianBlock(draws, model.block(k), full, units)
          : categoricalBlock(draws, model.block(k), emission)),
      }));
    },
  });
  return {
    ...{ states: blocks, diagnostics, verdict },
    probabilities(sequence) {
      const one = sequencesOf(sequence, columns, checkOf(kind));
      return stateProbabilities(model, draws, wholeStretch({ ...one, values: inUnits(one.values) }));
    },
  };
}

/** Sticky transitions; Gaussian blocks from clusters of the steps taken as rows, categorical ones at random. */
function firstTheta(rng: Rng, model: Hmm, { values, columns }: Sequences, kind: string): Float64Array {
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
  const rows = shuffled(rng.split(0), values, columns);
  const blocks = startingTheta(rng.split(1), asRows, {
    ...{ rows: rows.length / columns, columns, weight: 1, values: rows },
  });
  theta.set(blocks.subarray(asRows.block(0)), model.block(0));
  return theta;
}

/** Log odds of staying against moving to one other state. */
const STICKY = Math.log(4);

function likelihood(model: Hmm, theta: Float64Array, data: Sequences): number {
  const kernel = paths(model);
  const z = kernel.init(Rng.seeded(0), theta);
  kernel.enter(z, theta, wholeStretch(data));
  return Number.isFinite(z.logLikelihood) ? z.logLikelihood : Number.NEGATIVE_INFINITY;
}

function checkOf(kind: EmissionSettings): (value: number, step: number, sequence: string) => void {
  if (kind.kind === "gaussian") return () => {};
  const { levels } = kind;
  return (value, step, sequence) => {
    if (Number.isInteger(value) && value >= 0 && value < levels) return;
    throw new SparrowError(
      `Step ${step} of ${sequence} is ${value}: a categorical sequence of ${levels} levels holds codes 0 to ${levels - 1}.`,
    );
  };
}
