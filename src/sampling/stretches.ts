/**
 * Mini-batches of a chain in memory: its steps are cut into blocks of `length` that count, and each block comes with up
 * to `buffer` steps of its neighbours on either side. With B blocks, each equally likely, the weight is B.
 */

import type { Rng } from "../math/rng.js";
import type { Rows, Stretch } from "../types.js";

export interface Stretches {
  readonly count: number;
  block(index: number): Stretch;
  draw(rng: Rng): Stretch;
}

export function stretches(
  values: Rows["values"],
  settings: { columns?: number; length: number; buffer: number },
): Stretches {
  const { columns = 1, buffer } = settings;
  const length = Math.max(1, Math.floor(settings.length));
  const steps = values.length / columns;
  const count = Math.ceil(steps / length);
  const block = (index: number): Stretch => {
    const start = Math.max(0, index * length - buffer);
    const end = Math.min(steps, (index + 1) * length + buffer);
    return {
      rows: end - start,
      columns,
      weight: count,
      values: values.subarray(start * columns, end * columns),
      from: index * length - start,
      to: Math.min(steps, (index + 1) * length) - start,
    };
  };
  return { count, block, draw: (rng) => block(rng.below(count)) };
}
