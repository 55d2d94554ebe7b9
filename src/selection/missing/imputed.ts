/** The posterior over models on candidate columns with holes, which are drawn along. */

import { SparrowError } from "../../errors.js";
import type { FitOptions } from "../../options/fit.js";
import type { Outside } from "../certify/certificate.js";
import type { AutoProblem, Fitted } from "../posterior/exact.js";
import { expandAtMode, judgeGlmOutsiders, medianModel, modeSettings } from "../posterior/expanded.js";
import { quadraticStatistics } from "../posterior/expansion.js";
import type { ModelSpace } from "../posterior/model-weights.js";
import type { Specification } from "../posterior/specification.js";
import { type ChainSettings, imputationChains } from "./chains.js";
import { isExact } from "./completed.js";
import { type Holes, holesAmong } from "./holes.js";
import { weightsOf } from "./weights.js";

/** The full covariance of the candidates is factored in every sweep; of more columns, these are chosen. */
export const MAX_COLUMNS = 1000;

/** Says what imputation cannot do. */
export function checkImputation(source: string, { preset, slab }: FitOptions): void {
  const not = (why: string): never => {
    throw new SparrowError(
      `${source} has missing values, and ${why}; use --missing drop to leave such rows out, --missing mean to put the column's mean in their place, or leave the columns out with --exclude.`,
      "option",
    );
  };
  if (preset === "paper") not("--preset paper has no way to draw them");
  if (slab === "zellner") not("the prior of --slab zellner depends on them, so they cannot be drawn");
}

export async function fitImputed(
  problem: AutoProblem,
  spec: Specification,
  candidates: readonly number[],
  thorough: boolean,
): Promise<Fitted> {
  const { always } = problem;
  const holes = problem.holes!;
  const space: ModelSpace = {
    logModel: Float64Array.from({ length: spec.maxSize + 1 }, (_, k) => spec.prior.logModel(k)),
    always: always.map((j) => candidates.indexOf(j)).filter((i) => i >= 0),
  };
  const whole = chainSettings(problem, candidates, holes);
  const settings = thorough ? whole : { ...whole, sweeps: FEWEST_SWEEPS, burnIn: 2, most: FEWEST_SWEEPS };
  const record = await imputationChains(problem, spec, holes, candidates, space, settings);
  const { statistics, centre, mixture, means, covariance, sweeps, kept, stopped } = record;
  return {
    ...{ candidates, statistics, space, centre, mixture },
    weights: { ...weightsOf(record, space), ...(stopped && { unfinished: true }) },
    imputed: {
      ...{ chains: settings.chains, sweeps, sweepsDiscarded: sweeps - kept, means, covariance },
      likelihood: isExact(problem) ? "exact" : "expanded",
    },
  };
}

/** The certificate's pass for a binomial or Poisson target, at the mode of the median model on what was last drawn. */
export async function judgeImputedGlm(
  problem: AutoProblem,
  spec: Specification,
  fitted: Fitted,
): Promise<Outside> {
  const { candidates } = fitted;
  const settings = modeSettings(problem, spec);
  const expansion = await expandAtMode(settings, candidates, medianModel(fitted), undefined);
  const { rows } = problem.store.layout;
  const there = { expansion, ...quadraticStatistics(expansion, rows, spec.centred) };
  return judgeGlmOutsiders(problem, spec, { ...fitted, ...there });
}

/** Chains unless told, sweeps of small data before they are judged, the most there may be, and the fewest. */
const CHAINS = 2;
const USUAL_SWEEPS = 300;
const MOST_SWEEPS = 4800;
const FEWEST_SWEEPS = 8;
/** Multiplications that a run may take beyond the fewest sweeps. */
const WORK = 4e10;
/** In multiplications: to draw an entry and put it in its place, to look at a row, to turn an entry of it around. */
const ENTRY = 100;
const ROW = 100;
const TURN = 8;

/** By the work of a sweep: products of columns (in the kernels, so cheap), rows with their holes, and the covariance. */
function chainSettings(
  { options, store, target }: AutoProblem,
  candidates: readonly number[],
  holes: Holes,
): ChainSettings {
  const { rows } = store.layout;
  const columns = candidates.length;
  const { start } = holesAmong(holes, candidates);
  let filling = 0;
  for (let i = 0; i < rows; i++) {
    const h = start[i + 1] - start[i];
    filling += h * columns + h ** 3 / 6 + ENTRY * h;
  }
  filling += rows * (ROW + TURN * columns);
  // An expansion takes products of its own, and modes take a few passes.
  const products = (target.family === "gaussian" ? 0.2 : 0.5) * rows * columns ** 2;
  const chains = options.chains ?? CHAINS;
  const affordable = Math.round(WORK / (chains * (products + filling + columns ** 3)));
  const sweeps = options.iterations ?? Math.max(FEWEST_SWEEPS, Math.min(USUAL_SWEEPS, affordable));
  const most = options.iterations ?? Math.max(sweeps, Math.min(MOST_SWEEPS, affordable));
  const burnIn = options.burnIn ?? Math.max(1, Math.min(Math.floor(sweeps / 4), 100));
  if (burnIn >= sweeps) {
    throw new SparrowError(
      `--burn-in ${burnIn} leaves nothing of ${sweeps} sweeps; make it smaller.`,
      "option",
    );
  }
  return { chains, sweeps, burnIn, most };
}
