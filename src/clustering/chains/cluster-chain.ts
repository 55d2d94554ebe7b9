/**
 * One chain of a Gaussian mixture. The rows are standardised and in random order. From 20,000 rows on it is anchored at
 * a mode with the labels summed out, unless there is no mode to speak of.
 */

import { labels } from "../../latent/labels.js";
import { climb, type LogDensity } from "../../math/mode.js";
import type { Rng } from "../../math/rng.js";
import { gaussian } from "../../models/emissions.js";
import { type Mixture, mixture } from "../../models/mixture.js";
import { rowSample } from "../../sampling/row-sample.js";
import { type StepSizes, scheduleOf } from "../../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../../sampling/streams.js";
import type { Model, Rows } from "../../types.js";
import { densityOf, marginalMixture } from "../marginal.js";
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
import { type ChainSteps, chainJob } from "./chain-job.js";
import { gentleSteps, type PlainStanding, plainChain } from "./plain-chain.js";
import { remembered } from "./remembered.js";
import { startingTheta } from "./start.js";

/** Plain data: it crosses threads. */
export interface ClusterProblem {
  readonly values: Rows["values"];
  readonly columns: number;
  readonly components: number;
  readonly covariance: "diagonal" | "full";
  /** Rows of a mini-batch. */
  readonly batch: number | undefined;
  /** Latent draws in one gradient. */
  readonly draws: number;
  readonly stepSize: StepSizes | undefined;
}

type Standing = PlainStanding | AnchoredStanding;

/** What decides the model. */
type Shape = Pick<ClusterProblem, "columns" | "components" | "covariance">;

export const clusterModel = ({ columns, components, covariance }: Shape): Mixture =>
  modelOf({ columns, components, covariance });

const modelOf = remembered(({ columns, components, covariance }: Shape) => {
  const within = components ** (-2 / columns);
  return mixture({ components, emission: gaussian({ columns, covariance, within }) });
});

/**
 * Of a chain without an anchor. A quarter of the rows up to 4000 rows, a hundredth beyond 100,000. The error of the
 * gradient sets the pace: the chain forgets in about weight/2 steps, so the weight (rows over batch) may not be large
 * against the iterations.
 */
function defaultBatch(rows: number): number {
  return Math.max(Math.min(1000, Math.ceil(rows / 4)), Math.ceil(rows / 100));
}

/** Per row, block and number of a block. Measured; about right is enough. */
const SECONDS = 3e-8;

/** About, to decide whether threads are worth their start. */
export function secondsOfChain(problem: ClusterProblem, iterations: number): number {
  const { values, columns, components, batch } = problem;
  const { emission, names } = clusterModel(problem);
  const rows = values.length / columns;
  const size = Math.min(rows, batch ?? (rows < MUCH ? defaultBatch(rows) : ENOUGH));
  const steps = iterations + (rows < MUCH ? 0 : CLIMBING * names.length);
  return SECONDS * steps * size * components * emission.names.length;
}

function* clusterChain(
  problem: ClusterProblem,
  rng: Rng,
  iterations: number,
  stood: Standing | undefined,
): ChainSteps<Standing> {
  const { values, columns, batch, draws, stepSize } = problem;
  const model = clusterModel(problem);
  const marginal = marginalMixture(model);
  const whole = { rows: values.length / columns, columns, weight: 1, values };
  const from = stood ?? (yield* start(rng, model, marginal, whole));
  const steps = { iterations, rng: rng.split(CLUSTER_STREAMS.steps) };
  if ("anchor" in from) {
    const batches = rowSample(values, columns, batch ?? ENOUGH);
    const sizes = stepSize === undefined ? longSteps : scheduleOf(stepSize);
    yield* anchoredChain({ ...steps, model: marginal, batches, stepSize: sizes }, from);
  } else {
    const batches = rowSample(values, columns, batch ?? defaultBatch(whole.rows));
    const sizes = stepSize === undefined ? gentleSteps : scheduleOf(stepSize);
    yield* plainChain({ ...steps, model, kernel: labels(model), batches, stepSize: sizes, draws }, from);
  }
}

export const clusterChainJob = chainJob("cluster chain", clusterChain);

/** k-means leaves some chains in a mode that merges clusters: each takes the best of several modes of a few rows. */
const FEW = 2000;
const TRIES = 5;
/** Newton steps to each. */
const CLIMB = 15;

type Start = { readonly theta: Float64Array } | { readonly anchor: Anchor };

/** An anchor where there is much data and they leave no cluster open; otherwise clusters by k-means. */
function* start(
  rng: Rng,
  model: Mixture,
  marginal: Model<null, Rows>,
  whole: Rows,
): Generator<undefined, Start, void> {
  if (whole.rows >= MUCH) {
    const anchor = yield* anchorFrom(rng.split(CLUSTER_STREAMS.start), model, marginal, whole);
    if (anchor) return { anchor };
  }
  return { theta: startingTheta(rng.split(CLUSTER_STREAMS.start), model, whole) };
}

/** The best mode of a few rows, other ones for every chain, and from there that of all. */
function* anchorFrom(
  rng: Rng,
  model: Mixture,
  marginal: Model<null, Rows>,
  whole: Rows,
): Generator<undefined, Anchor | undefined, void> {
  const first = rng.below(whole.rows - FEW + 1);
  const few = densityOfSome(marginal, whole, first, FEW);
  let best: { theta: Float64Array; value: number } | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const theta = yield* climb(few, startingTheta(rng, model, few.batch, 1), CLIMB);
    const value = few.value(theta);
    if (!best || value > best.value) best = { theta, value };
  }
  return yield* anchorOf(best!.theta, densityOfSome(marginal, whole, 0, MUCH), densityOf(marginal, whole));
}

function densityOfSome(
  model: Model<null, Rows>,
  { rows, columns, values }: Rows,
  first: number,
  count: number,
): LogDensity & { readonly batch: Rows } {
  const some = values.subarray(first * columns, (first + count) * columns);
  const batch = { rows: count, columns, weight: rows / count, values: some };
  return { ...densityOf(model, batch), batch };
}
