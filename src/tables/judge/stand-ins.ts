/** Numbers like -999 that people write for what they do not know. */

import { option } from "../../wording.js";

const STAND_INS = [-999, -9999, -99999, -99, 99, 999, 9999, 99999, -1e9, 1e9];

export interface StandIn {
  readonly value: number;
  readonly count: number;
}

/** The ends of a column, value by value: what comes next to them, and how often they come. */
export class Ends {
  private readonly low = new End(1);
  private readonly high = new End(-1);

  look(value: number): void {
    this.low.look(value);
    this.high.look(value);
  }

  /** One that comes several times at an end of the range, further off than all others are apart. */
  get standIn(): StandIn | undefined {
    const { low, high } = this;
    return standIn(low, Math.abs(high.value - low.next)) ?? standIn(high, Math.abs(low.value - high.next));
  }
}

/** The least, or with a sign of −1 the largest. */
class End {
  value = Number.NaN;
  next = Number.NaN;
  count = 0;

  constructor(private readonly sign: 1 | -1) {}

  look(value: number): void {
    if (value === this.value) this.count += 1;
    else if (!(this.sign * value > this.sign * this.value)) {
      this.next = this.value;
      this.value = value;
      this.count = 1;
    } else if (!(this.sign * value > this.sign * this.next)) this.next = value;
  }
}

function standIn({ value, next, count }: End, others: number): StandIn | undefined {
  // Single precision and a shift leave their mark on what was read.
  const known = STAND_INS.find((each) => isNear(value, each));
  if (known === undefined || count < 2 || !(others > 0)) return undefined;
  return Math.abs(value - next) > others ? { value: known, count } : undefined;
}

const isNear = (value: number, each: number): boolean => Math.abs(value - each) <= 1e-6 * Math.abs(each);

/** Whether it is one of those numbers. */
export const isStandIn = (value: number): boolean => STAND_INS.some((each) => isNear(value, each));

/** What to say of it, after the name of the column. */
export const standInWords = ({ value, count }: StandIn): string =>
  `${value} comes ${count} times, far from the rest: ${option("na", [String(value)])} if it means a missing value`;
