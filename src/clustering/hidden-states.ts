/**
 * A hidden Markov model of one long sequence or of many, sampled by stretches with buffers: the transition matrix, what
 * each state emits, and the states' probabilities along any sequence. Gaussian columns are standardised inside. From
 * 20,000 steps on the chains are anchored at a mode.
 */

import { SparrowError } from "../errors.js";
import { Rng } from "../math/rng.js";
import type { Hmm } from "../models/hmm.js";
import type { StepSizes } from "../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../sampling/streams.js";
import type { Rows } from "../types.js";
import { type Crew, callingThread, type RunningOptions, sharedWith, withPool } from "../workers/crew.js";
import type { Pool } from "../workers/pool.js";
import {
  type StateEmission,
  type StateProblem,
  secondsOfChain,
  stateChainJob,
  stateModel,
} from "./chains/state-chain.js";
import type { Judgement } from "./judgement.js";
import { exchangeableStates } from "./relabel.js";
import { type Estimate, estimate, mapped, type Sampled } from "./sampled.js";
import { type Sequences, sequencesOf, wholeStretch } from "./sequences.js";
import { ITERATIONS, settled } from "./settled.js";
import { rescaled, standardised, type Units } from "./standardised.js";
import { stateProbabilities } from "./state-probabilities.js";
import { type CategoricalBlock, categoricalBlock, type GaussianBlock, gaussianBlock } from "./summary.js";

/** What a state emits: numbers in columns (1 unless told, correlated unless told), or codes 0 … levels − 1. */
export type EmissionOptions =
  | { readonly kind: "gaussian"; readonly columns?: number; readonly covariance?: "diagonal" | "full" }
  | { readonly kind: "categorical"; readonly levels: number };

export interface HiddenStatesOptions extends RunningOptions {
  /** States to look for. */
  readonly states: number;
  /** What a state emits at each step. */
  readonly emission: EmissionOptions;
  /** The same seed gives the same answer; 1 unless told. */
  readonly seed?: number;
  /** Each from a start of its own; 2 unless told, so that they can be compared. */
  readonly chains?: number;
  /** Steps of a stretch that count: a tenth of all, 1000 at most, and 2000 from 20,000 steps on unless told. */
  readonly length?: number;
  /** Steps on either side of a stretch that only inform it; 50 unless told. */
  readonly buffer?: number;
  /** Of each chain; as many as it takes, 3000 to 24,000, unless told. */
  readonly iterations?: number;
  /** Iterations that do not count; a third unless told. */
  readonly burnIn?: number;
  /**
   * Latent paths in one gradient, below 20,000 steps; beyond they are summed out. They share one filter, and the fewer,
   * the larger the error that sets the pace.
   */
  readonly draws?: number;
  /** Relative to the information: see sgfsFull. Draws count by the rule of the schedule. */
  readonly stepSize?: StepSizes;
}

/** Mean and covariance of a Gaussian state, probabilities of a categorical one. */
export interface HiddenState extends Partial<GaussianBlock>, Partial<CategoricalBlock> {
  /** The share of steps spent in it. */
  readonly share: Estimate;
  /** The probabilities of moving to each state. */
  readonly transitions: readonly Estimate[];
}

export interface HiddenStatesResult extends Judgement {
  /** The one with the most steps first. */
  readonly states: readonly HiddenState[];
  /** The run was stopped before its end: this is what was sampled so far. */
  readonly partial?: true;
  /** P(state k at step t | the sequence and the data), step after step. */
  probabilities(sequence: Rows["values"]): Float64Array;
}

/** `values` is one sequence or a list of them, step after step and within a step column after column. */
export async function hiddenStates(
  values: Rows["values"] | readonly Rows["values"][],
  options: HiddenStatesOptions,
  crew: Crew = callingThread,
): Promise<HiddenStatesResult> {
  const { states, seed = 1, chains = 2, buffer = 50 } = options;
  const { length, iterations, burnIn, stepSize, draws: m = 4, threads } = options;
  const emission = complete(options.emission);
  const columns = emission.kind === "gaussian" ? emission.columns : 1;
  const given = sequencesOf(values, columns, checkOf(emission));
  const units = emission.kind === "gaussian" ? standardised(given.values, columns) : undefined;
  const data: Sequences = { ...given, values: units?.values ?? given.values };
  const problem: StateProblem = { data, states, emission, length, buffer, draws: m, stepSize };
  const model = stateModel(problem);

  const work = chains * secondsOfChain(problem, iterations ?? ITERATIONS.least);
  const { blocks, draws, ...judged } = await withPool(crew, { chains, threads, work }, (pool) =>
    settled({
      job: stateChainJob,
      problem: { ...problem, data: sharedSequences(pool, data) },
      pool,
      model: exchangeableStates(model),
      chains,
      iterations,
      burnIn,
      rng: Rng.seeded(seed).split(CLUSTER_STREAMS.chains),
      running: options,
      kind: "state",
      describe: (sampled) => described(sampled, model, emission, units),
    }),
  );
  return {
    states: blocks,
    ...judged,
    probabilities(sequence) {
      const one = sequencesOf(sequence, columns, checkOf(emission));
      const standard = units ? rescaled(one.values, units) : one.values;
      return stateProbabilities(model, draws, wholeStretch({ ...one, values: standard }));
    },
  };
}

function sharedSequences(pool: Pool<undefined>, { starts, ...data }: Sequences): Sequences {
  const values = sharedWith(pool, data.values);
  return { ...data, values, ...(starts && { starts: sharedWith(pool, starts) }) };
}

function complete(emission: EmissionOptions): StateEmission {
  if (emission.kind === "categorical") return emission;
  return { kind: "gaussian", columns: emission.columns ?? 1, covariance: emission.covariance ?? "full" };
}

function described(
  draws: Sampled<Float64Array>,
  model: Hmm,
  emission: StateEmission,
  units: Units | undefined,
): HiddenState[] {
  const { states } = model;
  const every = Array.from({ length: states }, (_, k) => k);
  const shares = mapped(draws, exchangeableStates(model).shares);
  const matrices = mapped(draws, (theta) => {
    const matrix = new Float64Array(states * states);
    model.transitions(matrix, theta);
    return matrix;
  });
  const full = emission.kind === "gaussian" && emission.covariance === "full";
  return every.map((k) => ({
    share: estimate(shares, (share) => share[k]),
    transitions: every.map((l) => estimate(matrices, (matrix) => matrix[k * states + l])),
    ...(units
      ? gaussianBlock(draws, model.block(k), full, units)
      : categoricalBlock(draws, model.block(k), model.emission)),
  }));
}

function checkOf(emission: StateEmission): (value: number, step: number, sequence: string) => void {
  if (emission.kind === "gaussian") return () => {};
  const { levels } = emission;
  return (value, step, sequence) => {
    if (Number.isInteger(value) && value >= 0 && value < levels) return;
    throw new SparrowError(
      `Step ${step} of ${sequence} is ${value}: a categorical sequence of ${levels} levels holds codes 0 to ${levels - 1}.`,
    );
  };
}
