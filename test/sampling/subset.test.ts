import { expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { subset } from "../../src/sampling/subset.js";

it("draws every pair of five equally often, never a unit twice", () => {
  const rng = Rng.seeded(6);
  const draw = subset(5, 2);
  const counts = new Map<string, number>();
  for (let t = 0; t < 10_000; t++) {
    const key = [...draw(rng)].sort().join("");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(counts.size).toBe(10);
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
  // The 0.999 quantile of χ² with 9 degrees of freedom.
  expect(chiSquare).toBeLessThan(27.9);
});

it("gives every unit when as many are asked for as there are", () => {
  expect([...subset(3, 3)(Rng.seeded(1))]).toEqual([0, 1, 2]);
});
