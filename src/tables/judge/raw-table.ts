/** A table as its source has it, before anybody has judged what the cells of its columns are. */

import type { ColumnIndex } from "../parquet/columns/column-index.js";
import type { AnyTable } from "../table.js";
import type { Cells } from "./cell-parser.js";

/** Cells are texts of any meaning; words are texts that the source itself calls categories. */
export type RawType = "number" | "integer" | "boolean" | "date" | "cells" | "words";

export interface RawColumn {
  readonly name: string;
  readonly type: RawType;
  /** What it holds when nothing can be made of it: "lists", "values of type blob", … */
  readonly problem?: string;
}

export type RawValues = ArrayLike<number> | Cells;

export interface RawChunk {
  readonly rows: number;
  /** Texts for cells and words, numbers for all others. */
  readonly columns: readonly RawValues[];
  readonly share?: number;
}

export interface RawTable extends AnyTable {
  readonly columns: readonly RawColumn[];
  readonly group?: string;
  readonly rows?: number;
  /** Between the values of a line, where there are lines. */
  readonly delimiter?: string | undefined;
  /** What is to be said of the file itself, in sentences. */
  readonly notes?: readonly string[] | undefined;
  chunks(columns: readonly number[]): AsyncIterable<RawChunk>;
  /** The same for the first rows alone, where that is less work. */
  head?(columns: readonly number[], rows: number): AsyncIterable<RawChunk>;
  notNumbers?(columns: readonly number[]): Promise<number[]>;
  /** Where the numbers of columns lie that can be read without the others. */
  readonly index?: ColumnIndex | undefined;
}
