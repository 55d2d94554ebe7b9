/** What a table of numbers may know beside what it tells those who read rows. */

import type { ColumnTable } from "../../table.js";
import type { ColumnIndex } from "./column-index.js";

/** Columns that lie apart in their files and need no judgement: any thread can read any of them. */
export interface ColumnsApart {
  readonly index: ColumnIndex;
  /** Fails where the files were written to since they were opened. */
  check(): void;
  /** Told which of the columns hold NaN as a value of its own. */
  met(notNumbers: readonly number[]): void;
}

/** No more than a `ColumnTable` to the world: whoever has other chunks must not have this. */
export interface ApartTable extends ColumnTable {
  /** These columns, each of them read without the others; undefined where they cannot be. */
  apart?(columns: readonly number[]): ColumnsApart | undefined;
}

export function columnsApart(table: ApartTable, columns: readonly number[]): ColumnsApart | undefined {
  return table.apart?.(columns);
}
