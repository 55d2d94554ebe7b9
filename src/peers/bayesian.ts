/**
 * The Bayesian peers on prepared data. With the paper's settings they see the data as they came, know σ² = 1 and may
 * select the intercept; otherwise columns and target are in standard units, σ² is unknown and the intercept is flat.
 */

import { SparrowError } from "../errors.js";
import { Rng } from "../math/rng.js";
import { defaultInclusion } from "../models/priors.js";
import { RUN_STREAMS } from "../sampling/streams.js";
import type { Scaling } from "../store/batch/scaling.js";
import { bayesianLasso, type LassoStatistics, universalPenalty } from "./bayesian-lasso.js";
import { inDataUnits, type Prepared, rowsOf, scalingOf, standardFrom } from "./prepared.js";
import type { RjmhOutput, RjmhPlan } from "./rjmh.js";
import { rjmhJob } from "./rjmh-job.js";
import { splitAndMerge } from "./split-merge.js";

/** What a method says about the data: which columns, and a linear predictor in the units of the data. */
export interface PeerFit {
  /** Positions of columns. */
  readonly selected: readonly number[];
  readonly coefficients: Float64Array;
  readonly intercept: number;
  /** Time of its own stages, where reading the data was part of the call. */
  readonly seconds?: number;
  /** Settings that were chosen, for the record. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export type PeerPreset = "auto" | "paper";

/** The median probability model (Barbieri and Berger 2004). */
const SELECTED = 0.5;
/** |mean| beyond which the paper selects a coefficient of the Bayesian Lasso. */
const BLASSO_SELECTED = 0.1;
/** Beyond so many columns the matrix of cross-products would not fit. */
const BLASSO_COLUMNS = 10_000;

function rjmhPlan(prepared: Prepared, preset: PeerPreset): { plan: RjmhPlan; scaling: Scaling } {
  const { store, gram, seed } = prepared;
  const { columns, rows } = store.layout;
  const paper = preset === "paper";
  const { sd, correlation } = standardFrom(gram);
  const predictors = Array.from({ length: columns }, (_, j) => j).filter((j) => sd[j] > 0);
  const variables = paper ? [...predictors, columns] : predictors;
  // Section S3 of the supplement; kept below 1 so that every variable can leave.
  const weights = Float64Array.from(variables, (j) =>
    j === columns ? Math.exp(-1) : Math.min(Math.exp(Math.abs(correlation[j]) - 1), 1 - 1e-6),
  );
  const plan: RjmhPlan = {
    seed,
    stream: RUN_STREAMS.chains,
    iterations: 5000,
    burnIn: 2000,
    thin: 10,
    variables,
    weights,
    inclusion: defaultInclusion(columns + 1),
    maxSize: Math.min(50, Math.max(1, rows - 3)),
    slabVariance: paper ? 25 : 1,
    noiseVariance: paper ? 1 : undefined,
    freedom: paper ? rows : rows - 1,
  };
  return { plan, scaling: scalingOf(prepared, !paper) };
}

function chainsOn(prepared: Prepared, scaling: Scaling) {
  return (plans: readonly RjmhPlan[]): Promise<RjmhOutput[]> => {
    const inputs = plans.map((plan) => ({ plan, scaling, sums: prepared.gram.total }));
    const { pool } = rowsOf(prepared, "Reversible jumping");
    return pool.run(rjmhJob, inputs, { signal: prepared.signal });
  };
}

function fitFrom(
  prepared: Prepared,
  variables: readonly number[],
  scaling: Scaling,
  output: { inclusion: Float64Array; mean: Float64Array },
  settings: Record<string, unknown>,
): PeerFit {
  const { columns } = prepared.store.layout;
  const beta = new Float64Array(columns + 1);
  variables.forEach((j, i) => {
    beta[j] = output.mean[i];
  });
  const selected = variables.filter((j, i) => j < columns && output.inclusion[i] > SELECTED);
  return { selected, ...inDataUnits(beta, scaling, prepared.store.shift), settings };
}

export async function rjmhFit(prepared: Prepared, preset: PeerPreset): Promise<PeerFit> {
  const { plan, scaling } = rjmhPlan(prepared, preset);
  const [output] = await chainsOn(prepared, scaling)([plan]);
  const { iterations, burnIn } = plan;
  const { acceptance, meanSize } = output;
  return fitFrom(prepared, plan.variables, scaling, output, { iterations, burnIn, acceptance, meanSize });
}

export async function splitMergeFit(prepared: Prepared, preset: PeerPreset): Promise<PeerFit> {
  const { plan, scaling } = rjmhPlan(prepared, preset);
  const intercept = plan.variables.indexOf(prepared.store.layout.columns);
  const everywhere = intercept < 0 ? [] : [intercept];
  const run = chainsOn(prepared, scaling);
  // Without an intercept among the variables it still counts in the prior, as in `fit`.
  const inclusionOf = (variables: number) => defaultInclusion(variables + (intercept < 0 ? 1 : 0));
  const output = await splitAndMerge(run, plan, inclusionOf, { everywhere });
  return fitFrom(prepared, plan.variables, scaling, output, { subsets: 5, merged: output.merged.length });
}

export async function bayesianLassoFit(prepared: Prepared, preset: PeerPreset): Promise<PeerFit> {
  const { store, seed } = prepared;
  const { columns, rows } = store.layout;
  if (columns > BLASSO_COLUMNS) {
    throw new SparrowError(
      `The Bayesian Lasso needs all products of ${columns} columns; it is offered up to ${BLASSO_COLUMNS}.`,
    );
  }
  const paper = preset === "paper";
  const statistics = await lassoStatistics(prepared, !paper);
  const lambda = universalPenalty(rows, columns);
  const noiseVariance = paper ? 1 : undefined;
  const output = bayesianLasso(Rng.seeded(seed).split(RUN_STREAMS.chains), statistics, {
    lambda,
    noiseVariance,
  });
  const selected = [...output.mean.keys()].filter((j) => Math.abs(output.mean[j]) > BLASSO_SELECTED);
  // Park and Casella take the mean out of columns and target either way.
  const { mean } = standardFrom(prepared.gram);
  const scaling = scalingOf(prepared, !paper);
  const units = inDataUnits(output.mean, scaling, store.shift);
  const intercept = units.coefficients.reduce(
    (rest, b, j) => rest - b * (mean[j] + store.shift[j]),
    mean[columns] + store.shift[columns],
  );
  return { selected, coefficients: units.coefficients, intercept, settings: { lambda, iterations: 200 } };
}

/** Centred, and in standard units if asked for. */
async function lassoStatistics({ store, gram }: Prepared, standard: boolean): Promise<LassoStatistics> {
  const { columns, rows } = store.layout;
  const { mean, sd } = standardFrom(gram);
  await gram.load(Array.from({ length: columns }, (_, j) => j));
  const scale = (j: number): number => (sd[j] === 0 ? 0 : standard ? 1 / sd[j] : 1);
  const targetScale = standard ? 1 / sd[columns] : 1;
  const { squares, target } = gram.total;
  // In their places: there is room for one such matrix, not for two.
  const scaled = Array.from({ length: columns }, (_, j) => {
    const column = gram.column(j);
    for (let k = 0; k < columns; k++)
      column[k] = scale(j) * scale(k) * (column[k] - rows * mean[j] * mean[k]);
    return column;
  });
  gram.forget();
  return {
    gram: scaled,
    cross: Float64Array.from(
      { length: columns },
      (_, j) => scale(j) * targetScale * (target[j] - rows * mean[j] * mean[columns]),
    ),
    targetSquares: targetScale ** 2 * (squares[columns] - rows * mean[columns] ** 2),
    freedom: rows - 1,
  };
}
