/** What the cells of a column say of the way in which its numbers are written. */

import { type Decimal, readNumber } from "../cells/numbers.js";

export interface Example {
  readonly cell: string;
  /** From 0. */
  readonly row: number;
}

/** What is known of the file beyond the column. */
export interface Surroundings {
  /** Asked for, or seen in other columns. */
  readonly decimal?: Decimal | undefined;
  /** Between the values of a line. */
  readonly delimiter?: string | undefined;
}

export class NumberEvidence {
  /** Cells that are a number one way or the other. */
  numbers = 0;
  /** The first in percent, and the first that is none and is not zero, which is the same in any unit. */
  percent?: Example;
  plain?: Example;
  readonly currencies = new Map<string, Example>();
  /** Cells that only one of the two decimal signs can read, with the first of each. */
  readonly only: Record<Decimal, { count: number; first?: Example }> = {
    ".": { count: 0 },
    ",": { count: 0 },
  };
  /** Cells that mean different numbers, such as 1,234 and 1.234. */
  readonly either: Record<Decimal, { count: number; first?: Example }> = {
    ".": { count: 0 },
    ",": { count: 0 },
  };
  /** Cells with a sign between thousands, if the decimal sign is this one. */
  readonly grouped: Record<Decimal, number> = { ".": 0, ",": 0 };
  /** Whole numbers without any sign between thousands, below and from a thousand. */
  private small = 0;
  private large = 0;
  private zeroLed?: Example;
  private width: number | undefined;

  /** Whether the cell is a number. */
  look(cell: string, row: number): boolean {
    const [point, comma] = [readNumber(cell, "."), readNumber(cell, ",")];
    const read = point ?? comma;
    if (!read) return false;
    this.numbers += 1;
    if (read.percent) this.percent ??= { cell, row };
    else if (read.value !== 0) this.plain ??= { cell, row };
    if (point?.grouped) this.grouped["."] += 1;
    if (comma?.grouped) this.grouped[","] += 1;
    if (read.currency !== undefined && !this.currencies.has(read.currency))
      this.currencies.set(read.currency, { cell, row });
    this.lookAtDigits(cell, row);
    if (!comma) count(this.only["."], cell, row);
    else if (!point) count(this.only[","], cell, row);
    else if (point.value !== comma.value) count(this.either[cell.includes(",") ? "," : "."], cell, row);
    else if (Number.isInteger(point.value)) this[Math.abs(point.value) < 1000 ? "small" : "large"] += 1;
    return true;
  }

  /** 02134 is a code where all are as long; undefined where there is no such cell. */
  get code(): Example | undefined {
    return this.width !== undefined && this.width > 0 ? this.zeroLed : undefined;
  }

  /** Which sign is the decimal one; undefined where both readings stand and nothing tells between them. */
  decimal({ decimal, delimiter }: Surroundings): Decimal | undefined {
    const [point, comma] = [this.only["."].count, this.only[","].count];
    if (point > 0 || comma > 0) return comma > point ? "," : ".";
    const ambiguous = this.either[","].count > 0;
    if (ambiguous && this.either["."].count > 0) return decimal;
    if (!ambiguous) return this.either["."].count > 0 && decimal === "," ? "," : ".";
    if (decimal !== undefined) return decimal;
    // 987 beside 1,234: thousands. 1234 beside 1,234: decimals.
    if (this.small > 0 && this.large === 0) return ".";
    if (this.large > 0 && this.small === 0) return ",";
    return delimiter === "," ? "." : undefined;
  }

  private lookAtDigits(cell: string, row: number): void {
    const digits = /^\d+$/.test(cell);
    if (this.width === undefined) this.width = digits ? cell.length : -1;
    else if (!digits || cell.length !== this.width) this.width = -1;
    if (digits && cell.length > 1 && cell.startsWith("0")) this.zeroLed ??= { cell, row };
  }
}

function count(of: { count: number; first?: Example }, cell: string, row: number): void {
  of.count += 1;
  of.first ??= { cell, row };
}
