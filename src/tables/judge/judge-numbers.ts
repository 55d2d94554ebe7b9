/** Whole numbers that are moments: seconds since 1970 under a name of time, or days in eight digits. */

import { type CellReading, digitDays } from "../cells/cell-reading.js";
import type { ColumnHint } from "./hints.js";
import type { Remark } from "./remarks.js";
import type { WholeNumbers } from "./whole-numbers.js";

const NAME =
  /(?:^|[_\s.-])(?:time|date|day|timestamp|datetime|ts|created|updated|modified|epoch|when|at|on)s?(?:$|[_\s.-])|(?:At|Date|Time|Timestamp)$|^(?:unix|epoch)/i;
const UNITS = [
  [1, "seconds"],
  [1e3, "milliseconds"],
  [1e6, "microseconds"],
  [1e9, "nanoseconds"],
] as const;
/** 1990 and 2100, in seconds. */
const [FROM, TO] = [631_152_000, 4_102_444_800];

export interface Moments {
  readonly reading: CellReading;
  readonly remarks: readonly Remark[];
}

export function judgeWholeNumbers(
  column: string,
  numbers: WholeNumbers,
  hint: ColumnHint,
): Moments | undefined {
  const { reading, isNumber } = hint;
  if (reading)
    return reading.as === "epoch" || (reading.as === "date" && reading.format === "digits")
      ? { reading, remarks: [] }
      : undefined;
  if (isNumber || numbers.count < 3 || !numbers.isWhole) return undefined;
  const { least, most } = numbers;
  const areDays =
    numbers.areDays && !Number.isNaN(digitDays(least)) && !Number.isNaN(digitDays(most)) && least < most;
  if (areDays) {
    return {
      reading: { as: "date", format: "digits" },
      remarks: [{ about: "digits", column, detail: String(least) }],
    };
  }
  if (!NAME.test(column)) return undefined;
  const unit = UNITS.find(([perSecond]) => least >= FROM * perSecond && most <= TO * perSecond);
  if (!unit) return undefined;
  return {
    reading: { as: "epoch", perSecond: unit[0] },
    remarks: [{ about: "epoch", column, detail: unit[1] }],
  };
}
