/** How many clusters? Each number at its mode, by the Bayesian information criterion and by rows that were left out. */

import { Rng } from "../../math/rng.js";
import { shuffled } from "../../sampling/row-blocks.js";
import { CLUSTER_STREAMS } from "../../sampling/streams.js";
import type { Rows } from "../../types.js";
import { type Crew, callingThread, type RunningOptions } from "../../workers/crew.js";
import { type ClusterProblem, secondsOfChain } from "../chains/cluster-chain.js";
import { checkCount } from "../clusters.js";
import type { CovarianceShape } from "../exact/gaussian-blocks.js";
import { resolution } from "../exact/resolution.js";
import { refuseColumns } from "../refuse-columns.js";
import { standardised, type Units } from "../standardised.js";
import { clusterCountJob } from "./count-job.js";
import { counted } from "./counted.js";
import type { NumberChoice, NumberScore } from "./number-choice.js";

export interface CompareComponentsOptions extends RunningOptions {
  /** Columns of the data: the values are row after row. NaN is a hole. */
  readonly columns: number;
  /** The numbers of clusters to compare. */
  readonly counts: readonly number[];
  /** What clusters may look like; "full" unless told. */
  readonly covariance?: CovarianceShape;
  /** The same seed gives the same answer; 1 unless told. */
  readonly seed?: number;
  /** Parts into which the rows are cut, each of which is predicted by the others; 5 unless told. */
  readonly folds?: number;
}

export interface ComponentScore extends NumberScore {
  /** How many clusters. */
  readonly components: number;
}

export interface ComponentComparison extends NumberChoice {
  /** One entry a number, in the order given. */
  readonly scores: readonly ComponentScore[];
  /** Numbers that could not be fitted, and why. */
  readonly failures: readonly { readonly components: number; readonly failure: string }[];
  /** The run was stopped: these are the numbers that were done. */
  readonly partial?: true;
}

export async function compareComponents(
  values: Rows["values"],
  options: CompareComponentsOptions,
  crew: Crew = callingThread,
): Promise<ComponentComparison> {
  const { columns, counts, covariance = "full", seed = 1, folds = 5 } = options;
  for (const count of counts) checkCount("counts", count);
  const rng = Rng.seeded(seed);
  refuseColumns(values, columns, covariance);
  const units = standardised(values, columns);
  const data = shuffled(rng.split(CLUSTER_STREAMS.shuffle), units.values, columns);
  const rows = data.length / columns;
  const shape = { values: data, columns, covariance, floor: [...resolution(data, columns)] };
  const problem = (components: number): ClusterProblem => ({
    ...shape,
    components,
    method: "gibbs",
    batch: undefined,
    draws: 1,
    stepSize: undefined,
  });
  const { scores, failures, ...choice } = await counted({
    job: clusterCountJob,
    kind: "clusters",
    counts,
    problem,
    folds: Math.min(folds, rows),
    rng: rng.split(CLUSTER_STREAMS.chains),
    seconds: counts.reduce((sum, count) => sum + secondsOfChain(problem(count), 300), 0),
    running: options,
    crew,
    observed(scores) {
      const logScales = Float64Array.from({ length: scores }, (_, i) => logScaleOf(data, i, columns, units));
      let logScale = 0;
      for (let i = 0; i < rows; i++) logScale += logScaleOf(data, i, columns, units);
      return { rows, logScale, logScales, sizes: new Float64Array(scores).fill(1) };
    },
  });
  return {
    ...choice,
    scores: scores.map(({ count, ...score }) => ({ components: count, ...score })),
    failures: failures.map(({ count, failure }) => ({ components: count, failure })),
  };
}

/** log of the factor between densities in standardised columns and in those of the data, over what is there of a row. */
export function logScaleOf(values: Rows["values"], i: number, columns: number, { scale }: Units): number {
  let sum = 0;
  for (let j = 0; j < columns; j++) if (!Number.isNaN(values[i * columns + j])) sum += Math.log(scale[j]);
  return sum;
}
