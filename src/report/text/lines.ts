/** Text in lines: columns that stand below each other, and paragraphs that end at a margin. */

import { displayWidth } from "./display-width.js";

/** One line a row, every column as wide as its widest cell. Rows may be short. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, c) => {
      widths[c] = Math.max(widths[c] ?? 0, displayWidth(cell));
    });
  return rows.map((row) =>
    row
      .map((cell, c) => cell + " ".repeat(widths[c] - displayWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
}

/** Lines of at most so many cells, broken at spaces. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else if (word !== "") lines.push(word);
  }
  return lines;
}

/** Names come from files: control characters must not reach the terminal. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "�");
}
