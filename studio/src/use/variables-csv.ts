import type { VariableSummary } from "sparrow-bayes/browser";

const COLUMNS = [
  "name",
  "pip",
  "pipError",
  "mean",
  "sd",
  "lower",
  "upper",
  "meanIfIncluded",
  "lowerIfIncluded",
  "upperIfIncluded",
  "signProbability",
  "selected",
] as const satisfies readonly (keyof VariableSummary)[];

/** A name that a spreadsheet would take for a formula is a name all the same. */
function cell(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function variablesCsv(variables: readonly VariableSummary[]): string {
  const lines = variables.map((variable) => COLUMNS.map((column) => cell(variable[column])).join(","));
  return `${[COLUMNS.join(","), ...lines].join("\n")}\n`;
}
