/**
 * Corrects the posterior over models of a binomial or Poisson target. The quadratic expansion at one mode misjudges
 * models far from it by third-order terms. The most probable models are therefore worked out at their own modes,
 *
 *     log p(y | S) ≈ ℓ(θ̂) − θ̂'θ̂/(2v) − (k/2) log v − ½ log |H + Λ|
 *
 * (Tierney and Kadane 1986), and their weights are multiplied by the ratio of this to what the expansion says; the
 * others keep the average ratio. As many models as a bounded amount of work allows: where there are so many rows that
 * few can be afforded, the expansion is accurate.
 */

import { cholesky, logDeterminant } from "../../math/linear.js";
import type { SufficientStatistics } from "../posterior/evidence.js";
import { Evidence, type Slab } from "../posterior/evidence.js";
import type { ModelWeights } from "../posterior/model-weights.js";
import { type ModeSettings, modeOf } from "./mode.js";

/** Multiplications that the correction may take, the most models, and the share of the posterior that suffices. */
const WORK = 4e9;
const MAX_MODELS = 100;
const COVERED = 0.999;
/** Where the corrected models carry less than this, the others' errors show in what is reported. */
const SUFFICIENT = 0.9;
/** Passes that a mode takes from its one-step estimate. */
const PASSES = 3;

export interface LaplaceProblem {
  readonly settings: ModeSettings;
  readonly candidates: readonly number[];
  readonly statistics: SufficientStatistics;
  readonly slab: Slab;
  readonly intercept: { readonly at: number; readonly means: Float64Array };
  /** Candidates that are in every model. */
  readonly forced: number;
}

export async function laplaceCorrected(
  weights: ModelWeights,
  problem: LaplaceProblem,
  signal: AbortSignal | undefined,
): Promise<ModelWeights> {
  if (problem.slab.kind !== "independent" || weights.models.length < 2) return weights;
  const chosen = affordable(weights, problem);
  if (chosen < 2) return weights;
  const corrections: number[] = [];
  for (const { members } of weights.models.slice(0, chosen)) {
    if (signal?.aborted) return { ...weights, unfinished: true };
    const correction = await correctionOf(members, problem);
    if (correction === undefined) return weights;
    corrections.push(correction);
  }
  return reweighted(weights, corrections, problem.forced);
}

function affordable({ models }: ModelWeights, { settings }: LaplaceProblem): number {
  const { rows } = settings.store.layout;
  let work = 0;
  let covered = 0;
  let count = 0;
  while (count < Math.min(models.length, MAX_MODELS) && covered < COVERED) {
    work += PASSES * rows * (models[count].members.length + 2) ** 2;
    if (work > WORK) break;
    covered += models[count].probability;
    count += 1;
  }
  return count;
}

/** log p(y | S) at the mode of S, less what the expansion says, up to a constant that all models share. */
async function correctionOf(
  members: readonly number[],
  { settings, candidates, statistics, slab, intercept }: LaplaceProblem,
): Promise<number | undefined> {
  const evidence = new Evidence(statistics, slab, 1);
  evidence.rebuild(members);
  const { mean } = evidence.posterior();
  const start = {
    columns: members.map((i) => candidates[i]),
    theta: mean,
    intercept: members.reduce((a, i, at) => a - mean[at] * intercept.means[i], intercept.at),
  };
  const { logLikelihood, point, information, converged } = await modeOf(settings, start);
  if (!converged) return undefined;
  const k = members.length;
  const size = k + 1;
  const matrix = information.slice();
  for (let i = 1; i < size; i++) matrix[i * size + i] += 1 / slab.scale;
  if (!settings.hasIntercept) for (let i = 0; i < size; i++) matrix[i] = matrix[i * size] = i === 0 ? 1 : 0;
  if (!cholesky(matrix, size)) return undefined;
  const squares = point.theta.reduce((sum, t) => sum + t * t, 0);
  const exact =
    logLikelihood - 0.5 * (squares / slab.scale + k * Math.log(slab.scale) + logDeterminant(matrix, size));
  return exact - evidence.logMarginal();
}

/** The weights after multiplication by exp(correction); what is not listed moves with the listed ones. */
function reweighted(weights: ModelWeights, corrections: readonly number[], forced: number): ModelWeights {
  const { models } = weights;
  const listed = models.reduce((sum, { probability }) => sum + probability, 0);
  const top = Math.max(...corrections);
  const ratios = corrections.map((c) => Math.exp(c - top));
  const [before, after] = ratios.reduce(
    ([old, now], ratio, m) => [old + models[m].probability, now + ratio * models[m].probability],
    [0, 0],
  );
  const rest = after / before;
  const raw = models.map(({ members, probability }, m) => ({
    members,
    probability: probability * (m < ratios.length ? ratios[m] : rest),
  }));
  const total = raw.reduce((sum, { probability }) => sum + probability, 0);
  const inclusion = weights.inclusion.slice();
  const size = weights.size.slice();
  const corrected = raw.map(({ members, probability }, m) => {
    const share = (probability / total) * listed;
    const change = share - models[m].probability;
    for (const i of members) inclusion[i] += change;
    size[members.length - forced] += change;
    return { members, probability: share };
  });
  corrected.sort((a, b) => b.probability - a.probability);
  const worst = Math.max(...corrections.map((c) => Math.abs(c - top - Math.log(rest))));
  const clamp = (p: number): number => Math.max(0, Math.min(1, p));
  return {
    ...weights,
    models: corrected,
    inclusion: inclusion.map(clamp),
    size: size.map(clamp),
    ...(before < SUFFICIENT * listed && { approximationError: worst }),
  };
}
