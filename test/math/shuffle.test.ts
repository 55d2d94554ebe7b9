import { describe, expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { sample, shuffle, shuffleFirst } from "../../src/math/shuffle.js";
import { chiSquareP } from "../goodness.js";

// Each p-value has to exceed 1e-4: that is the false-alarm rate for a fresh seed. Seeds are fixed.
const ALPHA = 1e-4;

function tally(draws: number, draw: () => ArrayLike<number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i < draws; i++) {
    const key = Array.from(draw()).join(" ");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const uniformP = (counts: Map<string, number>): number =>
  chiSquareP(
    [...counts.values()],
    [...counts].map(() => 1),
  );

describe("shuffle", () => {
  it("makes each of the 24 orders of 4 equally likely", () => {
    const rng = Rng.seeded(4);
    const counts = tally(48_000, () => {
      const items = Uint32Array.of(0, 1, 2, 3);
      shuffle(rng, items);
      return items;
    });
    expect(counts.size).toBe(24);
    expect(uniformP(counts)).toBeGreaterThan(ALPHA);
  });

  it("keeps every element of a long array, and takes arrays of anything", () => {
    const items = Uint32Array.from({ length: 10_000 }, (_, i) => i);
    shuffle(Rng.seeded(1), items);
    expect(items.slice(0, 100)).not.toEqual(Uint32Array.from({ length: 100 }, (_, i) => i));
    expect(items.sort()).toEqual(Uint32Array.from({ length: 10_000 }, (_, i) => i));
    const words = ["a", "b", "c"];
    shuffle(Rng.seeded(1), words);
    expect(words.sort()).toEqual(["a", "b", "c"]);
    const none: number[] = [];
    shuffle(Rng.seeded(1), none);
    expect(none).toEqual([]);
  });
});

describe("sampling without replacement", () => {
  it("shuffleFirst gives each ordered pair of 5 equally likely, again and again on the same array", () => {
    const rng = Rng.seeded(5);
    const items = Uint32Array.of(0, 1, 2, 3, 4);
    const counts = tally(40_000, () => {
      shuffleFirst(rng, items, 2);
      return items.slice(0, 2);
    });
    expect(counts.size).toBe(20);
    expect(uniformP(counts)).toBeGreaterThan(ALPHA);
    expect(items.sort()).toEqual(Uint32Array.of(0, 1, 2, 3, 4));
  });

  it("sample gives each ordered triple of 5 equally likely", () => {
    const rng = Rng.seeded(6);
    const out = new Uint32Array(3);
    const counts = tally(60_000, () => {
      sample(rng, out, 5);
      return out;
    });
    expect(counts.size).toBe(60);
    expect(uniformP(counts)).toBeGreaterThan(ALPHA);
  });

  it("sample of all is a permutation, and of few among 4 billion is distinct and spread", () => {
    const all = new Uint32Array(100);
    sample(Rng.seeded(7), all, 100);
    expect(all.sort()).toEqual(Uint32Array.from({ length: 100 }, (_, i) => i));
    const few = new Uint32Array(20_000);
    sample(Rng.seeded(8), few, 2 ** 32);
    expect(new Set(few).size).toBe(few.length);
    const counts = new Float64Array(16);
    for (const x of few) counts[x >>> 28] += 1;
    expect(
      chiSquareP(
        counts,
        counts.map(() => 1),
      ),
    ).toBeGreaterThan(ALPHA);
  });

  it("sample refuses to draw more than there are", () => {
    expect(() => sample(Rng.seeded(1), new Uint32Array(3), 2)).toThrow("cannot draw 3 of 2");
  });
});
