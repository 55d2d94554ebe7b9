import type { Rng } from "./rng.js";

/** Fisher–Yates, in place: every order is equally likely. */
export function shuffle<T extends Uint32Array | Float64Array | unknown[]>(rng: Rng, items: T): T {
  for (let i = items.length - 1; i > 0; i--) {
    const k = rng.below(i + 1);
    const held = items[i];
    items[i] = items[k];
    items[k] = held;
  }
  return items;
}

/** A uniformly random order of 0 … count − 1. */
export function permutation(rng: Rng, count: number): Uint32Array {
  return shuffle(
    rng,
    Uint32Array.from({ length: count }, (_, i) => i),
  );
}

/** Fills `out` with distinct integers below `bound`, every set equally likely (Floyd's algorithm). */
export function sampleWithoutReplacement(rng: Rng, out: Uint32Array, bound: number): void {
  const n = out.length;
  if (n === 1) {
    out[0] = rng.below(bound);
    return;
  }
  const taken = new Set<number>();
  for (let i = 0; i < n; i++) {
    const top = bound - n + i;
    const candidate = rng.below(top + 1);
    const choice = taken.has(candidate) ? top : candidate;
    taken.add(choice);
    out[i] = choice;
  }
}
