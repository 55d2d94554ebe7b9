import { expect, it } from "vitest";
import { Rng } from "../../../src/math/rng.js";
import { visitedModels } from "../../../src/selection/missing/visited.js";

/** Visits to models of 20 variables, one of which comes again and again. */
function visits(count: number) {
  const rng = Rng.seeded(7);
  return Array.from({ length: count }, (_, v) => ({
    members: v % 4 === 0 ? [0, 3] : Array.from({ length: 20 }, (_, j) => j).filter(() => rng.uniform() < 0.5),
    time: 0.5 + rng.uniform(),
  }));
}

const shares = (models: readonly { members: readonly number[]; probability: number }[]): number[] =>
  Array.from({ length: 20 }, (_, j) =>
    models.reduce((sum, { members, probability }) => sum + (members.includes(j) ? probability : 0), 0),
  );

it("adds up the time at each model, the longest first", () => {
  const visited = visitedModels();
  visited.add([
    { members: [1], time: 1 },
    { members: [2], time: 2 },
    { members: [1], time: 5 },
  ]);
  expect(visited.models()).toEqual([
    { members: [1], probability: 0.75 },
    { members: [2], probability: 0.25 },
  ]);
});

it("keeps a fair sample of models where there are too many", () => {
  const [all, some] = [visitedModels(), visitedModels(6000)];
  const given = visits(40_000);
  for (let v = 0; v < given.length; v += 100) {
    all.add(given.slice(v, v + 100));
    some.add(given.slice(v, v + 100));
  }
  expect(all.models().length).toBeGreaterThan(25_000);
  expect(some.models().length).toBeLessThanOrEqual(6000);
  expect(some.models().reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
  const [exact, sampled] = [all, some].map((each) => each.models()[0]);
  expect(sampled.members).toEqual([0, 3]);
  // 3,000 that are thinned while their time grows fivefold are worth 3,000/(1 + log 5) = 1,150: a share of three quarters
  // of the time has an error of 0.75·0.5/√1150 = 0.011, and 20 of them exceed four of these once in 800 runs.
  expect(Math.abs(sampled.probability - exact.probability)).toBeLessThan(0.044);
  const truth = shares(all.models());
  shares(some.models()).forEach((share, j) => {
    expect(Math.abs(share - truth[j]), `variable ${j}`).toBeLessThan(0.044);
  });
});
