/** The result as a table for a terminal. Pure. */

import type { FitResult, VariableSummary } from "../selection/result.js";

/** Unselected variables shown below the selected ones. */
const RUNNERS_UP = 5;
const MAX_SHOWN = 60;
const BAR = 10;

export function resultText(result: FitResult): string {
  const { rows, columns, target, variables } = result;
  const selected = variables.filter((variable) => variable.selected);
  const shown = variables
    .slice(0, Math.max(Math.min(selected.length, MAX_SHOWN) + RUNNERS_UP, 8))
    .filter((variable) => variable.selected || variable.pip > 0);
  const lines = [
    `${count(rows, "row")}, ${count(columns, "variable")}, target ${target} (${result.family})`,
    ...(result.partial
      ? ["PARTIAL: the run was stopped before its end; the numbers are what was sampled so far."]
      : []),
    ...(result.notes ?? []).map(clean),
    "",
    ...table(shown),
    "",
    verdict(result, selected),
  ];
  return `${lines.join("\n")}\n`;
}

function verdict(result: FitResult, selected: readonly VariableSummary[]): string {
  const { mean, lower, upper } = result.modelSize;
  const size = `Model size ${mean.toFixed(1)} (95% interval ${round(lower)} to ${round(upper)}).`;
  if (selected.length === 0)
    return `No variable is selected: none has an inclusion probability above 0.5. ${size}`;
  return `${count(selected.length, "variable")} selected (inclusion probability above 0.5). ${size}`;
}

function table(variables: readonly VariableSummary[]): string[] {
  const head = ["", "variable", "probability", "", "effect", "95% interval"];
  const body = variables.map((v) => [
    v.selected ? "*" : "",
    clean(v.name),
    probability(v.pip),
    bar(v.pip),
    effect(v.mean),
    `${effect(v.lower)} to ${effect(v.upper)}`,
  ]);
  const rows = [head, ...body];
  const widths = head.map((_, c) => Math.max(...rows.map((row) => [...row[c]].length)));
  const right = new Set([2, 4, 5]);
  return rows.map((row) =>
    row
      .map((cell, c) => {
        const pad = " ".repeat(widths[c] - [...cell].length);
        return right.has(c) ? pad + cell : cell + pad;
      })
      .join("  ")
      .trimEnd(),
  );
}

function bar(share: number): string {
  const eighths = Math.round(share * BAR * 8);
  const part = " ▏▎▍▌▋▊▉"[eighths % 8];
  return ("█".repeat(Math.floor(eighths / 8)) + (eighths % 8 ? part : "")).padEnd(BAR);
}

/** Names come from files: control characters must not reach the terminal. */
function clean(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  return name.replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
}

function probability(pip: number): string {
  if (pip > 0.9995 && pip < 1) return ">0.999";
  if (pip < 0.0005 && pip > 0) return "<0.001";
  return pip.toFixed(3);
}

function effect(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-4 ? value.toExponential(2) : value.toPrecision(4);
}

function round(value: number): string {
  return String(Math.round(value));
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
}
