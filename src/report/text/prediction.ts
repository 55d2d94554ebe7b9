/** Scores of predictions as a table for a terminal. Pure. */

export interface PredictionSummary {
  readonly rows: number;
  readonly target: string;
  readonly average?: object;
  readonly median?: object;
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

export function predictionText({ rows, target, average, median }: PredictionSummary): string {
  const head = `${rows.toLocaleString("en-US")} rows predicted, target ${target}`;
  if (!average || !median) return `${head}\n`;
  return `${head}\n\n${scoresText(average, median)}`;
}

/** One line per score, for the model average and the median-probability model. */
export function scoresText(average: object, median: object): string {
  const value = (scores: object, key: string): string => {
    const number = (scores as Record<string, unknown>)[key];
    return typeof number === "number" ? number.toPrecision(4) : "–";
  };
  const lines = Object.entries(LABELS)
    .filter(([key]) => key in average)
    .map(([key, label]) => [label, value(average, key), value(median, key)]);
  const table = [["", "model average", "median model"], ...lines];
  const widths = [0, 1, 2].map((c) => Math.max(...table.map((line) => line[c].length)));
  return `${table
    .map((line) =>
      line
        .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")}\n`;
}
