import { describe, expect, it, vi } from "vitest";
import { aliasTable } from "../../src/math/alias.js";
import { Rng } from "../../src/math/rng.js";
import { chiSquareP } from "../goodness.js";

// Each p-value has to exceed 1e-4: that is the false-alarm rate for a fresh seed. Seeds are fixed.
const ALPHA = 1e-4;

function counts(weights: ArrayLike<number>, draws: number, seed: number): Float64Array {
  const table = aliasTable(weights);
  const rng = Rng.seeded(seed);
  const out = new Float64Array(weights.length);
  for (let i = 0; i < draws; i++) out[table.draw(rng)] += 1;
  return out;
}

describe("aliasTable", () => {
  it.each([
    ["one weight", [3]],
    ["equal weights", [1, 1, 1, 1, 1]],
    ["mixed weights", [0.1, 5, 2, 0.4, 1, 1]],
    ["zeros among them", [0, 2, 0, 0, 1, 3, 0]],
    ["huge weights", [1e308, 1e308, 5e307]],
    ["tiny weights", [1e-310, 2e-310, 4e-310]],
  ])("draws in proportion to %s", (_, weights) => {
    const n = counts(weights, 100_000, 1);
    const largest = Math.max(...weights);
    if (weights.length > 1)
      expect(
        chiSquareP(
          n,
          weights.map((w) => w / largest),
        ),
      ).toBeGreaterThan(ALPHA);
    weights.forEach((w, i) => {
      if (w === 0) expect(n[i]).toBe(0);
    });
    expect(n.reduce((a, b) => a + b)).toBe(100_000);
  });

  it("draws in proportion to a thousand random weights", () => {
    const rng = Rng.seeded(2);
    const weights = Float64Array.from({ length: 1000 }, () => 0.1 + rng.uniform() ** 3);
    expect(chiSquareP(counts(weights, 500_000, 3), weights)).toBeGreaterThan(ALPHA);
  });

  it("never draws a weight of zero, whatever rounding leaves over", () => {
    for (let seed = 0; seed < 200; seed++) {
      const rng = Rng.seeded(seed);
      const weights = Float64Array.from({ length: 37 }, () =>
        rng.uniform() < 0.5 ? 0 : rng.uniform() ** 20,
      );
      weights[5] = 0.3;
      const n = counts(weights, 2000, seed);
      weights.forEach((w, i) => {
        if (w === 0 && n[i] > 0) throw new Error(`drew weight ${i} of seed ${seed}`);
      });
    }
  });

  it("passes over a first or last zero even when the uniform is at the end of its range", () => {
    const rng = Rng.seeded(1);
    const uniform = vi.spyOn(rng, "uniform");
    uniform.mockReturnValue(0);
    expect(aliasTable([0, 1, 2]).draw(rng)).not.toBe(0);
    uniform.mockReturnValue(1 - 2 ** -53);
    expect(aliasTable([1, 2, 0]).draw(rng)).not.toBe(2);
    expect(aliasTable([1, 2, 2]).draw(rng)).toBeLessThan(3);
  });

  it("refuses weights that are negative, not numbers, infinite, all zero or absent", () => {
    expect(() => aliasTable([1, -1])).toThrow("weight 1 is -1");
    expect(() => aliasTable([Number.NaN])).toThrow("weight 0 is NaN");
    expect(() => aliasTable([1, Number.POSITIVE_INFINITY])).toThrow("weight 1 is Infinity");
    expect(() => aliasTable([0, 0])).toThrow("at least one weight");
    expect(() => aliasTable([])).toThrow("at least one weight");
  });
});
