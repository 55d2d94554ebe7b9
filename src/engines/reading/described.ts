/** Sums of stored numbers, from those of the numbers as they are: what columns hold tells it, and nobody asks again. */

import type { ColumnFacts } from "../../store/build/column-facts.js";
import type { Encoded } from "../../store/build/encode.js";
import type { Numbers } from "./facts.js";

/** Where a mean is at most so many standard deviations from zero, a sum of squares loses three digits of sixteen. */
const NEAR = 30;

interface Known {
  readonly facts: readonly ColumnFacts[];
  readonly numbers: ReadonlyMap<number, Numbers>;
}

/** Σu, Σu² and Σuy of every variable, then of the target; NaN of levels, of columns with holes and of those far from zero. */
export function describedSums(
  { sources, success }: Encoded,
  { facts, numbers }: Known,
  rows: number,
): Float64Array {
  const out = new Float64Array(3 * (sources.length + 1)).fill(Number.NaN);
  const place = facts.length - 1;
  const y = numbers.get(place);
  if (!y || success !== undefined || !isNear(y, facts[place].shift)) return out;
  const t = facts[place].shift;
  [...sources, { staged: place, level: undefined }].forEach(({ staged, level }, j) => {
    const x = numbers.get(staged);
    const { shift: s, missing } = facts[staged];
    if (!x || level !== undefined || missing > 0 || !isNear(x, s)) return;
    out[3 * j] = x.sum - rows * s;
    out[3 * j + 1] = x.squares - 2 * s * x.sum + rows * s * s;
    out[3 * j + 2] = x.cross - s * y.sum - t * x.sum + rows * s * t;
  });
  return out;
}

/** A column that is not shifted is its own. */
function isNear({ count, sum, squares }: Numbers, shift: number): boolean {
  const mean = sum / count;
  return shift === 0 || mean * mean <= NEAR * NEAR * (squares / count - mean * mean);
}
