import { expect, it } from "vitest";
import { Rng } from "../../../src/math/rng.js";
import { lawsOf } from "../../../src/selection/posterior/laws/many-laws.js";
import { modelLaw } from "../../../src/selection/posterior/laws/model-law.js";
import { statisticsOf } from "../problems.js";
import { doubtful, learned, P } from "./doubtful.js";

const rng = Rng.seeded(3);
const centre = { target: 3, weight: 24, means: Array.from({ length: P }, () => rng.uniform() - 0.5) };
const statistics = statisticsOf(doubtful(24, 0.6), true);
const [FINE, TOTAL] = [1300, 8];
const SCALES = [0.01, 0.1, 0.3, 1, 3, 10, 60];

/** More of them than a kernel works on at a time, in any order of their members, the empty one among them. */
const models = Array.from({ length: 2500 }, (_, m) => {
  const members = Array.from({ length: P }, (_, j) => j).filter(() => rng.uniform() < 0.5);
  return {
    members: m === 7 ? [] : m % 2 ? members : members.reverse(),
    probability: 1 / (m + 1),
  };
});

it.each([
  ["independent", undefined],
  ["independent", 1.1],
  ["zellner", undefined],
  ["zellner", 1.1],
] as const)("the laws of many models are those of one by one: %s, noise %s", (kind, noiseVariance) => {
  const slab = learned(kind, SCALES);
  const many = lawsOf({ statistics, slab, noiseVariance, centre }, { models, fine: FINE, total: TOTAL });
  const places = new Set<number>();
  let next = 0;
  models.forEach(({ members, probability }, m) => {
    for (const { posterior, share, slab: own } of modelLaw(
      statistics,
      slab,
      noiseVariance,
      members,
      m < FINE,
    )) {
      places.add(own.scale);
      const { posterior: found, probability: shared } = many[next++];
      expect(shared).toBeCloseTo((share * probability) / TOTAL, 13);
      expect(found.members).toEqual(members);
      expect(found.freedom).toBe(posterior.freedom);
      expect(found.residualSquares).toBeCloseTo(posterior.residualSquares, 10);
      expect(near(found.mean, posterior.mean)).toBe(true);
      const k = members.length;
      const variances = members.map((_, i) => posterior.covariance[i * k + i]);
      const { numbers, variancesAt } = found.packed!;
      expect(near(numbers.subarray(variancesAt, variancesAt + k), variances)).toBe(true);
      let [leaning, passing] = [0, 0];
      members.forEach((i, a) => {
        leaning += centre.means[i] * posterior.mean[a];
        members.forEach((j, b) => {
          passing += centre.means[i] * centre.means[j] * posterior.covariance[a * k + b];
        });
      });
      expect(found.leaning).toBeCloseTo(leaning, 12);
      expect(found.passing).toBeCloseTo(passing, 12);
      if (m % 100 === 0) expect(near(found.covariance, posterior.covariance)).toBe(true);
    }
  });
  expect(many).toHaveLength(next);
  // The search for a scale goes both ways.
  expect(places.size).toBeGreaterThan(2);
});

function near(found: ArrayLike<number>, wanted: ArrayLike<number>): boolean {
  return (
    found.length === wanted.length &&
    Array.from(found).every((value, i) => Math.abs(value - wanted[i]) <= 1e-11 * (1 + Math.abs(wanted[i])))
  );
}
