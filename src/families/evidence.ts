/** What is learnt of a target while it is read, for the judgement of its family. */

import { CountEvidence } from "./counts.js";
import type { TargetValues } from "./family.js";

export class TargetEvidence {
  /** Up to three different values, in the order of their first appearance. */
  readonly values: number[] = [];
  private least = Number.POSITIVE_INFINITY;
  private most = Number.NEGATIVE_INFINITY;
  private between: number | undefined;
  private counts: CountEvidence | undefined = new CountEvidence();

  /** Takes the value of so many rows; `actual` is what it means, where it lacks the shift. */
  look(value: number, actual = value, rows = 1): void {
    if (value !== this.least && value !== this.most) this.stretch(value);
    const whole = Math.round(actual);
    const off = Math.abs(actual - whole) > 1e-6 * Math.max(1, Math.abs(actual));
    if (off || whole < 0) this.counts = undefined;
    else this.counts?.look(Math.abs(whole), rows);
  }

  private stretch(value: number): void {
    if (this.values.length < 3 && !this.values.includes(value)) this.values.push(value);
    // Of three different values the middle one is between: an old extreme, or the new value.
    const middle = Math.max(this.least, Math.min(value, this.most));
    if (this.least < this.most) this.between = middle;
    this.least = Math.min(this.least, value);
    this.most = Math.max(this.most, value);
  }

  /** The values as a store holds them, less the shift; `stored` does that to one of those that were looked at. */
  as(stored: (value: number) => number, shift: number): TargetValues {
    const [least, most] = [stored(this.least), stored(this.most)];
    // Numbers of a tiny scale all lie near 0.
    const counts = most - least > 0.5 ? this.counts : undefined;
    return {
      shift,
      least,
      most,
      ...(this.between !== undefined && { between: stored(this.between) }),
      ...(counts && { counts }),
    };
  }
}
