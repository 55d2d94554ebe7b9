import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";

/** Bytes held for a column, however few rows there are: 700 to read a million of them, more to fit them. */
const HELD = 1500;
/** What a process may hold beyond its memory, less what it holds before it reads anything. */
const BEYOND = 250e6;
const USUAL = 4e9;

/** A header that nothing good can come of; no other reader is to try. */
export class TooWide extends SparrowError {}

/** Columns that a file may have. */
export function mostColumns(memory: number = USUAL): number {
  return Math.floor((1.3 * memory + BEYOND) / HELD);
}

export function tooManyColumns(name: string, most: number): TooWide {
  return new TooWide(
    `${name} has more than ${most.toLocaleString("en-US")} columns, which take more memory than there is for them; raise ${option("memory")}, or leave columns out of the file.`,
    "data",
  );
}

export function endlessLine(name: string): TooWide {
  return new TooWide(
    `${name} has a first line that is too long to hold the names of columns; check that it is a text file with lines.`,
    "format",
  );
}
