import { expect, it } from "vitest";
import { assignment } from "../../src/math/assignment.js";
import { Rng } from "../../src/math/rng.js";

function permutations(items: number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((x) => permutations(items.filter((y) => y !== x)).map((rest) => [x, ...rest]));
}

it("finds the cheapest of all permutations", () => {
  const rng = Rng.seeded(1);
  for (let n = 1; n <= 6; n++) {
    const all = permutations(Array.from({ length: n }, (_, i) => i));
    for (let trial = 0; trial < 20; trial++) {
      const cost = Array.from({ length: n }, () => Array.from({ length: n }, () => rng.uniform() - 0.3));
      const total = (columns: number[]): number => columns.reduce((sum, j, i) => sum + cost[i][j], 0);
      const best = Math.min(...all.map(total));
      const ours = assignment(cost);
      expect([...ours].sort()).toEqual(Array.from({ length: n }, (_, i) => i));
      expect(total(ours)).toBeCloseTo(best, 12);
    }
  }
});

it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses a cost of %d", (wrong) => {
  const costs = [
    [1, 2],
    [3, wrong],
  ];
  expect(() => assignment(costs)).toThrow(/not a finite number/);
  expect(() => assignment([[wrong]])).toThrow(/not a finite number/);
});
