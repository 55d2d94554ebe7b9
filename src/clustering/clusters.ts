/**
 * Model-based clustering of the rows of a matrix: a Gaussian mixture sampled by mini-batches, in the units of the data.
 * Inside, the columns are standardised and the rows shuffled once. The steps are those of Fisher scoring, because the
 * curvatures of means, factors and weights differ by orders of magnitude; from 20,000 rows on, anchored at a mode.
 */

import { Rng } from "../math/rng.js";
import { shuffled } from "../sampling/row-blocks.js";
import type { StepSizes } from "../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../sampling/streams.js";
import type { Rows } from "../types.js";
import { type Crew, callingThread, type RunningOptions, sharedWith, withPool } from "../workers/crew.js";
import {
  type ClusterProblem,
  clusterChainJob,
  clusterModel,
  secondsOfChain,
} from "./chains/cluster-chain.js";
import type { Judgement } from "./judgement.js";
import { memberships, predictiveScore } from "./memberships.js";
import { exchangeableClusters } from "./relabel.js";
import { type Estimate, estimate, mapped } from "./sampled.js";
import { ITERATIONS, settled } from "./settled.js";
import { rescaled, standardised } from "./standardised.js";
import { type GaussianBlock, gaussianBlock } from "./summary.js";

export interface ClusterOptions extends RunningOptions {
  /** Columns of the data: the values are row after row. */
  readonly columns: number;
  /** Clusters to look for; `compareComponents` helps to choose. */
  readonly components: number;
  /** Whether columns may be correlated inside a cluster; "full" unless told. */
  readonly covariance?: "diagonal" | "full";
  /** The same seed gives the same answer; 1 unless told. */
  readonly seed?: number;
  /** Each from a start of its own; 2 unless told, so that they can be compared. */
  readonly chains?: number;
  /** Rows of a mini-batch: a quarter of few, 1000, and 2000 from 20,000 rows on unless told. */
  readonly batch?: number;
  /** Of each chain; as many as it takes, 3000 to 24,000, unless told. */
  readonly iterations?: number;
  /** Iterations that do not count; a third unless told. */
  readonly burnIn?: number;
  /** Latent draws in one gradient; from 20,000 rows on the labels are summed out. */
  readonly draws?: number;
  /** Relative to the information: see sgfsFull. Draws count by the rule of the schedule. */
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
  const { columns, components, covariance = "full", seed = 1, chains = 2, heldOut = 0 } = options;
  const { batch, iterations, burnIn, stepSize, draws: m = 4, threads } = options;
  const rng = Rng.seeded(seed);
  const units = standardised(values, columns);
  const data = shuffled(rng.split(CLUSTER_STREAMS.shuffle), units.values, columns);
  const rows = data.length / columns;
  const held = Math.floor(heldOut * rows);
  const training = data.subarray(0, (rows - held) * columns);
  const problem = { values: training, columns, components, covariance, batch, draws: m, stepSize };
  const model = clusterModel(problem);
  const exchangeable = exchangeableClusters(model);

  const work = chains * secondsOfChain(problem, iterations ?? ITERATIONS.least);
  const { blocks, draws, ...judged } = await withPool(crew, { chains, threads, work }, (pool) =>
    settled({
      job: clusterChainJob,
      problem: { ...problem, values: sharedWith(pool, training) } satisfies ClusterProblem,
      pool,
      model: exchangeable,
      chains,
      iterations,
      burnIn,
      rng: rng.split(CLUSTER_STREAMS.chains),
      running: options,
      kind: "cluster",
      describe(draws): Cluster[] {
        const shares = mapped(draws, exchangeable.shares);
        return Array.from({ length: components }, (_, k) => ({
          weight: estimate(shares, (share) => share[k]),
          ...gaussianBlock(draws, model.block(k), covariance === "full", units),
        }));
      },
    }),
  );
  const result = {
    clusters: blocks,
    ...judged,
    membership(more: Rows["values"]): Float64Array {
      const standard = rescaled(more, units);
      const batch = { rows: standard.length / columns, columns, weight: 1, values: standard };
      return memberships(model, draws, batch);
    },
  };
  if (held === 0) return result;
  const rest = { rows: held, columns, weight: 1, values: data.subarray((rows - held) * columns) };
  const logScale = units.scale.reduce((sum, s) => sum + Math.log(s), 0);
  return { ...result, score: predictiveScore(model, draws, rest, logScale) };
}
