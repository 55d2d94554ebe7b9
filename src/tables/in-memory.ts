import type { ReadingHints } from "./judge/hints.js";
import { type ArrayColumn, arrayTable } from "./readers/arrays.js";
import { type Records, recordTable } from "./readers/records.js";
import type { ColumnTable } from "./table.js";

/** Data in memory: an array for each column, or an object for each row. */
export type DataInMemory = Readonly<Record<string, ArrayColumn>> | Records;

export function tableInMemory(data: DataInMemory, hints: ReadingHints = {}): ColumnTable {
  return isRecords(data) ? recordTable(data, undefined, hints) : arrayTable(data, undefined, hints);
}

function isRecords(data: DataInMemory): data is Records {
  return Array.isArray(data);
}
