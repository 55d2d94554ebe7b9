import { SparrowError } from "../../errors.js";
import type { ReadingHints } from "../judge/hints.js";
import type { ColumnTable } from "../table.js";
import { type ArrayValue, arrayTable } from "./arrays.js";

/** One object a row: `[{ x: 1, y: 2 }, { x: 3, y: 4 }]`. What a record lacks is missing. */
export type Records = readonly Readonly<Record<string, ArrayValue>>[];

/** A table from records. The columns come in the order in which the records first have them. */
export function recordTable(records: Records, name = "the data", hints: ReadingHints = {}): ColumnTable {
  const columns = new Map<string, ArrayValue[]>();
  records.forEach((record, row) => {
    if (typeof record !== "object" || record === null || Array.isArray(record)) {
      throw new SparrowError(
        `${name}: row ${row + 1} is not an object like { x: 1, y: 2 }; give one object a row.`,
        "data",
      );
    }
    for (const [column, value] of Object.entries(record)) {
      let values = columns.get(column);
      if (!values) {
        values = new Array<ArrayValue>(records.length).fill(undefined);
        columns.set(column, values);
      }
      values[row] = value;
    }
  });
  if (columns.size === 0) {
    throw new SparrowError(`${name} have no rows: [{ x: 1, y: 2 }, { x: 3, y: 4 }] has two.`, "data");
  }
  return arrayTable(Object.fromEntries(columns), name, hints);
}
