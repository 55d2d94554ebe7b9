/** Columns as the lines of a CSV file. */

/** Lines handed over at a time. */
const AT_ONCE = 1000;

export type CsvColumns = Readonly<Record<string, ArrayLike<number | string>>>;

/** The first line: what columns are called. */
export const csvHead = (columns: CsvColumns): string => `${Object.keys(columns).map(cell).join(",")}\n`;

/** The file, some lines at a time. */
export function* csvLines(
  columns: CsvColumns,
  rows: number,
  /** Hears how many rows have been handed over. */
  onRows?: (done: number) => void,
): Iterable<string> {
  yield csvHead(columns);
  for (const [done, lines] of linesOf(Object.values(columns), rows)) {
    yield lines;
    onRows?.(done);
  }
}

/** Lines of some columns, and how many rows there have been with them. */
export function* linesOf(
  columns: readonly ArrayLike<number | string>[],
  rows: number,
): Iterable<readonly [number, string]> {
  for (let from = 0; from < rows; from += AT_ONCE) {
    const to = Math.min(rows, from + AT_ONCE);
    let lines = "";
    for (let i = from; i < to; i++) {
      // One text that grows: lists of cells would have to be thrown away again.
      for (let c = 0; c < columns.length; c++) lines += (c === 0 ? "" : ",") + cell(columns[c][i]);
      lines += "\n";
    }
    yield [to, lines];
  }
}

/** Numbers with all their digits; texts in quotes where they need them. */
function cell(value: number | string): string {
  if (typeof value !== "number")
    return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return Number.isNaN(value) ? "" : String(value);
}
