/**
 * Mini-batches of a chain in memory, or of several laid end to end: windows of `length` steps that count, each with up to `buffer` steps of its
 * neighbours on either side. A window may start at any step, and before the first one so that the ends are not rarer:
 * of the T + length − 1 windows, equally likely, every step lies in `length`, so the weight is (T + length − 1)/length.
 * A window needs a buffer of 1 at least, or the transition into its first step is lost. A window may reach over the end
 * of a sequence: `starts` says where the next one begins, and no state informs another across it.
 */

import type { Rng } from "../math/rng.js";
import type { Rows, Stretch } from "../types.js";

export interface Stretches {
  readonly count: number;
  /** The window whose last step that counts is `last`, 0 … count − 1, cut to the chain. */
  window(last: number): Stretch;
  draw(rng: Rng): Stretch;
}

export function stretches(
  values: Rows["values"],
  settings: { columns?: number; length: number; buffer: number; starts?: Uint8Array | undefined },
): Stretches {
  const { columns = 1, buffer, starts } = settings;
  const steps = values.length / columns;
  const length = Math.min(steps, Math.max(1, Math.floor(settings.length)));
  const count = steps + length - 1;
  const window = (last: number): Stretch => {
    const first = Math.max(0, last - length + 1);
    const beyond = Math.min(steps, last + 1);
    const start = Math.max(0, first - buffer);
    const end = Math.min(steps, beyond + buffer);
    return {
      rows: end - start,
      columns,
      weight: count / length,
      values: values.subarray(start * columns, end * columns),
      from: first - start,
      to: beyond - start,
      ...(starts && { starts: starts.subarray(start, end) }),
    };
  };
  return { count, window, draw: (rng) => window(rng.below(count)) };
}
