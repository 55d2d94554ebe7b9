/** The exact posterior over models on a set of candidate columns. */

import { SparrowError } from "../../errors.js";
import type { Target } from "../../families/target.js";
import type { FitOptions } from "../../options/fit.js";
import type { Scaling } from "../../store/batch/scaling.js";
import type { Store } from "../../store/store.js";
import type { Pool, RunOptions } from "../../workers/pool.js";
import type { Screen } from "../data/screen.js";
import type { Holes } from "../missing/holes.js";
import { Evidence, type SufficientStatistics } from "./evidence.js";
import type { Expansion, WeightedCentre } from "./expansion.js";
import { addGrams, gramJob, gramJobs } from "./gram.js";
import type { Component } from "./mixture.js";
import type { ModelSpace, ModelWeights } from "./model-weights.js";
import { polish } from "./polish.js";
import type { Specification } from "./specification.js";
import { standardStatistics } from "./standard-statistics.js";

export interface AutoProblem {
  readonly store: Store;
  readonly pool: Pool;
  readonly screen: Screen;
  readonly scaling: Scaling;
  readonly target: Target;
  /** Columns of the model that a search thinks best: where an expansion starts. */
  readonly start: readonly number[];
  /** Positions of columns that are in every model. */
  readonly always: readonly number[];
  /** Missing predictors, if there are any. */
  readonly holes?: Holes | undefined;
  readonly options: FitOptions;
  readonly seed: number;
  readonly run: (stage: "certify" | "polish") => RunOptions;
  readonly timed: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Whether it was the user who stopped the run, rather than the clock. */
  readonly stoppedByUser: () => boolean;
}

export interface Fitted {
  /** Columns of the store, in rising order. */
  readonly candidates: readonly number[];
  readonly statistics: SufficientStatistics;
  readonly space: ModelSpace;
  readonly weights: ModelWeights;
  /** Binomial and Poisson: where the likelihood is expanded. */
  readonly expansion?: Expansion;
  /** Binomial and Poisson, or completed data: what centres the columns. */
  readonly centre?: WeightedCentre;
  /** Completed data: the laws of the coefficients, which differ from completion to completion. */
  readonly mixture?: readonly Component[];
  readonly imputed?: Imputed;
}

/** How missing values were drawn, and what the completed candidates look like on the model's scale. */
export interface Imputed {
  readonly chains: number;
  readonly sweeps: number;
  readonly sweepsDiscarded: number;
  /** Whether models are weighed by their likelihood, or by its quadratic expansion. */
  readonly likelihood: "exact" | "expanded";
  readonly means: Float64Array;
  readonly covariance: Float64Array;
}

export async function fitCandidates(
  { store, pool, scaling, always, options, seed, run }: AutoProblem,
  spec: Specification,
  candidates: readonly number[],
  thorough: boolean,
  before?: Fitted,
): Promise<Fitted> {
  // Nobody has joined: there is nothing new to sum.
  const known = before?.candidates.length === candidates.length ? before.statistics : undefined;
  const statistics = known ?? (await gramOf({ store, pool, scaling, run }, spec, candidates));
  const space: ModelSpace = {
    logModel: Float64Array.from({ length: spec.maxSize + 1 }, (_, k) => spec.prior.logModel(k)),
    always: always.map((j) => candidates.indexOf(j)).filter((i) => i >= 0),
  };
  const { slab, noiseVariance } = spec;
  const { signal } = options;
  const evidence = new Evidence(statistics, slab, noiseVariance);
  for (const i of space.always) {
    if (!evidence.canAdd(i)) {
      throw new SparrowError(
        `Column "${store.names[candidates[i]]}" is a combination of the other --always columns, which --slab zellner does not allow; leave one of them out.`,
      );
    }
    evidence.add(i);
  }
  const weights = await polish(pool, { statistics, slab, noiseVariance, space, seed, signal }, thorough);
  return { candidates, statistics, space, weights };
}

async function gramOf(
  { store, pool, scaling, run }: Pick<AutoProblem, "store" | "pool" | "scaling" | "run">,
  { centred }: Specification,
  candidates: readonly number[],
): Promise<SufficientStatistics> {
  const columns = [...candidates, store.layout.columns];
  const sums = addGrams(await pool.run(gramJob, gramJobs(store.layout, columns), run("polish")));
  const scale = candidates.map((j) => scaling.slope[j]);
  const centring = centred
    ? ({ centred: true } as const)
    : ({ centred: false, shift: columns.map((j) => store.shift[j]) } as const);
  return standardStatistics(sums, store.layout.rows, scale, centring);
}
