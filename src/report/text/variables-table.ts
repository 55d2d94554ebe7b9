/** The variables in columns, as many of them as there is room for. */

import type { VariableSummary } from "../../selection/answer/result.js";
import { displayWidth, shortenedApart } from "./display-width.js";
import { clean } from "./lines.js";
import { effect, probability } from "./numbers.js";
import type { Screen } from "./screen.js";

/** Errors below this do not show in three digits. */
const VISIBLE_ERROR = 0.0005;
/** Names have the room that is left, within these. */
const NAME_WIDTH = { least: 8, most: 48 };
/** From these widths of the screen on there are bars, and what holds if a variable is in. */
const [WITH_BARS, WITH_IF_IN] = [72, 116];
const BAR = 10;
const BETWEEN = "  ";
/** The place of the names among the columns. */
const NAME = 1;

interface Column {
  readonly head: string;
  readonly right?: true;
  readonly faint?: true;
  cell(v: VariableSummary): string;
}

/** `doubted` are those that another prior would select or not. */
export function variablesTable(
  variables: readonly VariableSummary[],
  doubted: ReadonlySet<string>,
  { width, ink }: Screen,
): string[] {
  if (variables.length === 0) return [];
  const errors = variables.some(({ pipError }) => pipError >= VISIBLE_ERROR);
  const narrow = width < WITH_BARS;
  const wide = width >= WITH_IF_IN;
  const columns: Column[] = [
    { head: "", cell: (v) => (v.selected ? "*" : " ") + (doubted.has(v.name) ? "?" : "") },
    { head: "variable", cell: (v) => clean(v.name) },
    { head: narrow ? "prob." : "probability", right: true, cell: (v) => probability(v.pip) },
    ...(errors
      ? [
          {
            head: "±",
            cell: (v: VariableSummary) => (v.pipError >= VISIBLE_ERROR ? v.pipError.toFixed(3) : ""),
          },
        ]
      : []),
    ...(narrow ? [] : [{ head: "", faint: true as const, cell: (v: VariableSummary) => bar(v.pip) }]),
    ...(narrow
      ? []
      : [{ head: "effect", right: true as const, cell: (v: VariableSummary) => effect(v.mean) }]),
    interval("95% interval", variables, (v) => [v.lower, v.upper]),
    ...(wide
      ? [
          {
            head: "effect if in",
            right: true as const,
            cell: (v: VariableSummary) => effect(v.meanIfIncluded),
          },
          interval("95% interval if in", variables, (v) => [v.lowerIfIncluded, v.upperIfIncluded]),
        ]
      : []),
  ];
  const cells = variables.map((v) => columns.map((column) => column.cell(v)));
  const widths = columns.map(({ head }, c) =>
    Math.max(displayWidth(head), ...cells.map((row) => displayWidth(row[c]))),
  );
  const others = widths.reduce((sum, each, c) => sum + (c === NAME ? 0 : each + BETWEEN.length), 0);
  const room = Math.max(NAME_WIDTH.least, Math.min(NAME_WIDTH.most, width - others));
  const names = shortenedApart(
    cells.map((row) => row[NAME]),
    room,
  );
  for (const [i, row] of cells.entries()) row[NAME] = names[i];
  widths[NAME] = Math.max(displayWidth(columns[NAME].head), ...names.map(displayWidth));
  const line = (row: readonly string[], paint: (text: string, c: number) => string): string =>
    row
      .map((cell, c) => {
        const pad = " ".repeat(widths[c] - displayWidth(cell));
        const painted = paint(cell, c);
        return columns[c].right ? pad + painted : painted + pad;
      })
      .join(BETWEEN)
      .trimEnd();
  return [
    line(
      columns.map(({ head }) => head),
      (text) => ink.faint(text),
    ),
    ...variables.map((v, i) =>
      line(cells[i], (text, c) =>
        columns[c].faint ? ink.faint(text) : v.selected && c < 2 ? ink.strong(text) : text,
      ),
    ),
  ];
}

/** Two numbers, the first ones below each other. */
function interval(
  head: string,
  variables: readonly VariableSummary[],
  ends: (v: VariableSummary) => readonly [number, number],
): Column {
  const widest = Math.max(...variables.map((v) => effect(ends(v)[0]).length));
  return {
    head,
    cell(v) {
      const [lower, upper] = ends(v).map(effect);
      return `${lower.padStart(widest)} to ${upper}`;
    },
  };
}

function bar(share: number): string {
  const eighths = Math.round(share * BAR * 8);
  const part = " ▏▎▍▌▋▊▉"[eighths % 8];
  return ("█".repeat(Math.floor(eighths / 8)) + (eighths % 8 ? part : "")).padEnd(BAR);
}
