/**
 * Which of several numbers of clusters or states? Two answers: the smallest Bayesian information criterion at the mode
 * (Schwarz 1978), and the smallest number that predicts rows it has not seen as well as the best one does, give or take
 * a standard error of the difference, taken row by row. The first one is chosen; where the second differs, that is said.
 */

import { SparrowError } from "../../errors.js";
import type { Counted } from "./count-job.js";

/** A mean, and how far it may be off by the chance of which rows there are. */
export interface Score {
  /** Over rows or steps. */
  readonly mean: number;
  /** Its standard error. */
  readonly error: number;
}

export interface NumberScore {
  /** At the mode of the posterior, in the units of the data: less than the maximum by what the prior costs. */
  readonly logLikelihood: number;
  /** Numbers that are free. */
  readonly parameters: number;
  /** −2·logLikelihood + parameters·log(rows): smaller is better. At the mode, not at the maximum. */
  readonly bic: number;
  /** Log density of a row or step that was left out; larger is better. */
  readonly score: Score;
  /** How far that is behind the best number, row by row: 0 for the best. */
  readonly behind: Score;
}

export interface NumberChoice {
  /** By the Bayesian information criterion. */
  readonly chosen: number;
  /** By the prediction of what was left out. */
  readonly predicting: number;
  /** In words. */
  readonly reason: string;
}

/** Of one number; `logScale` turns log densities into the units of the data, one for each score. */
export interface NumberFound {
  readonly count: number;
  readonly found: Counted;
}

interface Observed {
  /** Rows or steps. */
  readonly rows: number;
  /** Of all of them together, and of each score: what turns its log density into the units of the data. */
  readonly logScale: number;
  readonly logScales: Float64Array;
  /** Rows or steps behind each score. */
  readonly sizes: Float64Array;
}

export function scored(
  all: readonly NumberFound[],
  observed: Observed,
): (NumberScore & { readonly count: number })[] {
  const { rows, logScale, logScales, sizes } = observed;
  const steps = sizes.reduce((sum, size) => sum + size, 0);
  const means = all.map(({ found }) => found.scores.reduce((sum, score) => sum + score, 0));
  const best = all[means.indexOf(Math.max(...means))]?.found.scores;
  /** A ratio of sums, its error from how pieces differ. */
  const over = (values: Float64Array): Score => {
    const mean = values.reduce((sum, value) => sum + value, 0) / steps;
    const square = values.reduce((sum, value, i) => sum + (value - mean * sizes[i]) ** 2, 0);
    const n = values.length;
    return { mean, error: Math.sqrt((square * n) / Math.max(1, n - 1)) / steps };
  };
  return all.map(({ count, found: { logLikelihood, parameters, scores } }) => ({
    count,
    logLikelihood: logLikelihood - logScale,
    parameters,
    bic: -2 * (logLikelihood - logScale) + parameters * Math.log(rows),
    score: over(scores.map((score, i) => score - logScales[i])),
    behind: over(scores.map((score, i) => best[i] - score)),
  }));
}

export function chosen(
  all: readonly (NumberScore & { readonly count: number })[],
  kind: string,
): NumberChoice {
  if (all.length === 0) throw new SparrowError(`No number of ${kind} could be fitted.`, "data");
  const byBic = all.reduce((a, b) => (b.bic < a.bic ? b : a));
  const enough = all.filter(({ behind }) => behind.mean <= behind.error);
  const byScore = enough.reduce((a, b) => (b.count < a.count ? b : a));
  const next = all
    .filter(({ count }) => count !== byBic.count)
    .reduce((least, { bic }) => Math.min(least, bic - byBic.bic), Number.POSITIVE_INFINITY);
  const margin = Number.isFinite(next) ? `, by ${next.toFixed(1)}` : "";
  const other =
    byScore.count === byBic.count
      ? ", and it predicts rows that were left out as well as any number does"
      : `; the smallest that predicts rows that were left out as well as any does is ${byScore.count}`;
  const reason = `The number of ${kind} with the smallest BIC is ${byBic.count}${margin}${other}.`;
  return { chosen: byBic.count, predicting: byScore.count, reason };
}
