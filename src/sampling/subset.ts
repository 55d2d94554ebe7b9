import type { Rng } from "../math/rng.js";
import { shuffleFirst } from "../math/shuffle.js";

/** Draws `size` of `count` without replacement, uniformly, in O(size). The same array each time, in random order. */
export function subset(
  count: number,
  size: number,
  /** Of all, as earlier draws have left it. */
  order: Uint32Array = Uint32Array.from({ length: count }, (_, i) => i),
): (rng: Rng) => Uint32Array {
  const front = order.subarray(0, size);
  return (rng) => {
    if (size < count) shuffleFirst(rng, order, size);
    return front;
  };
}
