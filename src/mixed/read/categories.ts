/**
 * How columns become variables in a mixed model: a number, boolean or date is one, a text is one for each of its
 * values but the most frequent. Which value that is takes a pass of its own over the rows, where there are texts.
 */

import { rankLevels } from "../../store/build/encode.js";
import { type ColumnEncoding, variableNames } from "../../store/layout/encoding.js";
import type { ColumnTable, TableColumn } from "../../tables/table.js";
import { sameEverywhere } from "./left-out.js";

/** The variables of one column, and where the value of a row goes. */
export interface Variables {
  readonly encoding: ColumnEncoding;
  readonly names: readonly string[];
  /** Of every level of a text: the variable that is 1, or −1 for the baseline; absent for numbers. */
  readonly places?: readonly number[];
}

export function numberVariables(table: ColumnTable, column: number): Variables {
  const { name, kind = "number", reading } = table.columns[column];
  if (kind === "text") throw new Error(`"${name}" is text`);
  return variables({ column: name, kind, ...(reading && { reading }) });
}

/** Counts the values of a text column. */
export class LevelCounts {
  /** Rows of each level. */
  private readonly used: number[] = [];

  constructor(
    private readonly table: ColumnTable,
    private readonly column: number,
  ) {}

  look(code: number): void {
    this.used[code] = (this.used[code] ?? 0) + 1;
  }

  /** Once all rows have been looked at. */
  variables(): Variables {
    return textVariables(this.table.columns[this.column], this.used);
  }
}

/** Of a text whose levels come so often; those that never come count for nothing. */
export function textVariables({ name, levels = [], reading }: TableColumn, counts: number[]): Variables {
  const { baseline, others } = rankLevels(levels, { counts });
  const places = levels.map((_, code) => others.indexOf(code));
  const encoding = {
    column: name,
    kind: "text" as const,
    baseline: levels[baseline],
    levels: others.map((code) => levels[code]),
    ...(reading && { reading }),
  };
  const found = { ...variables(encoding), places };
  if (found.names.length > 0) return found;
  throw sameEverywhere(name);
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
