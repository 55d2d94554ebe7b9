/**
 * Model-based clustering of the rows of a matrix: a Gaussian mixture in the units of the data. Inside, the columns are
 * standardised and the rows shuffled once. Each chain begins at the best of several modes; below 20,000 rows it sweeps
 * over all rows, exactly, and from there on takes mini-batches anchored at its mode.
 */

import { SparrowError } from "../errors.js";
import { Rng } from "../math/rng.js";
import type { Mixture } from "../models/mixture.js";
import { shuffled } from "../sampling/row-blocks.js";
import type { StepSizes } from "../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../sampling/streams.js";
import type { Rows } from "../types.js";
import { option } from "../wording.js";
import { type Crew, callingThread, type RunningOptions, sharedWith, withPool } from "../workers/crew.js";
import { MUCH } from "./chains/anchored-chain.js";
import {
  type ClusterProblem,
  clusterChainJob,
  clusterModel,
  clusterStartJob,
  clusterWeighJob,
  groundOf,
  isOfSomeRows,
  secondsOfChain,
} from "./chains/cluster-chain.js";
import { type CovarianceShape, layoutOf } from "./exact/gaussian-blocks.js";
import { resolution } from "./exact/resolution.js";
import type { Judgement, Telling } from "./judgement.js";
import { memberships, predictiveScore } from "./memberships.js";
import { type Exchangeable, exchangeableClusters, withMemory } from "./names/exchangeable.js";
import { witnessesOf } from "./names/witnesses.js";
import { narrowIn } from "./narrow.js";
import { refuseColumns } from "./refuse-columns.js";
import { type Estimate, estimate, mapped, type Sampled } from "./sampled.js";
import { ITERATIONS } from "./settled.js";
import { settledByEither } from "./settled-by-either.js";
import { rescaled, standardised, type Units } from "./standardised.js";
import { type GaussianBlock, gaussianBlock } from "./summary.js";
import { gaussianQuantities, type Quantity } from "./tables/summary-draws.js";
import { toldApartIn } from "./told-apart.js";

export interface ClusterOptions extends RunningOptions {
  /** Columns of the data: the values are row after row. NaN is a hole. */
  readonly columns: number;
  /** Clusters to look for; `compareComponents` helps to choose. */
  readonly components: number;
  /** What clusters may look like; "full" unless told. */
  readonly covariance?: CovarianceShape;
  /**
   * Sweeps over all rows, which are exact, or mini-batches of them: "gibbs" below 20,000 rows, where there are so many
   * numbers to a cluster that it is faster, with holes, and for spherical and tied covariances; "esgld" otherwise.
   */
  readonly method?: "auto" | "gibbs" | "esgld";
  /** The same seed gives the same answer; 1 unless told. */
  readonly seed?: number;
  /** Each from a start of its own; 2 unless told, so that they can be compared. */
  readonly chains?: number;
  /** Rows of a mini-batch; 2000 unless told. */
  readonly batch?: number;
  /** Of each chain; as many as it takes, from 600 sweeps or 3000 mini-batches on, unless told. */
  readonly iterations?: number;
  /** Iterations that do not count; a third unless told. */
  readonly burnIn?: number;
  /** Latent draws in one gradient, where mini-batches have no anchor. */
  readonly draws?: number;
  /** Of mini-batches, relative to the information: see sgfsFull. Draws count by the rule of the schedule. */
  readonly stepSize?: StepSizes;
  /** The share of rows kept apart to score the fit. */
  readonly heldOut?: number;
}

export interface Cluster extends GaussianBlock {
  /** The share of the rows that belong to it. */
  readonly weight: Estimate;
}

export interface ClusterResult extends Judgement {
  /** Heaviest first. */
  readonly clusters: readonly Cluster[];
  /** How it was sampled. */
  readonly method: "gibbs" | "esgld";
  /** The run was stopped before its end: this is what was sampled so far. */
  readonly partial?: true;
  /** How held-out rows were predicted, when rows were held out. */
  readonly score?: PredictiveScore;
  /** P(row i is in cluster k | data) for rows in the units of the data, row after row. */
  membership(values: Rows["values"]): Float64Array;
}

/** Mean log predictive density of a held-out row, and its standard error. */
export interface PredictiveScore {
  /** Larger is better. */
  readonly mean: number;
  /** How far it may be off by the chance of which rows were held out. */
  readonly error: number;
}

export async function clusters(
  values: Rows["values"],
  options: ClusterOptions,
  crew: Crew = callingThread,
): Promise<ClusterResult> {
  return (await clusterRun(values, options, crew)).result;
}

export interface ClusterRun {
  readonly result: ClusterResult;
  readonly draws: Sampled<Float64Array>;
  /** What is reported of a draw, in columns of these names. */
  quantities(names: readonly string[]): Quantity[];
}

/** With the draws, for those who keep them. */
export async function clusterRun(
  values: Rows["values"],
  options: ClusterOptions,
  crew: Crew,
  telling?: Telling,
): Promise<ClusterRun> {
  const { columns, components, covariance = "full", seed = 1, chains = 2, heldOut = 0 } = options;
  const { batch, iterations, burnIn, stepSize, draws: m = 4, threads } = options;
  const rng = Rng.seeded(seed);
  checkCount("components", components);
  refuseColumns(values, columns, covariance);
  const units = standardised(values, columns);
  const data = shuffled(rng.split(CLUSTER_STREAMS.shuffle), units.values, columns);
  const rows = data.length / columns;
  if (rows < 2) throw new SparrowError("One row makes no cluster; give two or more.", "data");
  checkEnough("components", components, rows, "rows");
  const held = Math.floor(heldOut * rows);
  const training = data.subarray(0, (rows - held) * columns);
  const floor = [...resolution(training, columns)];
  const problem: ClusterProblem = {
    values: training,
    columns,
    components,
    covariance,
    floor,
    method: "esgld",
    batch,
    draws: m,
    stepSize,
  };
  const model = clusterModel(problem);
  const whole = { rows: rows - held, columns, weight: 1, values: training };
  const witnesses = witnessesOf.clusters(components, whole.rows);
  const exchangeable = withMemory(exchangeableClusters(model, whole, witnesses));
  const full = layoutOf(covariance) === "full";

  const asked = methodAsked(options, problem);
  const method = asked ?? "gibbs";
  const work = chains * secondsOfChain({ ...problem, method }, iterations ?? 1000);
  const { blocks, draws, ...judged } = await withPool(crew, { chains, threads, work }, (pool) =>
    settledByEither({
      job: clusterChainJob,
      startJob: clusterStartJob,
      weighJob: clusterWeighJob,
      isOfSome: isOfSomeRows(whole.rows),
      problem: { ...problem, values: sharedWith(pool, training) },
      seconds: secondsOfChain,
      mayFallBack: (options.method ?? "auto") === "auto",
      method: (theta) => asked ?? fasterMethod(problem, doubt(exchangeable.claims(theta), components)),
      pool,
      model: exchangeable,
      chains,
      iterations,
      burnIn,
      rng: rng.split(CLUSTER_STREAMS.chains),
      running: options,
      telling,
      kind: "cluster",
      density: layoutOf(covariance) === covariance ? groundOf(problem).density : undefined,
      known: (draws) => ({
        ...toldApartIn(exchangeable, "random", draws),
        narrow: narrowIn(draws, { count: components, block: model.block, full, floor }),
      }),
      *describe(draws): Iterable<Cluster> {
        const shares = mapped(draws, exchangeable.shares);
        for (let k = 0; k < components; k++) {
          yield {
            weight: estimate(shares, (share) => share[k]),
            ...gaussianBlock(draws, model.block(k), full, units),
          };
        }
      },
    }),
  );
  const quantities = (names: readonly string[]): Quantity[] =>
    quantitiesOf(model, exchangeable, full, { ...units, names });
  const result = {
    clusters: blocks,
    ...judged,
    membership(more: Rows["values"]): Float64Array {
      const standard = rescaled(more, units);
      const batch = { rows: standard.length / columns, columns, weight: 1, values: standard };
      return memberships(model, draws, batch);
    },
  };
  if (held === 0) return { result, draws, quantities };
  const rest = { rows: held, columns, weight: 1, values: data.subarray((rows - held) * columns) };
  const logScale = units.scale.reduce((sum, s) => sum + Math.log(s), 0);
  return { result: { ...result, score: predictiveScore(model, draws, rest, logScale) }, draws, quantities };
}

function quantitiesOf(
  { components, block }: Mixture,
  { shares }: Exchangeable,
  full: boolean,
  units: Units & { readonly names: readonly string[] },
): Quantity[] {
  const every = Array.from({ length: components }, (_, k) => k);
  return [
    ...every.map((k) => ({
      name: `weight_cluster${k + 1}`,
      of: (theta: Float64Array) => shares(theta)[k],
    })),
    ...every.flatMap((k) => gaussianQuantities("cluster", k, block(k), full, units)),
  ];
}

export function checkCount(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw new SparrowError(`${option(name)} is ${value}; give a whole number from 1 on.`, "option");
}

/** Each cluster or state may have a row or step of its own at most. */
export function checkEnough(name: string, count: number, rows: number, what: string): void {
  if (count <= rows) return;
  throw new SparrowError(`${option(name, count)} is more than the ${rows} ${what} that there are.`, "option");
}

/** Undefined where it is a question of speed. */
function methodAsked(options: ClusterOptions, problem: ClusterProblem): "gibbs" | "esgld" | undefined {
  const { method = "auto", batch, stepSize } = options;
  const { values, columns, covariance } = problem;
  const onlyGibbs =
    layoutOf(covariance) !== covariance
      ? option("covariance", covariance)
      : values.some(Number.isNaN)
        ? "holes in the rows"
        : undefined;
  const asked =
    method !== "auto" ? method : batch === undefined && stepSize === undefined ? undefined : "esgld";
  if (asked === "esgld" && onlyGibbs !== undefined) {
    throw new SparrowError(
      `Mini-batches do not go with ${onlyGibbs}; take ${option("method", "gibbs")}.`,
      "option",
    );
  }
  return asked ?? (onlyGibbs !== undefined || values.length / columns < MUCH ? "gibbs" : undefined);
}

/** The average share of a row that is in doubt. */
function doubt(claims: Float64Array, components: number): number {
  let sum = 0;
  for (let at = 0; at < claims.length; at += components) {
    let top = 0;
    for (let k = 0; k < components; k++) top = Math.max(top, claims[at + k]);
    sum += 1 - top;
  }
  return (sum * components) / claims.length;
}

/** Sweeps forget the slower, the more rows are in doubt: some 600 do for none, ten times as many for a sixth. */
const SWEEPS = { least: 1000, perDoubt: 60_000 };

function fasterMethod(problem: ClusterProblem, inDoubt: number): "gibbs" | "esgld" {
  const seconds = {
    gibbs: secondsOfChain({ ...problem, method: "gibbs" }, SWEEPS.least + SWEEPS.perDoubt * inDoubt),
    esgld: secondsOfChain({ ...problem, method: "esgld" }, ITERATIONS.least),
  };
  return seconds.gibbs < seconds.esgld ? "gibbs" : "esgld";
}
