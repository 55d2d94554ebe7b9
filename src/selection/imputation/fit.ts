/** The default pipeline where predictors have holes: every column is a candidate, and the holes are drawn along. */

import { type Chains, mean } from "../../diagnostics/chains.js";
import { essMean } from "../../diagnostics/ess.js";
import { mcseMean } from "../../diagnostics/mcse.js";
import { SparrowError } from "../../errors.js";
import type { AutoProblem, Fitted } from "../candidates.js";
import type { ModelSpace, ModelWeights } from "../model-weights.js";
import type { FitOptions } from "../options.js";
import type { Specification } from "../specification.js";
import { type ChainRecord, type ChainSettings, imputationChain } from "./chain.js";
import type { Holes } from "./holes.js";

/** The full covariance is factored in every sweep. */
const MAX_COLUMNS = 1000;

export interface Imputed {
  /** With the means of the completed data. */
  readonly problem: AutoProblem;
  readonly fitted: Fitted;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly partial: boolean;
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
    fitted: { candidates, statistics, space, weights: weightsOf(record, space), mixture },
    settings: { imputation: "joint gaussian", sweeps: settings.sweeps, sweepsDiscarded: settings.burnIn },
    partial: record.kept < settings.sweeps - settings.burnIn,
  };
}

/** Sweeps of small data, and the fewest that are worth the name. */
const MOST_SWEEPS = 400;
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
  const sweeps = options.iterations ?? Math.max(FEWEST_SWEEPS, Math.min(MOST_SWEEPS, affordable));
  const burnIn = options.burnIn ?? Math.max(1, Math.min(Math.floor(sweeps / 4), 100));
  if (burnIn >= sweeps) {
    throw new SparrowError(
      `--burn-in ${burnIn} leaves nothing of ${sweeps} sweeps; make it smaller.`,
      "usage",
    );
  }
  return { sweeps, burnIn };
}

function weightsOf(record: ChainRecord, space: ModelSpace): ModelWeights {
  const { inclusion: sweeps, kept, sizes, visits, statistics } = record;
  const series = Array.from({ length: statistics.size }, (_, j) => Float64Array.from(sweeps, (p) => p[j]));
  const inclusion = Float64Array.from(series, (values) => Math.min(1, mean(values)));
  const errors = Float64Array.from(series, (values) => mcseMean([values]) ?? spread(values));
  const visited = [...visits.values()];
  const total = visited.reduce((sum, { time }) => sum + time, 0);
  const models = visited
    .map(({ members, time }) => ({ members, probability: time / total }))
    .sort((a, b) => b.probability - a.probability);
  const size = new Float64Array(Math.max(...models.map(({ members }) => members.length)) + 1);
  for (const { members, probability } of models) size[members.length - space.always.length] += probability;
  return {
    ...{ exact: false, models, inclusion, inclusionError: errors, size },
    mixing: { rhat: halvesRhat(sizes), ess: effectiveDraws(inclusion, errors, kept) },
  };
}

/** The error of a mean of independent numbers, for series too short to tell more. */
function spread(values: Float64Array): number {
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, values.length - 1) / values.length);
}

/**
 * √(1 + B/W) of the model size over the two halves of the chain, where only what they differ by beyond two standard
 * errors counts: a dozen sweeps over many rows are few, and their errors are reported anyway.
 */
function halvesRhat(sizes: readonly number[]): number {
  const half = Math.floor(sizes.length / 2);
  const chains: Chains = [sizes.slice(0, half), sizes.slice(-half)].map((part) => Float64Array.from(part));
  const within = chains.reduce((sum, part) => sum + spread(part) ** 2 * half, 0) / 2;
  const apart = (mean(chains[0]) - mean(chains[1])) ** 2 / 2;
  const noise = within / Math.max(1, essMean(chains) ?? half);
  return within > 0 ? Math.sqrt(1 + Math.max(0, apart - 4 * noise) / within) : 1;
}

/** The fewest independent models that would give any open inclusion probability its error. */
function effectiveDraws(inclusion: Float64Array, error: Float64Array, kept: number): number {
  let fewest = 1e6;
  inclusion.forEach((p, j) => {
    if (p > 0.02 && p < 0.98) fewest = Math.min(fewest, (p * (1 - p)) / Math.max(error[j] ** 2, 1e-12));
  });
  return kept < 2 ? 1 : fewest;
}
