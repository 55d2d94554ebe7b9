/**
 * How columns become variables in a mixed model: a number, boolean or date is one, a text is one for each of its
 * values but the most frequent. Which value that is takes a pass of its own over the rows, where there are texts.
 */

import { SparrowError } from "../../errors.js";
import { rankLevels } from "../../store/build/encode.js";
import { type ColumnEncoding, variableNames } from "../../store/layout/encoding.js";
import type { ColumnTable } from "../../tables/table.js";

/** The variables of one column, and where the value of a row goes. */
export interface Variables {
  readonly encoding: ColumnEncoding;
  readonly names: readonly string[];
  /** Of every level of a text: the variable that is 1, or −1 for the baseline; absent for numbers. */
  readonly places?: readonly number[];
}

export function numberVariables(table: ColumnTable, column: number): Variables {
  const { name, kind = "number" } = table.columns[column];
  if (kind === "text") throw new Error(`"${name}" is text`);
  return variables({ column: name, kind });
}

/** Counts the values of a text column. */
export class LevelCounts {
  /** Rows of each level, and of those the ones that are used. */
  private readonly all: number[] = [];
  private readonly used: number[] = [];
  private readonly first: number[] = [];

  constructor(
    private readonly table: ColumnTable,
    private readonly column: number,
  ) {}

  look(code: number, row: number, isUsed: boolean): void {
    if (this.all[code] === undefined) {
      this.all[code] = 0;
      this.used[code] = 0;
      this.first[code] = row;
    }
    this.all[code] += 1;
    if (isUsed) this.used[code] += 1;
  }

  /** Once all rows have been looked at. */
  variables(rows: number): Variables {
    const { name, levels = [] } = this.table.columns[this.column];
    this.refuseStray(name, levels, rows);
    const { baseline, others } = rankLevels(levels, { counts: this.used });
    const places = levels.map((_, code) => others.indexOf(code));
    const encoding = {
      column: name,
      kind: "text" as const,
      baseline: levels[baseline],
      levels: others.map((code) => levels[code]),
    };
    return { ...variables(encoding), places };
  }

  /** Words among numbers are more often slips of the pen than categories. */
  private refuseStray(name: string, levels: readonly string[], rows: number): void {
    const words = levels.flatMap((level, code) => (isNumber(level) ? [] : [code]));
    if (words.length === 0 || words.length === levels.length) return;
    const count = words.reduce((sum, code) => sum + this.all[code], 0);
    const earliest = words.reduce((best, code) => (this.first[code] < this.first[best] ? code : best));
    throw new SparrowError(
      `Column "${name}" of ${this.table.name} holds text in ${count} of ${rows} rows, first "${levels[earliest]}" in data row ${this.first[earliest] + 1}: correct it, or leave the column out.`,
      "data",
    );
  }
}

function isNumber(level: string): boolean {
  return level.trim() !== "" && Number.isFinite(Number(level));
}

function variables(encoding: ColumnEncoding): Variables {
  const { column } = encoding;
  const names = variableNames({
    columns: [encoding],
    target: { column, kind: encoding.kind },
    missing: "drop",
  });
  return { encoding, names };
}
