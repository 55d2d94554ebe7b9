/**
 * Binomial and Poisson models in the default pipeline. The log-likelihood is expanded at the mode of one model S,
 * which makes it that of a Gaussian with unit variance on all candidates (expansion.ts); from there on everything is
 * as for Gaussian data. If the posterior then prefers another median model, the expansion moves there. In the end
 * the most probable models are worked out at their own modes (laplace.ts).
 */

import { interceptAlone } from "../../families/target.js";
import { columnPieces } from "../../workers/pieces.js";
import { collectVerdicts, judgesOf, type Outside, outsiders } from "../certify/certificate.js";
import { certifyGlmJob, type GlmCertifyInput } from "../certify/glm-certify.js";
import { SELECTED } from "../search/summary.js";
import type { AutoProblem, Fitted } from "./exact.js";
import { type Expansion, quadraticStatistics } from "./expansion.js";
import { laplaceCorrected } from "./laplace.js";
import { expansionAt, type GlmModeSettings, glmMode } from "./mode.js";
import type { ModelSpace } from "./model-weights.js";
import { polish } from "./polish.js";
import type { Specification } from "./specification.js";

/** The expansion follows the median model at most so many times in a round. */
const MAX_MOVES = 8;

export async function fitGlmCandidates(
  problem: AutoProblem,
  spec: Specification,
  candidates: readonly number[],
  thorough: boolean,
  before: Fitted | undefined,
): Promise<Fitted> {
  const { store, pool, always, options, seed } = problem;
  const { slab, noiseVariance } = spec;
  const { signal } = options;
  const settings = modeSettings(problem, spec);
  const space: ModelSpace = {
    logModel: Float64Array.from({ length: spec.maxSize + 1 }, (_, k) => spec.prior.logModel(k)),
    always: always.map((j) => candidates.indexOf(j)).filter((i) => i >= 0),
  };
  let active = before ? medianModel(before) : problem.start.filter((j) => candidates.includes(j));
  let expansion = before?.expansion;
  const seen = new Set<string>();
  for (let move = 0; ; move++) {
    expansion = await expandAtMode(settings, candidates, active, expansion);
    const { statistics, centre } = quadraticStatistics(expansion, store.layout.rows, spec.centred);
    const posterior = { statistics, slab, noiseVariance, space, seed, signal };
    seen.add(active.join());
    // Only the last word has to be thorough.
    const weights = await polish(pool, posterior, false);
    const fitted = { candidates, statistics, space, weights, expansion, centre };
    const next = medianModel(fitted);
    if (seen.has(next.join()) || move === MAX_MOVES || signal?.aborted) {
      if (!thorough) return fitted;
      const intercept = { at: centre.intercept, means: centre.means };
      const forced = space.always.length;
      const correctable = { settings, candidates, statistics, slab, intercept, forced };
      const expanded = await polish(pool, posterior, true);
      return { ...fitted, weights: await laplaceCorrected(expanded, correctable, signal) };
    }
    active = next;
  }
}

/** Columns of the store that are in the median model. */
export function medianModel({ candidates, weights }: Fitted): number[] {
  return candidates.filter((_, i) => weights.inclusion[i] > SELECTED);
}

export function modeSettings(problem: AutoProblem, spec: Specification): GlmModeSettings {
  const { store, pool, scaling, target, screen, run } = problem;
  const slabVariance = spec.slab.kind === "independent" ? spec.slab.scale : Number.POSITIVE_INFINITY;
  const nullIntercept = spec.centred ? interceptAlone(target, screen.mean[store.layout.columns]) : 0;
  const common = { store, pool, family: target.family, scaling, hasIntercept: spec.centred, nullIntercept };
  // Without a proper slab a separated column would have no mode at all.
  return { ...common, slabVariance: Math.min(slabVariance, 1e4), run: run("polish") };
}

/** The mode of the model on `active`, and the expansion there on all candidates. */
export async function expandAtMode(
  settings: GlmModeSettings,
  candidates: readonly number[],
  active: readonly number[],
  before: Expansion | undefined,
): Promise<Expansion> {
  const known = new Map(before?.point.columns.map((j, i) => [j, before.point.theta[i]]));
  const start = {
    columns: active,
    theta: Float64Array.from(active, (j) => known.get(j) ?? 0),
    intercept: before?.point.intercept ?? settings.nullIntercept ?? 0,
  };
  const { point } = await glmMode(settings, start);
  const at = new Map(active.map((j, i) => [j, point.theta[i]]));
  const theta = Float64Array.from(candidates, (j) => at.get(j) ?? 0);
  return expansionAt(settings, { columns: candidates, theta, intercept: point.intercept });
}

/** The certificate's pass: a verdict on every usable column outside the candidates. */
export async function judgeGlmOutsiders(
  problem: AutoProblem,
  spec: Specification,
  fitted: Fitted,
): Promise<Outside> {
  const { store, pool, screen, target } = problem;
  const { columns } = store.layout;
  const judges = judgesOf(problem, spec, fitted);
  const { point } = fitted.expansion!;
  const centre = fitted.centre!;
  const used = point.columns.flatMap((_, i) => (point.theta[i] !== 0 ? [i] : []));
  const at = new Map(fitted.candidates.map((j, i) => [j, i]));
  const outside = outsiders(problem, fitted);
  const jobs = columnPieces(columns).map(({ first, last }): GlmCertifyInput => {
    return {
      family: target.family,
      judges,
      point: {
        columns: used.map((c) => point.columns[c]),
        theta: Float64Array.from(used, (c) => point.theta[c]),
        intercept: point.intercept,
      },
      hasIntercept: spec.centred,
      response: spec.centred ? centre.intercept : 0,
      centres: Float64Array.from(judges.columns, (j) => centre.means[at.get(j)!]),
      first,
      last,
      outside: outside.slice(first, last),
      means: screen.mean.slice(first, last),
    };
  });
  return collectVerdicts(outside, judges, await pool.run(certifyGlmJob, jobs, problem.run("certify")));
}
