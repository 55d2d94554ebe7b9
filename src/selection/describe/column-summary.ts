/** What the values of a column are, in two passes: one for counts and range, one for the histogram. */

import { ColumnHash } from "../../tables/checksum.js";
import { Ends } from "../../tables/judge/stand-ins.js";

/** Different numbers that are counted one by one. */
const MOST_DIFFERENT = 1000;
export const BINS = 16;

export class ColumnSummary {
  rows = 0;
  missing = 0;
  least = Number.POSITIVE_INFINITY;
  most = Number.NEGATIVE_INFINITY;
  /** How often each value comes; cleared once there are too many. */
  counts: Map<number, number> | undefined = new Map();
  readonly ends = new Ends();
  readonly histogram = new Array<number>(BINS).fill(0);
  private seen = 0;
  private mean_ = 0;
  private squares = 0;
  private readonly hash = new ColumnHash();

  /** Texts are counted however many there are. */
  constructor(private readonly isText: boolean) {}

  look(values: ArrayLike<number>, rows: number): void {
    this.rows += rows;
    this.hash.look(values, rows);
    for (let i = 0; i < rows; i++) {
      const value = values[i];
      if (Number.isNaN(value)) this.missing += 1;
      else this.take(value);
    }
  }

  private take(value: number): void {
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
    this.seen += 1;
    const delta = value - this.mean_;
    this.mean_ += delta / this.seen;
    this.squares += delta * (value - this.mean_);
    this.ends.look(value);
    if (!this.counts) return;
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
    if (this.counts.size > MOST_DIFFERENT && !this.isText) this.counts = undefined;
  }

  /** The second pass. */
  place(values: ArrayLike<number>, rows: number): void {
    const width = (this.most - this.least) / BINS;
    if (!(width > 0) || !Number.isFinite(width)) return;
    for (let i = 0; i < rows; i++) {
      if (Number.isNaN(values[i])) continue;
      this.histogram[Math.min(BINS - 1, Math.floor((values[i] - this.least) / width))] += 1;
    }
  }

  get filled(): number {
    return this.rows - this.missing;
  }

  get mean(): number {
    return this.mean_;
  }

  get sd(): number {
    return this.filled > 1 ? Math.sqrt(this.squares / (this.filled - 1)) : 0;
  }

  /** Equal for columns that hold the same. */
  get identity(): string {
    return this.hash.text;
  }

  /** The value that comes most often, where they were counted. */
  get mode(): { readonly value: number; readonly count: number } | undefined {
    let best: { value: number; count: number } | undefined;
    for (const [value, count] of this.counts ?? []) if (!best || count > best.count) best = { value, count };
    return best;
  }
}
