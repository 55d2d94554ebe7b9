/** Uniform permutations and samples without replacement (Fisher and Yates 1938; Durstenfeld 1964). */

import type { Rng } from "./rng.js";

interface Indexable<T> {
  readonly length: number;
  [index: number]: T;
}

/** Permutes `items` in place, every order equally likely. */
export function shuffle<T>(rng: Rng, items: Indexable<T>): void {
  shuffleFirst(rng, items, items.length - 1);
}

/**
 * The first steps of a shuffle, O(count): `items[0 … count)` become a uniform ordered sample of the items.
 * `items` stays a permutation of itself, so the same array serves again and again without a reset.
 */
export function shuffleFirst<T>(rng: Rng, items: Indexable<T>, count: number): void {
  const { length } = items;
  for (let i = 0; i < count; i++) {
    const j = i + rng.below(length - i);
    const item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
}

/**
 * Fills `out` with distinct members of {0, …, total − 1} in uniform random order, in O(out.length) time and memory
 * whatever the total: `shuffleFirst` on an identity of which only the moved entries are kept.
 */
export function sample(rng: Rng, out: Indexable<number>, total: number): void {
  if (out.length > total) throw new RangeError(`cannot draw ${out.length} of ${total} without replacement`);
  const moved = new Map<number, number>();
  for (let i = 0; i < out.length; i++) {
    const j = i + rng.below(total - i);
    out[i] = moved.get(j) ?? j;
    moved.set(j, moved.get(i) ?? i);
  }
}
