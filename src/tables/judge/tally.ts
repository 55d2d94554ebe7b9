/** What the cells of a column are, counted while somebody reads them. */

import { isBooleanWord } from "../cells/cell-reading.js";
import type { DateFormat } from "../cells/dates.js";
import type { MissingWords } from "../cells/missing-words.js";
import { DateEvidence } from "./date-evidence.js";
import { NumberEvidence } from "./number-evidence.js";
import { WholeNumbers } from "./whole-numbers.js";

export interface Counted {
  count: number;
  /** Of the first, from 0. */
  readonly row: number;
}

/** Beyond this many different cells nobody counts further. */
const MOST_DIFFERENT = 100_000;

export class Tally {
  rows = 0;
  /** Cells that are missing whatever the column is. */
  holes = 0;
  booleans = 0;
  readonly numbers = new NumberEvidence();
  readonly dates: DateEvidence;
  readonly wholes = new WholeNumbers();
  /** Different cells, without the spaces around them. */
  readonly cells = new Map<string, Counted>();
  /** Those that are neither a number nor a date, nor a word for a missing one. */
  readonly words = new Map<string, Counted>();
  wordCount = 0;
  /** Those that are missing among numbers: "none", "unknown". */
  readonly absent = new Map<string, Counted>();
  absentCount = 0;
  /** Words for what is missing anywhere, such as "?". */
  readonly gone = new Map<string, Counted>();
  /** Whether there are more different cells than were counted. */
  isFull = false;

  constructor(
    private readonly missing: MissingWords,
    format: DateFormat | undefined,
  ) {
    this.dates = new DateEvidence(format);
  }

  /** Cells that are not missing. */
  get filled(): number {
    return this.rows - this.holes;
  }

  look(raw: string | null | undefined): void {
    const row = this.rows++;
    if (raw === null || raw === undefined) {
      this.holes += 1;
      return;
    }
    const cell = raw.trim();
    if (this.missing.inText(cell)) {
      this.holes += 1;
      count(this.gone, cell, row);
      return;
    }
    const known = this.cells.get(cell);
    if (known) known.count += 1;
    else if (this.cells.size < MOST_DIFFERENT) this.cells.set(cell, { count: 1, row });
    else this.isFull = true;
    this.judge(cell, row);
  }

  private judge(cell: string, row: number): void {
    if (isBooleanWord(cell)) this.booleans += 1;
    const isNumber = this.numbers.look(cell, row);
    if (isNumber) this.wholes.look(/^[+-]?\d{1,15}$/.test(cell) ? Number(cell) : Number.NaN);
    if (this.dates.look(cell, row) || isNumber) return;
    if (this.missing.inNumbers(cell)) {
      this.absentCount += 1;
      count(this.absent, cell, row);
    } else {
      this.wordCount += 1;
      count(this.words, cell, row);
    }
  }
}

function count(into: Map<string, Counted>, cell: string, row: number): void {
  const known = into.get(cell);
  if (known) known.count += 1;
  else if (into.size < MOST_DIFFERENT) into.set(cell, { count: 1, row });
}
