/**
 * A uniform random order of rows whose number is not known beforehand: every row gets a uniform label when it
 * arrives, rows are sorted by label, and the rows of one label are shuffled among themselves. Given the labels, all
 * orders within a label are equally likely, and the labels are exchangeable, so every order of all rows is equally
 * likely; it is how sorting by random keys works, with the low bits of the key drawn late. Rows of one label can
 * wait on disk, and memory has to hold one label's rows only. The order depends on the seed and on the number of
 * rows alone, not on where the rows waited.
 */

import { Rng } from "../../math/rng.js";
import { shuffle } from "../../math/shuffle.js";
import { RUN_STREAMS } from "../../sampling/streams.js";

export const LABELS = 256;

/** The labels of the rows, in the order of arrival. */
export function rowLabels(seed: number): () => number {
  const rng = Rng.seeded(seed).split(RUN_STREAMS.shuffle);
  return () => rng.uint32() >>> 24;
}

/** The order of `count` rows of one label: place i belongs to the row that arrived as number order[i]. */
export function orderWithin(seed: number, label: number, count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  if (count < 2) return order;
  shuffle(Rng.seeded(seed).split(RUN_STREAMS.shuffle).split(label), order);
  return order;
}

/** The last order of not too many rows: who asks about rows as they came asks for the one that they were read in. */
let last: { readonly seed: number; readonly order: Uint32Array } | undefined;
const MOST_KEPT = 1e6;

/** The whole order at once, which nobody writes to: place i belongs to the row that arrived as number order[i]. */
export function rowOrder(seed: number, rows: number): Uint32Array {
  if (last?.seed === seed && last.order.length === rows) return last.order;
  const order = madeOrder(seed, rows);
  if (rows <= MOST_KEPT) last = { seed, order };
  return order;
}

function madeOrder(seed: number, rows: number): Uint32Array {
  const next = rowLabels(seed);
  const labels = Uint8Array.from({ length: rows }, next);
  const start = new Uint32Array(LABELS + 1);
  for (const label of labels) start[label + 1] += 1;
  for (let k = 0; k < LABELS; k++) start[k + 1] += start[k];
  const arrived = new Uint32Array(rows);
  const fill = start.slice(0, LABELS);
  for (let row = 0; row < rows; row++) arrived[fill[labels[row]]++] = row;
  const order = new Uint32Array(rows);
  for (let k = 0; k < LABELS; k++) {
    const within = orderWithin(seed, k, start[k + 1] - start[k]);
    for (let i = 0; i < within.length; i++) order[start[k] + i] = arrived[start[k] + within[i]];
  }
  return order;
}
