import type { Rng } from "../math/rng.js";

/** Draws `size` of `count` without replacement, uniformly, in O(size): the front of a shuffle that is never undone. */
export function subset(count: number, size: number): (rng: Rng) => Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const front = order.subarray(0, size);
  if (size >= count) return () => front;
  return (rng) => {
    for (let i = 0; i < size; i++) {
      const j = i + rng.below(count - i);
      const chosen = order[j];
      order[j] = order[i];
      order[i] = chosen;
    }
    return front;
  };
}
