import type { CellReading } from "./cells/cell-reading.js";
import type { Aside } from "./judge/remarks.js";
import type { ReadingAsked } from "./reading-asked.js";

/** A table as those see it who read it: numbers in chunks of rows, by columns or by entries. No statistics here. */
export type Table = ColumnTable | EntryTable;

/** What all tables have. */
export interface AnyTable {
  /** For messages: the file, or "the data". */
  readonly name: string;
  /** Size of the files, where there are any. */
  readonly bytes?: number;
  /** The column to explain, where the source knows it: LIBSVM calls it the label, a store was made for it. */
  readonly target?: string;
  /** Set where rows of the source were left out, so that the numbers of rows are not the source's. */
  readonly partial?: true;
  /** Gives up files and memory. */
  close?(): void;
}

/** Named columns. Whatever is not sparse. */
export interface ColumnTable extends AnyTable {
  /** Tells it from a table of entries. */
  readonly by: "columns";
  /** In the order of the data. */
  readonly columns: readonly TableColumn[];
  /** The column that says which group a row belongs to, where the source knows it. */
  readonly group?: string;
  /** Absent where only reading to the end would tell. */
  readonly rows?: number;
  /**
   * The numbers of the given columns, front to back; a chunk is good until the next one is asked for. Missing values are NaN. Dates are days since 1970-01-01,
   * booleans 0 and 1, and text is the position in the column's `levels`.
   */
  chunks(columns: readonly number[]): AsyncIterable<Chunk> | Iterable<Chunk>;
  /** What is to be said of the way in which the file and these columns were read, in sentences. */
  remarks?(columns: readonly number[]): string[];
  /** What was asked of the way in which the file is read, for those who will read others like it. */
  readonly asked?: ReadingAsked;
  /** Which of the columns hold NaN as a value of its own; absent where nothing tells it from a missing one. */
  notNumbers?(columns: readonly number[]): Promise<number[]>;
}

/** A column, before its numbers are read. */
export interface TableColumn {
  /** As the data have it. */
  readonly name: string;
  /** `number` unless said otherwise. */
  readonly kind?: ColumnKind;
  /** What the column holds when none of the kinds fits: "lists", "values of type blob", … */
  readonly problem?: string;
  /** Why the column cannot be used as it is, in a sentence that says what to do. */
  readonly refusal?: string;
  /** Why the column is no variable unless somebody asks for it. */
  readonly aside?: Aside;
  /** How its cells are read, where that does not go without saying. */
  readonly reading?: CellReading;
  /** Whether no row that was looked at has a value. */
  readonly empty?: true;
  /** The different texts met so far, in the order of their first appearance: complete once the last chunk is read. */
  readonly levels?: readonly string[];
  /** How false and true are written, of booleans that are words in the file. */
  readonly spelt?: readonly string[];
}

export type ColumnKind = "number" | "boolean" | "date" | "text";

/** Some rows of some columns. */
export interface Chunk {
  /** How many. */
  readonly rows: number;
  /** One array a column that was asked for. */
  readonly columns: readonly ArrayLike<number>[];
  /** Share of the input that has been read so far, where the rows are not known beforehand. */
  readonly share?: number;
}

/** Most values are zero and absent: what LIBSVM files hold. The columns are called 1, 2, … */
export interface EntryTable extends AnyTable {
  /** Tells it from a table of columns. */
  readonly by: "entries";
  /** The column to explain, which every row has. */
  readonly target: string;
  /** All rows, front to back; a chunk is good until the next one is asked for. */
  chunks(): AsyncIterable<SparseChunk> | Iterable<SparseChunk>;
}

/** Row i has the entries starts[i] … starts[i + 1) of `columns` (from 0, rising) and `values`. */
export interface SparseChunk {
  /** How many. */
  readonly rows: number;
  /** Of each row. */
  readonly target: Float64Array;
  /** Where the entries of each row begin, and where the last one ends. */
  readonly starts: Uint32Array;
  /** Of each entry, from 0. */
  readonly columns: Uint32Array;
  /** Of each entry. */
  readonly values: Float64Array;
  /** Share of the input that has been read so far. */
  readonly share?: number;
}
