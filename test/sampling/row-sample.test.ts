import { expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { rowSample } from "../../src/sampling/row-sample.js";

// χ² with 9 degrees over 10 pairs: above 33.7 with probability 1e-4.
it("draws every pair of five rows equally often and keeps each row whole", () => {
  const batches = rowSample(Float64Array.of(0, 10, 1, 11, 2, 12, 3, 13, 4, 14), 2, 2);
  const rng = Rng.seeded(1);
  const counts = new Map<string, number>();
  for (let t = 0; t < 10_000; t++) {
    const { values, rows, weight } = batches.draw(rng);
    expect([rows, weight]).toEqual([2, 2.5]);
    expect([values[1] - values[0], values[3] - values[2]]).toEqual([10, 10]);
    const pair = [values[0], values[2]].sort().join();
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  expect(counts.size).toBe(10);
  const chi2 = [...counts.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
  expect(chi2).toBeLessThan(33.7);
});
