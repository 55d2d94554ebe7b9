import { describe, expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { arena, implementations } from "./implementations.js";

describe.each(implementations)("sketching (%s)", (_, make) => {
  it("sums over stretches of any length, wherever they begin", async () => {
    const k = await make(1 << 17);
    const rng = Rng.seeded(5);
    for (const skew of [0, 4, 8, 12]) {
      const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 0, 23, 511, 512, 513, 1100];
      const ends = lengths.map((_, s) => lengths.slice(0, s + 1).reduce((a, b) => a + b, 0));
      const values = () => Float32Array.from({ length: ends[ends.length - 1] }, () => 4 * rng.uniform() - 2);
      const [x, r] = [values(), values()];
      const before = lengths.map((_, s) => 0.5 * s);
      const place = arena(k.memory, skew);
      const at = [place.float32(x), place.float32(r), place.uint32(ends), place.float64(before)] as const;
      k.stretchDots(at[3], at[0], at[1], at[2], ends.length);
      const after = new Float64Array(k.memory.buffer, at[3], ends.length);
      lengths.forEach((length, s) => {
        const terms = Array.from({ length }, (_, i) => x[ends[s] - length + i] * r[ends[s] - length + i]);
        const sum = terms.reduce((a, b) => a + b, before[s]);
        const size = terms.reduce((a, b) => a + Math.abs(b), Math.abs(before[s]));
        expect(Math.abs(after[s] - sum)).toBeLessThanOrEqual(1e-6 * size);
      });
    }
  });

  it("finds all products outside an interval, its ends included, and no others", async () => {
    const k = await make(1 << 17);
    const rng = Rng.seeded(6);
    for (const [n, columns] of [
      [8, 4],
      [16, 12],
      [64, 24],
      [136, 8],
    ]) {
      // The largest numbers that there are among them: unit vectors have no larger products.
      const size = 46340 / Math.sqrt(n);
      const vectors = Array.from({ length: columns + 2 }, () =>
        Int16Array.from({ length: n }, () => Math.min(32767, 2 * size) * (rng.uniform() - 0.5)),
      );
      const product = (a: Int16Array, b: Int16Array) => a.reduce((sum, value, i) => sum + value * b[i], 0);
      const all = [0, 1].flatMap((v) =>
        vectors.slice(2).map((column, c) => [v * columns + c, product(vectors[v], column)]),
      );
      const sorted = all.map(([, value]) => value).sort((a, b) => a - b);
      for (const [low, high] of [
        [sorted[1], sorted[sorted.length - 2]],
        [sorted[0] - 1, sorted[sorted.length - 1] + 1],
        [0, 1],
      ]) {
        const place = arena(k.memory, 8);
        const words = new Int16Array(vectors.flatMap((vector) => [...vector]));
        const x = place.uint32(new Uint32Array(words.buffer));
        const out = place.uint32(new Uint32Array(4 * columns));
        const many = k.farProducts(out, x, x + 2 * n, x + 4 * n, columns, n, low, high);
        const written = new Int32Array(k.memory.buffer, out, 2 * many);
        const found = Array.from({ length: many }, (_, f) => [written[2 * f], written[2 * f + 1]]);
        const wanted = all.filter(([, value]) => value <= low || value >= high);
        expect(found.sort((a, b) => a[0] - b[0])).toEqual(wanted);
      }
    }
  });
});
