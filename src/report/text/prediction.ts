/** Scores of predictions as a table for a terminal. Pure. */

import type { AnyPredictResult } from "../../prediction/any-predictor.js";
import type { FitResult } from "../../selection/answer/result.js";
import { asFlag } from "../../wording.js";

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

export function predictionText({ rows, target, scores }: PredictionSummary): string {
  const head = `${rows.toLocaleString("en-US")} rows predicted, target ${target}`;
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
    return typeof number === "number" ? number.toPrecision(4) : "–";
  };
  return Object.entries(LABELS)
    .filter(([key]) => key in first)
    .map(([key, label]) => [label, ...[first, ...others].map((of) => value(of, key))]);
}

/** In one line, where nothing was held out. */
export function scoresSentence({
  scores,
  holdout,
}: Pick<FitResult, "scores" | "holdout">): string | undefined {
  if (!scores || holdout) return undefined;
  const listed = scoreLines(scores).map(([label, value]) => `${label} ${value}`);
  return `On the rows that were fitted: ${listed.join(", ")} (${asFlag("holdout", 0.2)} tells how good it is on others).`;
}
