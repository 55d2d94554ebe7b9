/**
 * One chain of a Gaussian mixture. The rows are standardised and in random order. Gibbs sweeps go over all of them;
 * mini-batches are anchored at a mode with the labels summed out, or where there is no mode to speak of, plain.
 */

import { SparrowError } from "../../errors.js";
import { labels } from "../../latent/labels.js";
import type { Rng } from "../../math/rng.js";
import { gaussian } from "../../models/gaussian.js";
import { type Mixture, mixture } from "../../models/mixture.js";
import { rowSample } from "../../sampling/row-sample.js";
import { type StepSizes, scheduleOf } from "../../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../../sampling/streams.js";
import type { Rows } from "../../types.js";
import { type CovarianceShape, gaussianBlocks, layoutOf } from "../exact/gaussian-blocks.js";
import { type GibbsStanding, gibbsChain } from "../exact/gibbs-chain.js";
import { type Ground, type Leaps, leap } from "../exact/leaps.js";
import { type ExactMixture, mixtureSweep } from "../exact/mixture-exact.js";
import { MODE_ROWS, mixtureMode, mixtureRefined } from "../exact/mixture-mode.js";
import { gaussianShapes } from "../exact/shapes.js";
import { densityOf, marginalMixture } from "../marginal.js";
import { exchangeableClusters } from "../names/exchangeable.js";
import { witnessesOf } from "../names/witnesses.js";
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

/** Plain data: it crosses threads. */
export interface ClusterProblem {
  readonly values: Rows["values"];
  readonly columns: number;
  readonly components: number;
  readonly covariance: CovarianceShape;
  /** Variances that the values cannot show. */
  readonly floor: readonly number[];
  readonly method: "gibbs" | "esgld";
  /** Rows of a mini-batch. */
  readonly batch: number | undefined;
  /** Latent draws in one gradient. */
  readonly draws: number;
  readonly stepSize: StepSizes | undefined;
  /** Of sweeps, once chains have drawn enough to know where to. */
  readonly leaps?: Leaps | undefined;
}

/** A mode from which a chain begins, or where it stands. */
export type ClusterStanding =
  | { readonly begin: Float64Array }
  | GibbsStanding
  | PlainStanding
  | AnchoredStanding;

/** What decides the model. */
type Shape = Pick<ClusterProblem, "columns" | "components" | "covariance" | "floor">;

export const clusterModel = ({ columns, components, covariance, floor }: Shape): Mixture =>
  modelOf({ columns, components, covariance, floor });

const modelOf = remembered(({ columns, components, covariance, floor }: Shape) =>
  mixture({ components, emission: gaussian({ columns, covariance: layoutOf(covariance), floor }) }),
);

export function exactClusters(problem: Shape): ExactMixture {
  const { columns, components: count, covariance: shape } = problem;
  const model = clusterModel(problem);
  const { block } = model;
  return {
    model,
    blocks: gaussianBlocks({ columns, count, shape, block, floor: Float64Array.from(problem.floor) }),
    shapes: gaussianShapes({ count, block }, layoutOf(shape) === "full", problem.floor),
  };
}

/**
 * Of a chain without an anchor. A quarter of the rows up to 4000 rows, a hundredth beyond 100,000. The error of the
 * gradient sets the pace: the chain forgets in about weight/2 steps, so the weight (rows over batch) may not be large
 * against the iterations.
 */
function defaultBatch(rows: number): number {
  return Math.max(Math.min(1000, Math.ceil(rows / 4)), Math.ceil(rows / 100));
}

/** Per row, block and number of a block, in a gradient and in a sweep. Measured; about right is enough. */
const SECONDS = { esgld: 3e-8, gibbs: 6e-9 };

/** About, to decide whether threads are worth their start. */
export function secondsOfChain(problem: ClusterProblem, iterations: number): number {
  const { values, columns, components, batch, method } = problem;
  const { emission, names } = clusterModel(problem);
  const rows = values.length / columns;
  const numbers = SECONDS[method] * components * emission.names.length;
  if (method === "gibbs") return numbers * iterations * rows;
  const steps = iterations + CLIMBING * names.length;
  return numbers * steps * Math.min(rows, batch ?? ENOUGH);
}

export const wholeOf = ({ values, columns }: ClusterProblem): Rows => ({
  rows: values.length / columns,
  columns,
  weight: 1,
  values,
});

function firstOf({ rows, columns, values }: Rows, most: number): Rows {
  const count = Math.min(rows, most);
  return { rows: count, columns, weight: 1, values: values.subarray(0, count * columns) };
}

/** The mode from which a chain begins: the best of several. */
export const clusterStartJob = startJob("cluster start", (problem: ClusterProblem, rng: Rng) =>
  mixtureMode(rng.split(CLUSTER_STREAMS.start), exactClusters(problem), wholeOf(problem)),
);

/** Whether a mode is one of some rows, which every chain picks for itself. */
export const isOfSomeRows = (rows: number): boolean => rows > MODE_ROWS;

/** Steps of EM by which a mode of other rows comes near that of these. */
const NEARER = 20;

export const clusterWeighJob = wholeJob(
  "cluster weigh",
  function* ({ problem, mode }: WeighTask<ClusterProblem>): Generator<undefined, Weighed, void> {
    const model = clusterModel(problem);
    const common = firstOf(wholeOf(problem), MUCH);
    const nearer = isOfSomeRows(common.rows)
      ? yield* mixtureRefined(exactClusters(problem), common, mode.theta, NEARER)
      : mode;
    const { covariance, components } = problem;
    return yield* weighed(nearer, densityOf(marginalMixture(model), common), {
      isFree: layoutOf(covariance) === covariance && !common.values.some(Number.isNaN),
      seconds: SECONDS.esgld * components * model.emission.names.length * common.rows,
    });
  },
);

function* clusterChain(
  problem: ClusterProblem,
  rng: Rng,
  iterations: number,
  stood: ClusterStanding | undefined,
): ChainSteps<ClusterStanding> {
  if (!stood) throw new RangeError("a chain of clusters begins at a mode");
  const own = rng.split(CLUSTER_STREAMS.steps);
  const whole = wholeOf(problem);
  if (problem.method === "gibbs") {
    const exact = exactClusters(problem);
    const from = "begin" in stood ? { theta: stood.begin } : (stood as GibbsStanding);
    const sweep = mixtureSweep(exact, whole);
    const leaping = problem.leaps && leap(groundOf(problem), problem.leaps);
    yield* gibbsChain(sweep, own, iterations, from, leaping);
    return;
  }
  const { values, columns, batch, draws, stepSize } = problem;
  const model = clusterModel(problem);
  const marginal = marginalMixture(model);
  const from = "begin" in stood ? yield* anchored(stood.begin, model, whole) : stood;
  if ("anchor" in from) {
    const batches = rowSample(values, columns, Math.min(whole.rows, batch ?? ENOUGH));
    const usual = whole.rows < MUCH ? shortSteps : longSteps;
    const sizes = stepSize === undefined ? usual : scheduleOf(stepSize);
    yield* anchoredChain({ iterations, rng: own, model: marginal, batches, stepSize: sizes }, from);
  } else if ("sweeps" in from) {
    throw new SparrowError("A chain of sweeps cannot go on by mini-batches.");
  } else {
    const batches = rowSample(values, columns, batch ?? defaultBatch(whole.rows));
    const sizes = stepSize === undefined ? gentleSteps : scheduleOf(stepSize);
    const settings = { iterations, rng: own, model, kernel: labels(model), batches, stepSize: sizes, draws };
    yield* plainChain(settings, from);
  }
}

/** What tells the names of clusters, and how probable a place is. */
export function groundOf(problem: ClusterProblem): Ground {
  const model = clusterModel(problem);
  const whole = wholeOf(problem);
  const { value } = densityOf(marginalMixture(model), whole);
  const witnesses = witnessesOf.clusters(problem.components, whole.rows);
  return { model: exchangeableClusters(model, whole, witnesses), density: value };
}

export const clusterChainJob = chainJob("cluster chain", clusterChain);

type Start = { readonly theta: Float64Array } | { readonly anchor: Anchor };

/** The mode of all rows, from that of some; without an anchor where the data leave a cluster open. */
function* anchored(theta: Float64Array, model: Mixture, whole: Rows): Generator<undefined, Start, void> {
  const some = { ...firstOf(whole, MUCH), weight: whole.rows / Math.min(whole.rows, MUCH) };
  const marginal = marginalMixture(model);
  const anchor = yield* anchorOf(theta, densityOf(marginal, some), densityOf(marginal, whole));
  return anchor ? { anchor } : { theta };
}
