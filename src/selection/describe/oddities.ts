/** What is odd about a column, in sentences without their subject. */

import { standInWords } from "../../tables/judge/stand-ins.js";
import type { TableColumn } from "../../tables/table.js";
import type { ColumnSummary } from "./column-summary.js";

/** Shares from which a column is nearly empty, or nearly constant. */
const [EMPTY, SAME] = [0.9, 0.99];

export function oddities(column: TableColumn, summary: ColumnSummary, twin: string | undefined): string[] {
  const { rows, missing, filled } = summary;
  const odd: string[] = [];
  if (filled === 0) return ["no value in any row"];
  if (missing >= EMPTY * rows) odd.push(`${percent(missing / rows)} missing`);
  if (summary.least === summary.most) odd.push("the same value in every row");
  else {
    const { mode } = summary;
    if (mode && mode.count >= SAME * filled) odd.push(`mostly one value (${percent(mode.count / filled)})`);
  }
  if (twin !== undefined) odd.push(`a copy of "${twin}"`);
  const standIn = column.kind === "number" || column.kind === undefined ? summary.ends.standIn : undefined;
  if (standIn) odd.push(standInWords(standIn));
  return odd;
}

export function percent(share: number): string {
  const hundred = 100 * share;
  if (hundred === 0 || hundred === 100) return `${hundred}%`;
  return hundred > 99 || hundred < 1 ? `${hundred.toFixed(1)}%` : `${Math.round(hundred)}%`;
}
