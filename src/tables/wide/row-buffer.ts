import type { RawChunk, RawValues } from "../judge/raw-table.js";

/** Rows that are handed over together: numbers row by row as they come, column by column as they go. */
export class RowBuffer {
  rows = 0;
  /** Of the columns of text, each. */
  readonly cells: (string | null)[][];
  private values: Float64Array;

  constructor(
    /** Which columns of the table hold numbers, and which text. */
    readonly numbers: readonly number[],
    readonly texts: readonly number[],
  ) {
    this.cells = texts.map(() => []);
    this.values = new Float64Array(16 * numbers.length);
  }

  /** The place for the numbers of one row more. */
  nextRow(): Float64Array {
    const width = this.numbers.length;
    const at = width * this.rows++;
    if (at + width > this.values.length) {
      const grown = new Float64Array(2 * this.values.length);
      grown.set(this.values);
      this.values = grown;
    }
    return this.values.subarray(at, at + width);
  }

  chunk(wanted: readonly number[]): RawChunk {
    const { rows, values } = this;
    const width = this.numbers.length;
    const turned = new Float64Array(rows * width);
    for (let i = 0; i < rows; i++)
      for (let c = 0; c < width; c++) turned[c * rows + i] = values[i * width + c];
    const found = new Map<number, RawValues>();
    this.numbers.forEach((c, i) => {
      found.set(c, turned.subarray(i * rows, (i + 1) * rows));
    });
    this.texts.forEach((c, i) => {
      found.set(c, this.cells[i]);
    });
    return { rows, columns: wanted.map((c) => found.get(c)!) };
  }
}
