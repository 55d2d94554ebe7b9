/** What is odd about a column, in sentences without their subject. */

import type { TableColumn } from "../../tables/table.js";
import { option } from "../../wording.js";
import type { ColumnSummary } from "./column-summary.js";

/** Shares from which a column is nearly empty, or nearly constant. */
const [EMPTY, SAME] = [0.9, 0.99];
/** Numbers that people write for what they do not know. */
const STAND_INS = [-999, -9999, -99999, -99, 99, 999, 9999, 99999, -1e9, 1e9];

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
  const standIn = column.kind === "number" || column.kind === undefined ? standsIn(summary) : undefined;
  if (standIn !== undefined)
    odd.push(
      `${standIn.value} comes ${standIn.count} times, far from the rest: ${option("na", [String(standIn.value)])} if it means a missing value`,
    );
  return odd;
}

/** A number like -999 that comes several times at the end of the range, further off than all others are apart. */
function standsIn({ counts }: ColumnSummary): { value: number; count: number } | undefined {
  if (!counts || counts.size < 3) return undefined;
  const values = [...counts.keys()].sort((a, b) => a - b);
  for (const value of [values[0], values[values.length - 1]]) {
    const count = counts.get(value)!;
    if (!STAND_INS.includes(value) || count < 2) continue;
    const others = values.filter((each) => each !== value);
    const [least, most] = [others[0], others[others.length - 1]];
    const gap = Math.min(Math.abs(value - least), Math.abs(value - most));
    if (gap > most - least) return { value, count };
  }
  return undefined;
}

export function percent(share: number): string {
  const hundred = 100 * share;
  if (hundred === 0 || hundred === 100) return `${hundred}%`;
  return hundred > 99 || hundred < 1 ? `${hundred.toFixed(1)}%` : `${Math.round(hundred)}%`;
}
