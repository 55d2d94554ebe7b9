/**
 * Mini-batches of a matrix in memory: `batchRows` distinct rows drawn at random and gathered, every set equally likely.
 * Unlike the few blocks of a partition, whose errors span few directions, these have errors in every direction, which
 * Fisher scoring counts on. The batch is reused: it holds until the next draw.
 */

import type { Rng } from "../math/rng.js";
import { sample } from "../math/shuffle.js";
import type { Rows } from "../types.js";

export function rowSample(
  values: Rows["values"],
  columns: number,
  batchRows: number,
): { draw(rng: Rng): Rows } {
  const total = values.length / columns;
  const rows = Math.min(batchRows, total);
  const chosen = new Uint32Array(rows);
  const gathered = new Float64Array(rows * columns);
  const batch = { rows, columns, weight: total / rows, values: gathered };
  return {
    draw(rng) {
      sample(rng, chosen, total);
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) gathered[i * columns + j] = values[chosen[i] * columns + j];
      }
      return batch;
    },
  };
}
