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
      [2, 16],
      [8, 16],
      [20, 48],
      [64, 32],
      [136, 16],
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
        const panel = place.uint32(new Uint32Array((columns * n) / 2));
        k.weave(panel, x + 4 * n, columns, n);
        const out = place.uint32(new Uint32Array(4 * columns));
        const many = k.farProducts(out, x, x + 2 * n, panel, columns, n, low, high);
        const written = new Int32Array(k.memory.buffer, out, 2 * many);
        const found = Array.from({ length: many }, (_, f) => [written[2 * f], written[2 * f + 1]]);
        const wanted = all.filter(([, value]) => value <= low || value >= high);
        expect(found.sort((a, b) => a[0] - b[0])).toEqual(wanted);
      }
    }
  });

  it("adds up columns in place, and hands them on as shorter numbers", async () => {
    const k = await make(1 << 17);
    const rng = Rng.seeded(7);
    for (const n of [0, 1, 2, 5, 16, 129]) {
      const columns = 3;
      const values = (length: number) => Float64Array.from({ length }, () => 4 * rng.uniform() - 2);
      const [x, panel, weights] = [values(n), values(columns * n), values(columns)];
      const place = arena(k.memory, 8);
      const at = [place.float64(x), place.float64(panel), place.float64(weights)] as const;
      const wanted = x.map(
        (value, i) => -1.5 * value + weights.reduce((sum, w, c) => sum + w * panel[c * n + i], 0),
      );
      const squares = k.combine(at[0], -1.5, at[1], at[2], columns, n);
      expect(squares).toBeCloseTo(
        wanted.reduce((sum, value) => sum + value * value, 0),
        10,
      );
      const out = [place.float32(new Float32Array(n)), place.float32(new Float32Array(n))];
      k.narrow(out[0], at[0], 0.25, n);
      const narrow = new Float32Array(k.memory.buffer, out[0], n);
      wanted.forEach((value, i) => {
        expect(narrow[i]).toBeCloseTo(0.25 * value, 6);
      });
      k.shorten(out[1], out[0], 1000, n);
      new Int16Array(k.memory.buffer, out[1], n).forEach((value, i) => {
        expect(Math.abs(value - 1000 * narrow[i])).toBeLessThanOrEqual(0.5 + 1e-3);
      });
    }
  });

  it("takes the even one of two integers that are equally near", async () => {
    const k = await make(1 << 17);
    const place = arena(k.memory, 0);
    const x = place.float32([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49, -32767]);
    const out = place.float32(new Float32Array(8));
    k.shorten(out, x, 1, 8);
    expect([...new Int16Array(k.memory.buffer, out, 8)].map((v) => v + 0)).toEqual([
      0, 2, 2, 0, -2, -2, 0, -32767,
    ]);
  });

  it("turns the signs of the elements whose bit is not set", async () => {
    const k = await make(1 << 17);
    const place = arena(k.memory, 4);
    const values = [1.5, -2, 0.25, 7, -9];
    const words = [0b1000, 0, 0xffffffff, 0b0111, 0x80000008];
    const at = [place.float32(values), place.uint32(words), place.float32(new Float32Array(5))] as const;
    k.flip(at[2], at[0], at[1], 3, 5);
    expect([...new Float32Array(k.memory.buffer, at[2], 5)]).toEqual([1.5, 2, 0.25, -7, -9]);
    k.flip(at[2], at[0], at[1], 31, 5);
    expect([...new Float32Array(k.memory.buffer, at[2], 5)]).toEqual([-1.5, 2, 0.25, -7, -9]);
  });
});
