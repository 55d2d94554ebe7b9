import { digitDays } from "../cells/cell-reading.js";

/** What a column of numbers must be for its numbers to name rows or days: whole, all different, running, 20240304. */
export class WholeNumbers {
  count = 0;
  least = Number.POSITIVE_INFINITY;
  most = Number.NEGATIVE_INFINITY;
  private first = Number.NaN;
  private runs = true;
  private different: Set<number> | undefined = new Set();
  private days = true;
  private whole = true;

  /** Of every value that is not missing, front to back. */
  look(value: number): void {
    if (this.count === 0) this.first = value;
    else if (value !== this.first + this.count) this.runs = false;
    this.count += 1;
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
    if (this.whole && !Number.isInteger(value)) this.whole = false;
    if (this.days && !(value >= 19_000_101 && value <= 21_001_231 && !Number.isNaN(digitDays(value))))
      this.days = false;
    if (!this.different) return;
    if (!Number.isInteger(value) || this.different.has(value)) this.different = undefined;
    else this.different.add(value);
  }

  /** 0, 1, 2, … or 1, 2, 3, … from the first row to the last. */
  get isRunning(): boolean {
    return this.runs && (this.first === 0 || this.first === 1);
  }

  get isWhole(): boolean {
    return this.whole;
  }

  /** Whether every number is a day in eight digits. */
  get areDays(): boolean {
    return this.days && this.count > 0;
  }

  /** Whether no whole number comes twice, and there is nothing else. */
  get isDifferent(): boolean {
    return this.different !== undefined;
  }
}
