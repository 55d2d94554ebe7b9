/** Numbers of a table as text. */

import type { Average } from "../../../diagnostics/selection-error.js";
import { count } from "../../../report/text/numbers.js";

export function rowLabel(row: { method: string; preset: string; moves?: number }): string {
  const moves = row.moves === undefined ? "" : `, ${count(row.moves, "move")} per model`;
  return `${row.method}, ${row.preset} settings${moves}`;
}

export function cell(value: number): string {
  return value === 0 ? "0" : value < 1e-2 ? value.toExponential(2) : String(Number(value.toPrecision(3)));
}

export function averageCell({ mean, se }: Average): string {
  return `${cell(mean)} (${se === undefined ? "–" : cell(se)})`;
}
