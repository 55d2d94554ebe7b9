/** Predictions as columns, and their scores as a table for a terminal. Pure. */

import type { AnyPredictResult } from "../../prediction/any-predictor.js";
import type { FitResult } from "../../selection/answer/result.js";
import { asFlag, grouped } from "../../wording.js";

export interface PredictionSummary {
  readonly rows: number;
  readonly target: string;
  readonly scores: AnyPredictResult["scores"];
}

const LABELS: Readonly<Record<string, string>> = {
  rmse: "RMSE",
  r2: "R²",
  errorRate: "error rate",
  logLoss: "log loss",
  brier: "Brier score",
  auc: "AUC",
  deviance: "mean deviance",
};

/** What the scores of each kind of prediction are called. */
const HEADINGS: Readonly<Record<string, string>> = {
  average: "model average",
  median: "median model",
  all: "all rows",
  known: "known groups",
  new: "new groups",
};

/** Row numbers from 1, what was carried over, and the predictions. */
export function predictionColumns({
  rows,
  scores: _,
  notes: __,
  id = {},
  ...predicted
}: AnyPredictResult): Readonly<Record<string, ArrayLike<number | string>>> {
  const row = Float64Array.from({ length: rows }, (_, i) => i + 1);
  return { row, ...id, ...predicted };
}

export function predictionText({ rows, target, scores }: PredictionSummary): string {
  const head = `${grouped(rows)} rows predicted, target ${target}`;
  return scores ? `${head}\n\n${scoresText(scores)}` : `${head}\n`;
}

/** One line per score, one column for each kind of prediction. */
export function scoresText(scores: object): string {
  const kinds: [string, object][] = Object.entries(scores);
  const lines = scoreLines(kinds[0][1], ...kinds.slice(1).map(([, of]) => of));
  const table = [["", ...kinds.map(([kind]) => HEADINGS[kind])], ...lines];
  const widths = table[0].map((_, c) => Math.max(...table.map((line) => line[c].length)));
  return `${table
    .map((line) =>
      line
        .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")}\n`;
}

/** A line per score that the first has: its name, and its value in each. */
export function scoreLines(first: object, ...others: readonly object[]): string[][] {
  const value = (of: object, key: string): string => {
    const number = (of as Record<string, unknown>)[key];
    if (typeof number !== "number") return "–";
    // The constant explains nothing, up to rounding.
    return Math.abs(number) < 1e-12 ? "0" : number.toPrecision(4);
  };
  return Object.entries(LABELS)
    .filter(([key]) => key in first)
    .map(([key, label]) => [label, ...[first, ...others].map((of) => value(of, key))]);
}

type Scored = Pick<FitResult, "scores" | "holdout" | "preset">;

/** In one line, where nothing was held out. */
export function scoresSentence(result: Scored): string | undefined {
  const { scores, holdout } = result;
  if (!scores || holdout) return undefined;
  const worse = worseThanConstant(result);
  if (worse !== undefined) return worse;
  const listed = scoreLines(scores).map(([label, value]) => `${label} ${value}`);
  return `On the rows that were fitted: ${listed.join(", ")} (${asFlag("holdout", 0.2)} tells how good it is on others).`;
}

/** Beyond what rounding of a model without variables explains. */
const WORSE = -0.005;

/** A model that misses its own rows by more than their mean does is no answer yet, whatever its other scores. */
export function worseThanConstant({ scores, preset }: Scored): string | undefined {
  if (!scores || !("r2" in scores) || !(scores.r2 < WORSE)) return undefined;
  const which = preset === "paper" ? "median" : "most probable";
  return `The ${which} model describes the rows that were fitted worse than their mean would (R² ${scores.r2.toPrecision(4)}): its coefficients have not settled, so do not predict from it.`;
}
