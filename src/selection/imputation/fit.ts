/** The default pipeline where predictors have holes: every column is a candidate, and the holes are drawn along. */

import { SparrowError } from "../../errors.js";
import type { AutoProblem, Fitted } from "../candidates.js";
import type { Component } from "../mixture.js";
import type { ModelSpace } from "../model-weights.js";
import type { FitOptions } from "../options.js";
import type { Specification } from "../specification.js";
import { type ChainSettings, imputationChain } from "./chain.js";
import type { Holes } from "./holes.js";
import { weightsOf } from "./weights.js";

/** The full covariance is factored in every sweep. */
const MAX_COLUMNS = 1000;

export interface Imputed {
  /** With the means of the completed data. */
  readonly problem: AutoProblem;
  readonly fitted: Fitted;
  readonly mixture: readonly Component[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly stopped: boolean;
}

/** Says what imputation cannot do yet. */
export function checkImputation(options: FitOptions, family: string, columns: number): void {
  const not = (what: string): never => {
    throw new SparrowError(`--missing impute ${what}; use --missing drop or --missing mean.`, "usage");
  };
  if (family !== "gaussian") not(`is for Gaussian targets, not for ${family} ones`);
  if (options.preset === "paper") not("does not go with --preset paper");
  if (options.slab === "zellner") {
    not("does not go with --slab zellner, whose prior depends on the missing values");
  }
  if (columns > MAX_COLUMNS) {
    not(`takes up to ${MAX_COLUMNS} columns, and there are ${columns}: choose some with --columns`);
  }
}

export async function fitImputed(
  problem: AutoProblem,
  spec: Specification,
  holes: Holes,
  candidates: readonly number[],
): Promise<Imputed> {
  const { store, always, options, screen, scaling } = problem;
  const space: ModelSpace = {
    logModel: Float64Array.from({ length: spec.maxSize + 1 }, (_, k) => spec.prior.logModel(k)),
    always: always.map((j) => candidates.indexOf(j)).filter((i) => i >= 0),
  };
  const settings = chainSettings(options, store.layout.rows, candidates.length, holes);
  const record = await imputationChain(problem, spec, holes, candidates, space, settings);
  const { statistics, mixture, means } = record;
  const completed = screen.mean.slice();
  candidates.forEach((j, i) => {
    completed[j] = (means[i] - scaling.offset[j]) / scaling.slope[j];
  });
  return {
    problem: { ...problem, screen: { ...screen, mean: completed } },
    fitted: { candidates, statistics, space, weights: weightsOf(record, space) },
    mixture,
    settings: {
      imputation: "joint gaussian",
      sweeps: record.sweeps,
      sweepsDiscarded: record.sweeps - record.kept,
    },
    stopped: record.stopped,
  };
}

/** Sweeps of small data before they are judged, the most there may be, and the fewest that are worth the name. */
const USUAL_SWEEPS = 400;
const MOST_SWEEPS = 6400;
const FEWEST_SWEEPS = 12;
/** Multiplications that a run may take beyond the fewest sweeps. */
const WORK = 4e10;

/** By the work of a sweep: products of columns (in the kernels, so cheap), rows with their holes, and the covariance. */
function chainSettings(options: FitOptions, rows: number, columns: number, holes: Holes): ChainSettings {
  let filling = 0;
  for (let i = 0; i < rows; i++) {
    const h = holes.start[i + 1] - holes.start[i];
    filling += h * columns + h ** 3 / 6;
  }
  const sweepWork = rows * columns ** 2 * 0.2 + filling + columns ** 3;
  const affordable = Math.round(WORK / sweepWork);
  const sweeps = options.iterations ?? Math.max(FEWEST_SWEEPS, Math.min(USUAL_SWEEPS, affordable));
  const most = options.iterations ?? Math.max(sweeps, Math.min(MOST_SWEEPS, affordable));
  const burnIn = options.burnIn ?? Math.max(1, Math.min(Math.floor(sweeps / 4), 100));
  if (burnIn >= sweeps) {
    throw new SparrowError(
      `--burn-in ${burnIn} leaves nothing of ${sweeps} sweeps; make it smaller.`,
      "usage",
    );
  }
  return { sweeps, burnIn, most };
}
