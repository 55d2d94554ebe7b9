import { expect, test } from "vitest";
import { settle } from "../../../src/selection/certify/rounds.js";
import type { Posterior } from "../../../src/selection/posterior/posterior.js";
import { fixed } from "../../../src/selection/posterior/slab.js";

const SLAB = fixed({ kind: "independent", scale: 1 });

/** One candidate that is in for certain, another column that is out for certain, and a stop while that is judged. */
function stopsWhileJudging(stop: AbortController): Posterior {
  return {
    mostCandidates: 10,
    withCompany: async (columns) => columns,
    weigh: async (candidates) => ({
      candidates,
      statistics: {
        size: 1,
        gram: Float64Array.of(1),
        cross: Float64Array.of(1),
        targetSquares: 2,
        freedom: 9,
      },
      space: { logModel: Float64Array.of(0, 0), always: [] },
      weights: {
        exact: true,
        models: [{ members: [0], probability: 1 }],
        inclusion: Float64Array.of(1),
        inclusionError: Float64Array.of(0),
        size: Float64Array.of(0, 1),
        slab: SLAB,
        scale: Float64Array.of(1),
      },
    }),
    async judge() {
      stop.abort();
      const none = () => new Float64Array(2);
      const verdicts = { pip: none(), exchange: none(), mean: none(), sd: none(), positive: none() };
      return { ...verdicts, score: none(), mass: 0, massError: 0, slab: SLAB, factors: [0] };
    },
    describe: () => {
      throw new Error("nobody asks");
    },
  };
}

test.each([true, false])(
  "a look that there was no time for makes an answer unfinished: %s",
  async (looks) => {
    const stop = new AbortController();
    const settled = await settle({
      posterior: stopsWhileJudging(stop),
      usable: [0, 1],
      first: [0],
      signal: stop.signal,
      timed: (_, work) => work(),
      ...(looks && {
        looks: {
          beside: () => {
            throw new Error("there is no time to look");
          },
        },
      }),
    });
    expect(settled.unfinished).toBe(looks);
    expect(settled.beyond).toBeUndefined();
  },
);
