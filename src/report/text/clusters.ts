/** Clusters and hidden states as tables for a terminal. Pure. */

import type { ClusterSummary } from "../../clustering/tables/cluster-table.js";
import type { StateSummary } from "../../clustering/tables/state-table.js";
import { aligned, clean, wrapped } from "./lines.js";
import { count, effect, interval, list, percent } from "./numbers.js";
import { judgement } from "./sentences.js";

const LINE_WIDTH = 80;
/** Columns of the table of means. */
const SHOWN = 12;

export type GroupingSummary = Omit<ClusterSummary, "timing"> | Omit<StateSummary, "timing">;

export function groupingText(result: GroupingSummary): string {
  const { verdict, notes } = judgement(result);
  const { rhat, essBulk, essTail } = result.diagnostics;
  const lines = [
    titleOf(result),
    ...(result.partial
      ? ["PARTIAL: the run was stopped before its end; the numbers are what was sampled so far."]
      : []),
    ...wrapped(clean(verdict), LINE_WIDTH),
    "",
    ...comparisonLines(result),
    ...aligned(meansTable(result)),
    "",
    ...(result.model === "states" ? [...aligned(movesTable(result)), ""] : []),
    ...(rhat !== undefined && essBulk !== undefined && essTail !== undefined
      ? [
          `R-hat at most ${rhat.toFixed(3)}, at least ${Math.round(Math.min(essBulk, essTail))} effective draws.`,
        ]
      : []),
    ...[...notes, ...(result.notes ?? [])].flatMap((note) => wrapped(clean(`Note: ${note}`), LINE_WIDTH)),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

export function titleOf(result: GroupingSummary): string {
  const { rows, columns, components, method } = result;
  const what = result.covariance === undefined ? "" : `, ${result.covariance} covariance`;
  return result.model === "clusters"
    ? `${count(rows, "row")} of ${count(columns.length, "column")} in ${count(components, "cluster")}${what} (${method})`
    : `${count(rows, "step")} of ${clean(list(columns, 4))} in ${count(result.sequences, "sequence")}, ${count(components, "state")}${what} (${method})`;
}

/** Numbers that were compared, the better the smaller their BIC. */
export function comparisonRows({ comparison }: GroupingSummary): string[][] {
  if (!comparison) return [];
  const rows = comparison.scores.map((score) => [
    String("components" in score ? score.components : score.states),
    score.logLikelihood.toFixed(1),
    score.bic.toFixed(1),
    score.score.mean.toFixed(3),
    `${score.behind.mean.toFixed(3)} ± ${score.behind.error.toFixed(3)}`,
  ]);
  return [
    ["number", "log likelihood at the mode", "BIC", "log density of rows left out", "behind the best"],
    ...rows,
  ];
}

function comparisonLines(result: GroupingSummary): string[] {
  const { comparison } = result;
  if (!comparison) return [];
  const failures = comparison.failures.map(({ failure, ...of }) => `${Object.values(of)[0]}: ${failure}`);
  return [
    ...aligned(comparisonRows(result)),
    ...wrapped(clean(comparison.reason), LINE_WIDTH),
    ...failures.flatMap((failure) => wrapped(clean(failure), LINE_WIDTH)),
    "",
  ];
}

/** A row for every column, or level, and a column for every cluster or state. */
export function meansTable(result: GroupingSummary): string[][] {
  const blocks = result.model === "clusters" ? result.clusters : result.states;
  const head = blocks.map((_, k) => `${result.model === "clusters" ? "cluster" : "state"} ${k + 1}`);
  const shares = blocks.map((block) => {
    const { mean, lower, upper } = "weight" in block ? block.weight : block.share;
    return `${percent(mean)} (${percent(lower)} to ${percent(upper)})`;
  });
  if (result.model === "states" && result.levels) {
    const levels = result.levels.map((level, v) => [
      clean(level),
      ...result.states.map(({ probabilities }) => {
        const { mean, lower, upper } = probabilities![v];
        return `${percent(mean)} (${percent(lower)} to ${percent(upper)})`;
      }),
    ]);
    return [["", ...head], ["share", ...shares], ...levels];
  }
  const means = result.columns.slice(0, SHOWN).flatMap((name, j) => [
    [
      clean(name),
      ...blocks.map(({ mean }) => `${effect(mean![j].mean)} (${interval(mean![j].lower, mean![j].upper)})`),
    ],
    ["  sd", ...blocks.map(({ covariance }) => effect(Math.sqrt(covariance![j][j].mean)))],
  ]);
  const more = result.columns.length - SHOWN;
  const rest = more > 0 ? [[`and ${count(more, "more column")}`]] : [];
  return [["", ...head], ["share", ...shares], ...means, ...rest];
}

/** From row to column. */
export function movesTable({ states, initial }: Omit<StateSummary, "timing">): string[][] {
  const name = (k: number): string => `state ${k + 1}`;
  return [
    ["moves from, to", ...states.map((_, k) => name(k))],
    ...states.map(({ transitions }, k) => [
      name(k),
      ...transitions.map(
        ({ mean, lower, upper }) => `${percent(mean)} (${percent(lower)} to ${percent(upper)})`,
      ),
    ]),
    ...(initial
      ? [
          [
            "begins in",
            ...initial.map(
              ({ mean, lower, upper }) => `${percent(mean)} (${percent(lower)} to ${percent(upper)})`,
            ),
          ],
        ]
      : []),
  ];
}
