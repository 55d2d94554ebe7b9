/** What the cells of a column say of the order in which its dates are written. */

import { type DateFormat, readDate, readDigits, readTime } from "../cells/dates.js";
import type { Example } from "./number-evidence.js";

export class DateEvidence {
  /** Cells that are dates in one order or the other. */
  dates = 0;
  /** Times of the day without a date. */
  times = 0;
  /** Eight digits that are a day. */
  digits = 0;
  readonly only: Record<"dmy" | "mdy", { count: number; first?: Example }> = {
    dmy: { count: 0 },
    mdy: { count: 0 },
  };
  /** The first cell that is another day in each order. */
  either?: Example;

  constructor(private readonly format: DateFormat | undefined) {}

  /** Whether the cell is a date or a time. */
  look(cell: string, row: number): boolean {
    if (readDigits(cell) !== undefined) this.digits += 1;
    if (this.format !== undefined) {
      const found = readDate(cell, this.format) !== undefined;
      if (found) this.dates += 1;
      return found;
    }
    if (readTime(cell) !== undefined) {
      this.times += 1;
      return true;
    }
    const [dmy, mdy] = [readDate(cell, "dmy"), readDate(cell, "mdy")];
    if (dmy === undefined && mdy === undefined) return false;
    this.dates += 1;
    const either = dmy !== undefined && mdy !== undefined;
    if (either && dmy !== mdy) {
      // With points between them the day comes first.
      if (/^\d{1,2}\.\d{1,2}\./.test(cell)) this.note("dmy", cell, row);
      else this.either ??= { cell, row };
    } else if (!either) this.note(dmy === undefined ? "mdy" : "dmy", cell, row);
    return true;
  }

  /** Whether somebody gave a pattern. */
  get isAsked(): boolean {
    return this.format?.includes("%") === true;
  }

  /** Undefined where both orders stand and nothing tells between them. */
  order(): DateFormat | undefined {
    if (this.format !== undefined) return this.format;
    const { dmy, mdy } = this.only;
    if (dmy.count === 0 && mdy.count === 0) return this.either ? undefined : "ymd";
    return dmy.count >= mdy.count ? "dmy" : "mdy";
  }

  private note(order: "dmy" | "mdy", cell: string, row: number): void {
    const of = this.only[order];
    of.count += 1;
    of.first ??= { cell, row };
  }
}
