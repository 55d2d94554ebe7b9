/** What a value of a column is called: groups are known by these names. */

import type { ColumnKind, TableColumn } from "./table.js";

const DAY = 86_400_000;

const LABELS: Readonly<Record<Exclude<ColumnKind, "text">, (value: number) => string>> = {
  number: String,
  boolean: (value) => String(value !== 0),
  date: (value) => new Date(value * DAY).toISOString().replace("T00:00:00.000Z", ""),
};

export function labelOf({ kind = "number", levels = [] }: TableColumn, value: number): string {
  return kind === "text" ? levels[value] : LABELS[kind](value);
}
