/**
 * One chain of a hidden Markov model. Gibbs sweeps go over all steps; mini-batches are stretches with buffers, anchored
 * at a mode with the paths summed out, or where there is no mode to speak of, plain.
 */

import { SparrowError } from "../../errors.js";
import { states as paths } from "../../latent/states.js";
import type { Rng } from "../../math/rng.js";
import { categorical, type Emission } from "../../models/emissions.js";
import { gaussian } from "../../models/gaussian.js";
import { type Hmm, hmm } from "../../models/hmm.js";
import { type StepSizes, scheduleOf } from "../../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../../sampling/streams.js";
import { stretches } from "../../sampling/stretches.js";
import type { Stretch } from "../../types.js";
import { categoricalBlocks } from "../exact/categorical-blocks.js";
import type { ConjugateBlocks } from "../exact/conjugate.js";
import { type CovarianceShape, gaussianBlocks, layoutOf } from "../exact/gaussian-blocks.js";
import { type GibbsStanding, gibbsChain } from "../exact/gibbs-chain.js";
import { type BlocksAsRows, type ExactHmm, hmmMode, hmmSweep } from "../exact/hmm-exact.js";
import { type Ground, type Leaps, leap } from "../exact/leaps.js";
import { gaussianShapes, SHAPELESS } from "../exact/shapes.js";
import { densityOf, marginalHmm } from "../marginal.js";
import { exchangeableStates } from "../names/exchangeable-states.js";
import { witnessesOf } from "../names/witnesses.js";
import { pieces, type Sequences, wholeStretch } from "../sequences.js";
import {
  type Anchor,
  type AnchoredStanding,
  anchoredChain,
  anchorOf,
  CLIMBING,
  ENOUGH,
  longSteps,
  MUCH,
  shortSteps,
} from "./anchored-chain.js";
import { type ChainSteps, chainJob } from "./chain-job.js";
import { gentleSteps, type PlainStanding, plainChain } from "./plain-chain.js";
import { remembered } from "./remembered.js";
import { startJob, wholeJob } from "./start-job.js";
import { type Weighed, type WeighTask, weighed } from "./weigh-job.js";

/** What a state emits; `floor` is the variances that the values cannot show. */
export type StateEmission =
  | {
      readonly kind: "gaussian";
      readonly columns: number;
      readonly covariance: CovarianceShape;
      readonly floor: readonly number[];
    }
  | { readonly kind: "categorical"; readonly levels: number };

/** Plain data: it crosses threads. Gaussian columns are standardised. */
export interface StateProblem {
  readonly data: Sequences;
  readonly states: number;
  readonly emission: StateEmission;
  readonly initial: "uniform" | "learned";
  readonly method: "gibbs" | "esgld";
  /** Steps of a stretch that count, and steps on either side that only inform it. */
  readonly length: number | undefined;
  readonly buffer: number;
  /** Latent paths in one gradient. */
  readonly draws: number;
  readonly stepSize: StepSizes | undefined;
  /** Of sweeps, once chains have drawn enough to know where to. */
  readonly leaps?: Leaps | undefined;
}

/** A mode from which a chain begins, or where it stands. */
export type StateStanding =
  | { readonly begin: Float64Array }
  | GibbsStanding
  | PlainStanding
  | AnchoredStanding;

/** What decides the model. */
type Shape = Pick<StateProblem, "states" | "emission" | "initial">;

export const stateModel = ({ states, emission, initial }: Shape): Hmm =>
  modelOf({ states, emission, initial });

const modelOf = remembered(({ states, emission, initial }: Shape) =>
  hmm({ states, emission: emissionOf(emission), initial }),
);

/** Whether no number of a state follows from others. */
export const hasFreeNumbers = (emission: StateEmission): boolean =>
  emission.kind === "categorical" || layoutOf(emission.covariance) === emission.covariance;

function emissionOf(emission: StateEmission): Emission {
  if (emission.kind === "categorical") return categorical({ levels: emission.levels });
  const { columns, covariance, floor } = emission;
  return gaussian({ columns, covariance: layoutOf(covariance), floor });
}

export function exactStates(problem: Shape): ExactHmm {
  const { states: count, emission } = problem;
  const model = stateModel(problem);
  const { block } = model;
  return {
    model,
    blocks: blocksOf(emission, count, block),
    shapes:
      emission.kind === "categorical"
        ? SHAPELESS
        : gaussianShapes({ count, block }, layoutOf(emission.covariance) === "full", emission.floor),
  };
}

function blocksOf(emission: StateEmission, count: number, block: (k: number) => number): ConjugateBlocks {
  if (emission.kind === "categorical") return categoricalBlocks({ levels: emission.levels, count, block });
  const { columns, covariance: shape, floor } = emission;
  return gaussianBlocks({ columns, count, shape, block, floor: Float64Array.from(floor) });
}

/** Of a chain without an anchor. */
function defaultLength(steps: number): number {
  return Math.max(Math.min(1000, Math.ceil(steps / 4)), Math.ceil(steps / 100));
}

/** Per step, state and number of a state or move from it, in a gradient and in a sweep. About right is enough. */
const SECONDS = { esgld: 2e-8, gibbs: 1e-8 };

/** About, to decide whether threads are worth their start. */
export function secondsOfChain(problem: StateProblem, iterations: number): number {
  const { data, states, length, buffer, method } = problem;
  const { emission, names } = stateModel(problem);
  const numbers = SECONDS[method] * states * (emission.names.length + states);
  if (method === "gibbs") return numbers * iterations * data.steps;
  const rows = Math.min(data.steps, (length ?? ENOUGH) + 2 * buffer);
  return numbers * (iterations + CLIMBING * names.length) * rows;
}

/** Steps on which starts are compared, and on which the best is brought to its end: of more, so many pieces. */
const SOME = { few: 2000, more: 6000, pieces: 20 };

/** The mode from which a chain begins: the best of several. */
export const stateStartJob = startJob("state start", (problem: StateProblem, rng: Rng) =>
  stateMode(rng.split(CLUSTER_STREAMS.start), problem),
);

export function stateMode(rng: Rng, problem: StateProblem): ReturnType<typeof hmmMode> {
  const { data, emission, states } = problem;
  const asRows: BlocksAsRows =
    emission.kind === "gaussian" ? (block) => blocksOf(emission, states, block) : undefined;
  return hmmMode(rng, exactStates(problem), asRows, {
    few: someOf(data, SOME.few),
    more: someOf(data, SOME.more),
  });
}

/** From the first to the last, since states may come late. */
const someOf = (data: Sequences, steps: number): Stretch =>
  wholeStretch(data.steps <= steps ? data : pieces(data, SOME.pieces, steps / SOME.pieces));

/** Every chain has found its mode on the same steps. */
export const stateWeighJob = wholeJob(
  "state weigh",
  function* ({ problem, mode }: WeighTask<StateProblem>): Generator<undefined, Weighed, void> {
    const model = stateModel(problem);
    const common = someOf(problem.data, SOME.more);
    const { emission, states } = problem;
    return yield* weighed(mode, densityOf(marginalHmm(model), common), {
      isFree: hasFreeNumbers(emission) && !common.values.some(Number.isNaN),
      seconds: SECONDS.esgld * states * (model.emission.names.length + states) * common.rows,
    });
  },
);

function* stateChain(
  problem: StateProblem,
  rng: Rng,
  iterations: number,
  stood: StateStanding | undefined,
): ChainSteps<StateStanding> {
  if (!stood) throw new RangeError("a chain of states begins at a mode");
  const own = rng.split(CLUSTER_STREAMS.steps);
  const { data, length, buffer, draws, stepSize } = problem;
  if (problem.method === "gibbs") {
    const exact = exactStates(problem);
    const from = "begin" in stood ? { theta: stood.begin } : (stood as GibbsStanding);
    const sweep = hmmSweep(exact, wholeStretch(data));
    const leaping = problem.leaps && leap(groundOf(problem), problem.leaps);
    yield* gibbsChain(sweep, own, iterations, from, leaping);
    return;
  }
  const model = stateModel(problem);
  const from = "begin" in stood ? yield* anchored(stood.begin, model, data) : stood;
  if ("anchor" in from) {
    const batches = stretches(data.values, {
      ...data,
      length: Math.min(data.steps, length ?? ENOUGH),
      buffer,
    });
    const usual = data.steps < MUCH ? shortSteps : longSteps;
    const sizes = stepSize === undefined ? usual : scheduleOf(stepSize);
    const settings = { model: marginalHmm(model), batches, stepSize: sizes, iterations, rng: own };
    yield* anchoredChain(settings, from);
  } else if ("sweeps" in from) {
    throw new SparrowError("A chain of sweeps cannot go on by mini-batches.");
  } else {
    const sizes = stepSize === undefined ? gentleSteps : scheduleOf(stepSize);
    const each = Math.min(length ?? defaultLength(data.steps), Math.ceil(data.steps / 10));
    const batches = stretches(data.values, { ...data, length: each, buffer });
    const settings = { model, kernel: paths(model), batches, stepSize: sizes, iterations, rng: own, draws };
    yield* plainChain(settings, from);
  }
}

/** What tells the names of states, and how probable a place is. */
export function groundOf(problem: StateProblem): Ground {
  const { data } = problem;
  const model = stateModel(problem);
  const whole = wholeStretch(data);
  const { value } = densityOf(marginalHmm(model), whole);
  return { model: exchangeableStates(model, whole, witnessesOf.states(data.steps)), density: value };
}

export const stateChainJob = chainJob("state chain", stateChain);

type Start = { readonly theta: Float64Array } | { readonly anchor: Anchor };

/** On which Newton looks for the mode of a long sequence, before all of it. */
const PIECES = { count: 20, length: 1000 };

/** Without an anchor where there is no mode to speak of. */
function* anchored(theta: Float64Array, model: Hmm, data: Sequences): Generator<undefined, Start, void> {
  const marginal = marginalHmm(model);
  const some = data.steps > PIECES.count * PIECES.length ? pieces(data, PIECES.count, PIECES.length) : data;
  const weighted = { ...wholeStretch(some), weight: data.steps / some.steps };
  const anchor = yield* anchorOf(
    theta,
    densityOf(marginal, weighted),
    densityOf(marginal, wholeStretch(data)),
  );
  return anchor ? { anchor } : { theta };
}
