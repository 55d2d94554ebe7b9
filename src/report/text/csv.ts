/** Columns as the lines of a CSV file. */

/** Lines handed over at a time. */
const AT_ONCE = 1000;

export function* csvLines(
  columns: Readonly<Record<string, ArrayLike<number | string>>>,
  rows: number,
  /** Hears how many rows have been handed over. */
  onRows?: (done: number) => void,
): Iterable<string> {
  const all = Object.values(columns);
  yield `${Object.keys(columns).map(cell).join(",")}\n`;
  for (let from = 0; from < rows; from += AT_ONCE) {
    let lines = "";
    for (let i = from; i < Math.min(rows, from + AT_ONCE); i++) {
      // One text that grows: lists of cells would have to be thrown away again.
      for (let c = 0; c < all.length; c++) lines += (c === 0 ? "" : ",") + cell(all[c][i]);
      lines += "\n";
    }
    yield lines;
    onRows?.(Math.min(rows, from + AT_ONCE));
  }
}

/** Numbers with all their digits; texts in quotes where they need them. */
function cell(value: number | string): string {
  if (typeof value !== "number")
    return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return Number.isNaN(value) ? "" : String(value);
}
