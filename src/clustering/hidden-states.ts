/**
 * A hidden Markov model of one long sequence or of many: the transition matrix, what each state emits, the states'
 * probabilities along any sequence and the most probable path. Gaussian columns are standardised inside. Each chain
 * begins at the best of several modes; below 20,000 steps it sweeps over all steps, exactly, and from there on takes
 * stretches with buffers, anchored at its mode.
 */

import { SparrowError } from "../errors.js";
import { Rng } from "../math/rng.js";
import type { Hmm } from "../models/hmm.js";
import type { StepSizes } from "../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../sampling/streams.js";
import type { Rows } from "../types.js";
import { option } from "../wording.js";
import { type Crew, callingThread, type RunningOptions, sharedWith, withPool } from "../workers/crew.js";
import type { Pool } from "../workers/pool.js";
import { MUCH } from "./chains/anchored-chain.js";
import {
  groundOf,
  hasFreeNumbers,
  type StateEmission,
  type StateProblem,
  secondsOfChain,
  stateChainJob,
  stateModel,
  stateStartJob,
  stateWeighJob,
} from "./chains/state-chain.js";
import { checkCount, checkEnough } from "./clusters.js";
import { type CovarianceShape, layoutOf } from "./exact/gaussian-blocks.js";
import { resolution } from "./exact/resolution.js";
import type { Judgement, Telling } from "./judgement.js";
import { type Exchangeable, sharesOf, withMemory } from "./names/exchangeable.js";
import { exchangeableStates } from "./names/exchangeable-states.js";
import { witnessesOf } from "./names/witnesses.js";
import { type Narrow, narrowIn } from "./narrow.js";
import { refuseColumns } from "./refuse-columns.js";
import { type Estimate, estimate, estimatedShare, mapped, type Sampled } from "./sampled.js";
import { type Sequences, sequencesOf, wholeStretch } from "./sequences.js";
import { settledByEither } from "./settled-by-either.js";
import { rescaled, standardised, type Units } from "./standardised.js";
import { stateProbabilities } from "./state-probabilities.js";
import { type CategoricalBlock, categoricalBlock, type GaussianBlock, gaussianBlock } from "./summary.js";
import { gaussianQuantities, type Quantity } from "./tables/summary-draws.js";
import { toldApartIn } from "./told-apart.js";
import { mostProbablePath } from "./viterbi.js";

/** What a state emits: numbers in columns (1 unless told, correlated unless told), or codes 0 … levels − 1; NaN is a hole. */
export type EmissionOptions =
  | { readonly kind: "gaussian"; readonly columns?: number; readonly covariance?: CovarianceShape }
  | { readonly kind: "categorical"; readonly levels: number };

export interface HiddenStatesOptions extends RunningOptions {
  /** States to look for. */
  readonly states: number;
  /** What a state emits at each step. */
  readonly emission: EmissionOptions;
  /** The law of the first state of a sequence: learned from many sequences, uniform for one, unless told. */
  readonly initial?: "uniform" | "learned";
  /**
   * Sweeps over all steps, which are exact, or stretches of them: "gibbs" below 20,000 steps, with holes and for
   * spherical and tied covariances, "esgld" otherwise.
   */
  readonly method?: "auto" | "gibbs" | "esgld";
  /** The same seed gives the same answer; 1 unless told. */
  readonly seed?: number;
  /** Each from a start of its own; 2 unless told, so that they can be compared. */
  readonly chains?: number;
  /** Steps of a stretch that count; 2000 unless told. */
  readonly length?: number;
  /** Steps on either side of a stretch that only inform it; 50 unless told. */
  readonly buffer?: number;
  /** Of each chain; as many as it takes, from 600 sweeps or 3000 stretches on, unless told. */
  readonly iterations?: number;
  /** Iterations that do not count; a third unless told. */
  readonly burnIn?: number;
  /** Latent paths in one gradient, where stretches have no anchor. They share one filter. */
  readonly draws?: number;
  /** Of stretches, relative to the information: see sgfsFull. Draws count by the rule of the schedule. */
  readonly stepSize?: StepSizes;
}

/** Mean and covariance of a Gaussian state, probabilities of a categorical one. */
export interface HiddenState extends Partial<GaussianBlock>, Partial<CategoricalBlock> {
  /** The share of the steps of the data spent in it: P(state | data) averaged over them, as the parameters vary. */
  readonly share: Estimate;
  /** The probabilities of moving to each state. */
  readonly transitions: readonly Estimate[];
}

export interface HiddenStatesResult extends Judgement {
  /** The one with the most steps first. */
  readonly states: readonly HiddenState[];
  /** The law of the first state of a sequence, where it was learned. */
  readonly initial?: readonly Estimate[];
  /** How it was sampled. */
  readonly method: "gibbs" | "esgld";
  /** The run was stopped before its end: this is what was sampled so far. */
  readonly partial?: true;
  /** P(state k at step t | the sequence and the data), step after step. */
  probabilities(sequence: Rows["values"]): Float64Array;
  /** The most probable path of a sequence as a whole, at the average of the draws: states from 0. */
  path(sequence: Rows["values"]): Uint16Array;
}

/** `values` is one sequence or a list of them, step after step and within a step column after column. */
export async function hiddenStates(
  values: Rows["values"] | readonly Rows["values"][],
  options: HiddenStatesOptions,
  crew: Crew = callingThread,
): Promise<HiddenStatesResult> {
  return (await stateRun(values, options, crew)).result;
}

export interface StateRun {
  readonly result: HiddenStatesResult;
  readonly draws: Sampled<Float64Array>;
  /** What is reported of a draw, in columns of these names. */
  quantities(names: readonly string[]): Quantity[];
}

/** With the draws, for those who keep them. */
export async function stateRun(
  values: Rows["values"] | readonly Rows["values"][],
  options: HiddenStatesOptions,
  crew: Crew,
  telling?: Telling,
): Promise<StateRun> {
  const { states, seed = 1, chains = 2, iterations, burnIn, threads } = options;
  checkCount("states", states);
  const { problem, units } = stateProblem(values, options);
  const { data, emission } = problem;
  checkEnough("states", states, data.steps, "steps");
  const model = stateModel(problem);
  const witnesses = witnessesOf.states(data.steps);
  const exchangeable = withMemory(exchangeableStates(model, wholeStretch(data), witnesses));

  const work = chains * secondsOfChain(problem, iterations ?? 1000);
  const { blocks, draws, ...judged } = await withPool(crew, { chains, threads, work }, (pool) =>
    settledByEither({
      job: stateChainJob,
      startJob: stateStartJob,
      weighJob: stateWeighJob,
      isOfSome: false,
      problem: { ...problem, data: sharedSequences(pool, data) },
      seconds: secondsOfChain,
      mayFallBack: (options.method ?? "auto") === "auto",
      method: () => problem.method,
      pool,
      model: exchangeable,
      chains,
      iterations,
      burnIn,
      rng: Rng.seeded(seed).split(CLUSTER_STREAMS.chains),
      running: options,
      telling,
      kind: "state",
      density: hasFreeNumbers(emission) ? groundOf(problem).density : undefined,
      known: (draws) => ({
        ...toldApartIn(exchangeable, "time", draws),
        narrow: narrowStates(draws, model, emission),
      }),
      describe: (sampled) => described(sampled, model, exchangeable, emission, units),
    }),
  );
  const whole = (sequence: Rows["values"]) => {
    const one = sequencesOf([sequence], data.columns, checkOf(emission));
    return wholeStretch({ ...one, values: units ? rescaled(one.values, units) : one.values });
  };
  const result: HiddenStatesResult = {
    states: blocks,
    ...initialLaw(draws, model),
    ...judged,
    probabilities: (sequence) => stateProbabilities(model, draws, whole(sequence)),
    path: (sequence) => mostProbablePath(model, averageOf(draws), whole(sequence)),
  };
  return { result, draws, quantities: (names) => quantitiesOf(model, emission, units, names) };
}

function narrowStates(
  draws: Sampled<Float64Array>,
  { states, block }: Hmm,
  emission: StateEmission,
): Narrow[] {
  if (emission.kind === "categorical") return [];
  const { covariance, floor } = emission;
  return narrowIn(draws, { count: states, block, full: layoutOf(covariance) === "full", floor });
}

function quantitiesOf(
  model: Hmm,
  emission: StateEmission,
  units: Units | undefined,
  names: readonly string[],
): Quantity[] {
  const { states } = model;
  const every = Array.from({ length: states }, (_, k) => k);
  const matrix = new Float64Array(states * states);
  const transitions = every.flatMap((k) =>
    every.map((l) => ({
      name: `move_state${k + 1}_state${l + 1}`,
      of: (theta: Float64Array) => {
        model.transitions(matrix, theta);
        return matrix[k * states + l];
      },
    })),
  );
  if (emission.kind === "gaussian" && units) {
    const full = layoutOf(emission.covariance) === "full";
    const blocks = every.flatMap((k) =>
      gaussianQuantities("state", k, model.block(k), full, { ...units, names }),
    );
    return [...transitions, ...blocks];
  }
  const levels = every.flatMap((k) => {
    const block = model.emission.block(model.block(k));
    return Array.from(block.params.keys(), (v) => ({
      name: `level${v + 1}_state${k + 1}`,
      of: (theta: Float64Array) => {
        block.unpack(theta);
        return Math.exp(block.params[v]);
      },
    }));
  });
  return [...transitions, ...levels];
}

export function stateProblem(
  values: Rows["values"] | readonly Rows["values"][],
  options: Omit<HiddenStatesOptions, keyof RunningOptions>,
): { readonly problem: StateProblem; readonly units: Units | undefined } {
  const { states, length, stepSize, buffer = 50, draws = 4 } = options;
  const { emission: asked } = options;
  const columns = asked.kind === "gaussian" ? (asked.columns ?? 1) : 1;
  const given = sequencesOf(values, columns, checkOf(asked));
  if (asked.kind === "gaussian") refuseColumns(given.values, columns, asked.covariance ?? "full");
  const units = asked.kind === "gaussian" ? standardised(given.values, columns) : undefined;
  const data: Sequences = { ...given, values: units?.values ?? given.values };
  const emission: StateEmission =
    asked.kind === "categorical"
      ? asked
      : {
          ...asked,
          columns,
          covariance: asked.covariance ?? "full",
          floor: [...resolution(data.values, columns)],
        };
  const many = data.starts !== undefined && data.starts.reduce((sum, mark) => sum + mark, 0) > 1;
  const initial = options.initial ?? (many ? "learned" : "uniform");
  const method = methodOf(options, data);
  const problem = { data, states, emission, initial, method, length, buffer, draws, stepSize };
  return { problem, units };
}

function methodOf(
  { method = "auto", emission, length, stepSize }: Omit<HiddenStatesOptions, keyof RunningOptions>,
  { values, steps }: Sequences,
): "gibbs" | "esgld" {
  const { covariance = "full" } = emission.kind === "gaussian" ? emission : {};
  const onlyGibbs =
    layoutOf(covariance) !== covariance
      ? option("covariance", covariance)
      : values.some(Number.isNaN)
        ? "holes in the steps"
        : undefined;
  const asked =
    method !== "auto" ? method : length === undefined && stepSize === undefined ? undefined : "esgld";
  if (asked === "esgld" && onlyGibbs !== undefined) {
    throw new SparrowError(
      `Stretches do not go with ${onlyGibbs}; take ${option("method", "gibbs")}.`,
      "option",
    );
  }
  return asked ?? (onlyGibbs !== undefined || steps < MUCH ? "gibbs" : "esgld");
}

function initialLaw(draws: Sampled<Float64Array>, model: Hmm): { readonly initial?: readonly Estimate[] } {
  if (model.initialAt === undefined) return {};
  const laws = mapped(draws, (theta) => {
    const law = new Float64Array(model.states);
    model.initial(law, theta);
    return law;
  });
  return { initial: Array.from({ length: model.states }, (_, k) => estimate(laws, (law) => law[k])) };
}

export function averageOf({ chains, weights }: Sampled<Float64Array>): Float64Array {
  const draws = chains.flat();
  const mean = new Float64Array(draws[0].length);
  draws.forEach((draw, i) => {
    for (let j = 0; j < mean.length; j++) mean[j] += weights[i] * draw[j];
  });
  return mean;
}

function sharedSequences(pool: Pool<undefined>, data: Sequences): Sequences {
  return { ...data, values: sharedWith(pool, data.values), starts: sharedWith(pool, data.starts) };
}

function* described(
  draws: Sampled<Float64Array>,
  model: Hmm,
  exchangeable: Exchangeable,
  emission: StateEmission,
  units: Units | undefined,
): Iterable<HiddenState> {
  const { states } = model;
  const every = Array.from({ length: states }, (_, k) => k);
  const all = sharesOf(exchangeable, draws.chains.flat());
  const { length } = draws.chains[0];
  const shares = {
    ...draws,
    chains: draws.chains.map((_, c) => all.slice(c * length, (c + 1) * length)),
  };
  const matrices = mapped(draws, (theta) => {
    const matrix = new Float64Array(states * states);
    model.transitions(matrix, theta);
    return matrix;
  });
  const full = emission.kind === "gaussian" && layoutOf(emission.covariance) === "full";
  for (const k of every) {
    yield {
      share: estimatedShare(shares, (share) => share[k]),
      transitions: every.map((l) => estimate(matrices, (matrix) => matrix[k * states + l])),
      ...(units
        ? gaussianBlock(draws, model.block(k), full, units)
        : categoricalBlock(draws, model.block(k), model.emission)),
    };
  }
}

function checkOf(emission: EmissionOptions): (value: number, step: number, sequence: string) => void {
  if (emission.kind === "gaussian") return () => {};
  const { levels } = emission;
  return (value, step, sequence) => {
    if (Number.isNaN(value) || (Number.isInteger(value) && value >= 0 && value < levels)) return;
    throw new SparrowError(
      `Step ${step} of ${sequence} is ${value}: a categorical sequence of ${levels} levels holds codes 0 to ${levels - 1}.`,
    );
  };
}
