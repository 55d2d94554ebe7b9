import { expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { arena, implementations } from "./implementations.js";

/** Roundings of float64 in a sum of a thousand terms, and of the product of three numbers. */
const ROUNDING = 1e-13;

it.each(implementations)("sums products of all columns with weights and a residual (%s)", async (_, make) => {
  const k = await make(1 << 18);
  const rng = Rng.seeded(7);
  for (const [columns, n] of [
    [1, 1],
    [2, 7],
    [3, 255],
    [4, 256],
    [5, 257],
    [6, 513],
    [9, 1000],
    [12, 300],
  ]) {
    const stride = n + 3;
    const values = (length: number) => Float32Array.from({ length }, () => 4 * rng.uniform() - 2);
    const [panel, w, r] = [values(columns * stride), values(n), values(n)];
    const before = Array.from({ length: columns + columns * columns }, (_, i) => 0.25 * i);
    const place = arena(k.memory, 4);
    const at = [place.float32(panel), place.float32(w), place.float32(r), place.float64(before)] as const;
    const room = place.float64(new Float64Array(k.informationRoom(columns)).fill(Number.NaN));
    k.informationSums(at[3], at[0], stride, columns, at[1], at[2], n, room);
    const after = new Float64Array(k.memory.buffer, at[3], before.length);
    const holds = (place: number, term: (i: number) => number): void => {
      const terms = Array.from({ length: n }, (_, i) => term(i));
      const sum = terms.reduce((a, b) => a + b, before[place]);
      const size = terms.reduce((a, b) => a + Math.abs(b), Math.abs(before[place]));
      expect(Math.abs(after[place] - sum)).toBeLessThanOrEqual(ROUNDING * size);
    };
    const x = (c: number, i: number): number => panel[c * stride + i];
    for (let c = 0; c < columns; c++) {
      holds(c, (i) => x(c, i) * r[i]);
      for (let d = c; d < columns; d++) {
        holds(columns + c * columns + d, (i) => x(c, i) * x(d, i) * w[i]);
      }
    }
  }
});
