import { type ArrayColumn, arrayTable } from "./readers/arrays.js";
import { type Records, recordTable } from "./readers/records.js";
import type { ColumnTable } from "./table.js";

/** Data in memory: an array for each column, or an object for each row. */
export type DataInMemory = Readonly<Record<string, ArrayColumn>> | Records;

export function tableInMemory(data: DataInMemory, keys: readonly string[] = []): ColumnTable {
  return isRecords(data) ? recordTable(data, undefined, keys) : arrayTable(data, undefined, keys);
}

function isRecords(data: DataInMemory): data is Records {
  return Array.isArray(data);
}
