/** A table as the store builder sees it: named columns of numbers, in chunks of rows. No statistics here. */
export interface Table {
  /** For messages: the file, or "the data". */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Absent where only reading to the end would tell. */
  readonly rows?: number;
  /** Size of the files, where there are any. */
  readonly bytes?: number;
  /**
   * The numbers of the given columns, front to back; a chunk is good until the next one is asked for. Missing values are NaN. Dates are days since 1970-01-01,
   * booleans 0 and 1, and text is the position in the column's `levels`.
   */
  chunks(columns: readonly number[]): AsyncIterable<Chunk> | Iterable<Chunk>;
  /** Which of the columns hold NaN as a value of its own; absent where nothing tells it from a missing one. */
  notNumbers?(columns: readonly number[]): Promise<number[]>;
  close?(): void;
}

export interface TableColumn {
  readonly name: string;
  /** `number` unless said otherwise. */
  readonly kind?: ColumnKind;
  /** What the column holds when none of the kinds fits: "lists", "values of type blob", … */
  readonly problem?: string;
  /** The different texts met so far, in the order of their first appearance: complete once the last chunk is read. */
  readonly levels?: readonly string[];
}

export type ColumnKind = "number" | "boolean" | "date" | "text";

export interface Chunk {
  readonly rows: number;
  readonly columns: readonly ArrayLike<number>[];
  /** Share of the input that has been read so far, where the rows are not known beforehand. */
  readonly share?: number;
}

/** A table of which most values are zero, row by row: what LIBSVM files hold. */
export interface SparseTable {
  readonly name: string;
  /** Name of the target: LIBSVM calls it the label. */
  readonly target: string;
  /** Size of the files, where there are any. */
  readonly bytes?: number;
  chunks(): AsyncIterable<SparseChunk> | Iterable<SparseChunk>;
  close?(): void;
}

/** Row i has the entries starts[i] … starts[i + 1) of `columns` (from 0, rising) and `values`. */
export interface SparseChunk {
  readonly rows: number;
  readonly target: Float64Array;
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float64Array;
  readonly share?: number;
}
