/**
 * One chain of a hidden Markov model, on stretches with buffers. From 20,000 steps on it is anchored at a mode with the
 * paths summed out, unless there is no mode to speak of.
 */

import { states as paths } from "../../latent/states.js";
import { normal } from "../../math/normal.js";
import { Rng } from "../../math/rng.js";
import { categorical, type Emission, gaussian } from "../../models/emissions.js";
import { type Hmm, hmm } from "../../models/hmm.js";
import { mixture } from "../../models/mixture.js";
import { shuffled } from "../../sampling/row-blocks.js";
import { type StepSizes, scheduleOf } from "../../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../../sampling/streams.js";
import { stretches } from "../../sampling/stretches.js";
import type { Schedule } from "../../types.js";
import { densityOf, marginalHmm } from "../marginal.js";
import { opening, pieces, type Sequences, wholeStretch } from "../sequences.js";
import {
  type Anchor,
  type AnchoredStanding,
  anchoredChain,
  anchorOf,
  CLIMBING,
  ENOUGH,
  longSteps,
  MUCH,
} from "./anchored-chain.js";
import { type ChainDraw, type ChainSteps, chainJob } from "./chain-job.js";
import { gentleSteps, type PlainStanding, plainChain } from "./plain-chain.js";
import { remembered } from "./remembered.js";
import { startingTheta } from "./start.js";

/** What a state emits. */
export type StateEmission =
  | { readonly kind: "gaussian"; readonly columns: number; readonly covariance: "diagonal" | "full" }
  | { readonly kind: "categorical"; readonly levels: number };

/** Plain data: it crosses threads. Gaussian columns are standardised. */
export interface StateProblem {
  readonly data: Sequences;
  readonly states: number;
  readonly emission: StateEmission;
  /** Steps of a stretch that count, and steps on either side that only inform it. */
  readonly length: number | undefined;
  readonly buffer: number;
  /** Latent paths in one gradient. */
  readonly draws: number;
  readonly stepSize: StepSizes | undefined;
}

type Standing = PlainStanding | AnchoredStanding;

/** What decides the model. */
type Shape = Pick<StateProblem, "states" | "emission">;

export const stateModel = ({ states, emission }: Shape): Hmm => modelOf({ states, emission });

const modelOf = remembered(({ states, emission }: Shape) =>
  hmm({ states, emission: emissionOf(emission, states) }),
);

function emissionOf(emission: StateEmission, states: number): Emission {
  if (emission.kind === "categorical") return categorical({ levels: emission.levels });
  const { columns, covariance } = emission;
  return gaussian({ columns, covariance, within: states ** (-2 / columns) });
}

/** Of a chain without an anchor. */
function defaultLength(steps: number): number {
  return Math.max(Math.min(1000, Math.ceil(steps / 4)), Math.ceil(steps / 100));
}

/** Per step, state and number of a state or move from it. Measured; about right is enough. */
const SECONDS = 2e-8;

/** About, to decide whether threads are worth their start. */
export function secondsOfChain(problem: StateProblem, iterations: number): number {
  const { data, states, length, buffer } = problem;
  const { emission, names } = stateModel(problem);
  const rows = Math.min(
    data.steps,
    (length ?? (data.steps < MUCH ? defaultLength(data.steps) : ENOUGH)) + 2 * buffer,
  );
  const start = TRIES * tryIterations(names.length) + (data.steps < MUCH ? 0 : CLIMBING * names.length);
  return SECONDS * (start + iterations) * rows * states * (emission.names.length + states);
}

function* stateChain(
  problem: StateProblem,
  rng: Rng,
  iterations: number,
  stood: Standing | undefined,
): ChainSteps<Standing> {
  const { data, length, buffer, stepSize } = problem;
  const model = stateModel(problem);
  const from = stood ?? (yield* start(rng.split(CLUSTER_STREAMS.start), model, problem));
  const own = rng.split(CLUSTER_STREAMS.steps);
  if ("anchor" in from) {
    const batches = stretches(data.values, { ...data, length: length ?? ENOUGH, buffer });
    const sizes = stepSize === undefined ? longSteps : scheduleOf(stepSize);
    const settings = { model: marginalHmm(model), batches, stepSize: sizes, iterations, rng: own };
    yield* anchoredChain(settings, from);
  } else {
    const sizes = stepSize === undefined ? gentleSteps : scheduleOf(stepSize);
    yield* onPaths(model, problem, { data, stepSize: sizes, iterations, rng: own }, from);
  }
}

export const stateChainJob = chainJob("state chain", stateChain);

/** The plain chain, on all of the data or on a part. */
function onPaths(
  model: Hmm,
  { data: all, length = defaultLength(all.steps), buffer, draws }: StateProblem,
  own: {
    readonly data: Sequences;
    readonly stepSize: Schedule;
    readonly iterations: number;
    readonly rng: Rng;
  },
  from: { readonly theta: Float64Array } | PlainStanding,
): Generator<ChainDraw<PlainStanding>, void, void> {
  const { data, ...rest } = own;
  const batches = stretches(data.values, { ...data, length: Math.min(length, data.steps / 10), buffer });
  return plainChain({ ...rest, model, kernel: paths(model), batches, draws }, from);
}

type Start = { readonly theta: Float64Array } | { readonly anchor: Anchor };

function* start(rng: Rng, model: Hmm, problem: StateProblem): Generator<undefined, Start, void> {
  const theta = yield* bestTheta(rng, model, problem);
  const anchor = yield* anchorFrom(theta, model, problem.data);
  return anchor ? { anchor } : { theta };
}

/** A chain does not cross between modes: it starts from the best of several short ones on the opening of the data. */
const OPENING = 10_000;
const TRIES = 5;
/** Beyond the iterations in which Fisher scoring warms up. */
const tryIterations = (coordinates: number): number => 300 + 10 * coordinates;
const TRY_STEP = 0.1;

function* bestTheta(rng: Rng, model: Hmm, problem: StateProblem): Generator<undefined, Float64Array, void> {
  const beginning = opening(problem.data, Math.min(problem.data.steps, OPENING));
  let best: { theta: Float64Array; logLikelihood: number } | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const own = rng.split(attempt);
    let last = firstTheta(own, model, problem);
    const iterations = tryIterations(last.length);
    const short = { data: beginning, stepSize: TRY_STEP, iterations, rng: own };
    for (const { theta } of onPaths(model, problem, short, { theta: last })) {
      last = theta;
      yield undefined;
    }
    const logLikelihood = likelihood(model, last, beginning);
    if (!best || logLikelihood > best.logLikelihood) best = { theta: last, logLikelihood };
  }
  return best!.theta;
}

/** On which Newton looks for the mode of a long sequence, before all of it. */
const PIECES = { count: 20, length: 1000 };

/** Undefined for few steps, and where there is no mode to speak of. */
function* anchorFrom(
  theta: Float64Array,
  model: Hmm,
  data: Sequences,
): Generator<undefined, Anchor | undefined, void> {
  if (data.steps < MUCH) return undefined;
  const marginal = marginalHmm(model);
  const some = pieces(data, PIECES.count, PIECES.length);
  const weighted = { ...wholeStretch(some), weight: data.steps / some.steps };
  return yield* anchorOf(theta, densityOf(marginal, weighted), densityOf(marginal, wholeStretch(data)));
}

/** Log odds of staying against moving to one other state. */
const STICKY = Math.log(4);

/** Sticky transitions; Gaussian blocks from clusters of the steps taken as rows, categorical ones at random. */
function firstTheta(rng: Rng, model: Hmm, { data, emission: { kind } }: StateProblem): Float64Array {
  const { values, columns } = data;
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
  const all = { rows: rows.length / columns, columns, weight: 1, values: rows };
  const blocks = startingTheta(rng.split(1), asRows, all);
  theta.set(blocks.subarray(asRows.block(0)), model.block(0));
  return theta;
}

function likelihood(model: Hmm, theta: Float64Array, data: Sequences): number {
  const kernel = paths(model);
  const z = kernel.init(Rng.seeded(0), theta);
  kernel.enter(z, theta, wholeStretch(data));
  return Number.isFinite(z.logLikelihood) ? z.logLikelihood : Number.NEGATIVE_INFINITY;
}
