/**
 * Where every number lives: `[block][run][row]`, float32. Rows are cut into blocks as evenly as possible, each
 * dense column of a block is one contiguous, 16-byte aligned run, and the target is the last run of every block.
 * Pure arithmetic: the resident store and the file share it.
 */
export interface Layout {
  readonly rows: number;
  /** Predictor columns; the target is column number `columns`. */
  readonly columns: number;
  /** How many of them are dense, and so have runs. */
  readonly dense: number;
  readonly blocks: number;
  /** Elements from one run to the next. */
  readonly stride: number;
  /** Bytes of all runs. */
  readonly bytes: number;
}

export function layout(rows: number, columns: number, blockRows: number, dense = columns): Layout {
  const blocks = Math.max(1, Math.round(rows / blockRows));
  const stride = 4 * Math.ceil(Math.ceil(rows / blocks) / 4);
  return { rows, columns, dense, blocks, stride, bytes: 4 * stride * (dense + 1) * blocks };
}

/** The first row of block b; `firstRow(layout, blocks)` is the number of rows. */
export function firstRow({ rows, blocks }: Layout, b: number): number {
  return Math.floor((b * rows) / blocks);
}

export function rowsIn(of: Layout, b: number): number {
  return firstRow(of, b + 1) - firstRow(of, b);
}

/** The block that holds a row: the inverse of firstRow. */
export function blockOf(of: Layout, row: number): number {
  return Math.floor(((row + 1) * of.blocks - 1) / of.rows);
}

/** Byte offset of a run from the start of the data. */
export function runOffset({ dense, stride }: Layout, b: number, run: number): number {
  return 4 * stride * (b * (dense + 1) + run);
}
