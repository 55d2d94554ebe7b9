import { expect, test } from "vitest";
import { JOIN } from "../../../src/selection/certify/belonging.js";
import { settle } from "../../../src/selection/certify/rounds.js";
import type { Posterior } from "../../../src/selection/posterior/posterior.js";
import { fixed } from "../../../src/selection/posterior/slab.js";

const COLUMNS = 60;
const SLAB = fixed({ kind: "independent", scale: 1 });

/** The chance of short chains lifts one outsider of many above the line in every round; the others have this probability. */
function oneMoreEachRound(others: number): Posterior {
  return {
    mostCandidates: COLUMNS,
    withCompany: async (columns) => columns,
    weigh: async (candidates) => ({
      candidates,
      statistics: {
        size: candidates.length,
        gram: new Float64Array(candidates.length ** 2),
        cross: new Float64Array(candidates.length),
        targetSquares: 2,
        freedom: 9,
      },
      space: { logModel: new Float64Array(candidates.length + 1), always: [] },
      weights: {
        exact: true,
        models: [{ members: [], probability: 1 }],
        inclusion: new Float64Array(candidates.length),
        inclusionError: new Float64Array(candidates.length),
        size: new Float64Array(candidates.length + 1),
        slab: SLAB,
        scale: Float64Array.of(1),
      },
    }),
    async judge({ candidates }) {
      const none = () => new Float64Array(COLUMNS);
      const outside = Array.from({ length: COLUMNS }, (_, j) => j).filter((j) => !candidates.includes(j));
      const pip = none();
      for (const j of outside) pip[j] = others;
      if (outside.length > 0) pip[outside[0]] = 2 * JOIN;
      const verdicts = { pip, exchange: none(), mean: none(), sd: none(), positive: none() };
      return { ...verdicts, score: none(), mass: 0.1, massError: 0.01, slab: SLAB, factors: [0] };
    },
    describe: () => {
      throw new Error("nobody asks");
    },
  };
}

const settled = (others: number) =>
  settle({
    posterior: oneMoreEachRound(others),
    usable: Array.from({ length: COLUMNS }, (_, j) => j),
    first: [0],
    signal: undefined,
    timed: (_, work) => work(),
  });

test("rounds that one column after the other comes through end, since those that come near join at last", async () => {
  const { complete, weighed } = await settled(0.5 * JOIN);
  expect(complete).toBe(true);
  expect(weighed.candidates.length).toBe(COLUMNS);
});

test("after the last round the others are judged all the same, and what belongs is not called complete", async () => {
  const { complete, judged, weighed } = await settled(0.1 * JOIN);
  expect(complete).toBe(false);
  expect(weighed.candidates.length).toBeLessThan(COLUMNS);
  expect(judged?.mass).toBe(0.1);
});
