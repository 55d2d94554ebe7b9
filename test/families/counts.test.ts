import { describe, expect, test } from "vitest";
import { CountEvidence } from "../../src/families/counts.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { gamma, poisson } from "../../src/math/variates.js";

function areCounts(rows: number, draw: (rng: Rng, i: number) => number, seed = 1): boolean {
  const rng = Rng.seeded(seed);
  const evidence = new CountEvidence();
  for (let i = 0; i < rows; i++) evidence.look(draw(rng, i));
  return evidence.areCounts;
}

const bounded = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, Math.round(value)));

describe("whole numbers are taken for counts", () => {
  test.each<[string, number, (rng: Rng) => number]>([
    ["if they come from one Poisson law", 500, (rng) => poisson(rng, 2)],
    ["if they are few and small", 150, (rng) => poisson(rng, 1.5)],
    ["if most are zero", 5000, (rng) => poisson(rng, 0.3)],
    ["if their means differ much from row to row", 2000, (rng) => poisson(rng, Math.exp(2 * normal(rng)))],
    ["if they vary more than Poisson counts", 1000, (rng) => poisson(rng, 4 * gamma(rng, 0.7))],
  ])("%s", (_, rows, draw) => {
    for (let seed = 1; seed <= 20; seed++) expect(areCounts(rows, draw, seed), `seed ${seed}`).toBe(true);
  });
});

describe("whole numbers are not taken for counts", () => {
  test.each<[string, (rng: Rng, i: number) => number]>([
    ["ages", (rng) => bounded(40 + 20 * normal(rng), 0, 99)],
    ["ages of children", (rng) => rng.below(18)],
    ["stars from 1 to 5", (rng) => bounded(3.8 + normal(rng), 1, 5)],
    ["ratings from 0 to 10", (rng) => bounded(7 + 2.5 * normal(rng), 0, 10)],
    ["poor ratings from 0 to 4", (rng) => bounded(1.3 + 1.6 * normal(rng), 0, 4)],
    [
      "grades from 0 to 20, zero for those who did not come",
      (rng) => (rng.below(10) === 0 ? 0 : bounded(11 + 3 * normal(rng), 4, 20)),
    ],
    ["prices", (rng) => Math.round(Math.exp(4 + normal(rng)))],
    ["gains that are mostly zero", (rng) => (rng.below(10) > 0 ? 0 : Math.round(Math.exp(8 + normal(rng))))],
    ["years", (rng) => 1990 + rng.below(30)],
    ["hours of the day", (rng) => rng.below(24)],
    ["days of the week", (rng) => rng.below(7)],
    ["sums of two dice", (rng) => 2 + rng.below(6) + rng.below(6)],
    ["copies of a gene", (rng) => (rng.below(5) === 0 ? 1 : 0) + (rng.below(5) === 0 ? 1 : 0)],
    ["numbers of rows", (_, i) => i],
    ["people in a household", (rng) => 1 + poisson(rng, 1.4)],
  ])("%s", (_, draw) => {
    for (let seed = 1; seed <= 20; seed++) expect(areCounts(1000, draw, seed), `seed ${seed}`).toBe(false);
  });
});
