/** A table as the store builder sees it: named columns of numbers, in chunks of rows. No statistics here. */
export interface Table {
  /** For messages: the file, or "the data". */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly rows: number;
  /** The numbers of the given columns, front to back. Missing values are NaN. */
  chunks(columns: readonly number[]): AsyncIterable<Chunk> | Iterable<Chunk>;
  close?(): void;
}

export interface TableColumn {
  readonly name: string;
  /** What the column holds when it is not numbers: "text", "date", … */
  readonly problem?: string;
}

export interface Chunk {
  readonly rows: number;
  readonly columns: readonly ArrayLike<number>[];
}
