/** Clusters and hidden states, in short runs. */

import { clusters, compareComponents, hiddenStates, Rng } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import type { Case } from "./kept.js";
import { plain } from "./plain.js";

/** Rows of two columns around three centres. */
function points(rows: number, seed = 21): Float64Array {
  const rng = Rng.seeded(seed);
  const centres = [0, 0, 4, 1, -3, 4];
  const values = new Float64Array(2 * rows);
  for (let i = 0; i < rows; i++) {
    const k = rng.below(3);
    for (let j = 0; j < 2; j++) values[2 * i + j] = centres[2 * k + j] + normal(rng);
  }
  return values;
}

/** Steps of a chain of two sticky states, as the state's number. */
function path(rng: Rng, steps: number): number[] {
  let state = 0;
  return Array.from({ length: steps }, () => {
    if (rng.uniform() < 0.08) state = 1 - state;
    return state;
  });
}

function waves(steps: number, seed = 22): Float64Array {
  const rng = Rng.seeded(seed);
  return Float64Array.from(path(rng, steps), (state) => 3 * state + normal(rng));
}

function letters(steps: number, seed = 23): Float64Array {
  const rng = Rng.seeded(seed);
  return Float64Array.from(path(rng, steps), (state) => (rng.uniform() < 0.7 ? state : rng.below(3)));
}

const short = { iterations: 600, burnIn: 200, chains: 2, seed: 5 };

export const clusterCases: readonly Case[] = [
  {
    name: "clusters-full",
    async run() {
      const values = points(400);
      const found = await clusters(values, { ...short, columns: 2, components: 3 });
      return plain({ ...found, membership: found.membership(values.subarray(0, 40)) });
    },
  },
  {
    name: "clusters-diagonal-held-out",
    run: async () =>
      plain(
        await clusters(points(400), {
          ...short,
          columns: 2,
          components: 2,
          covariance: "diagonal",
          heldOut: 0.2,
        }),
      ),
  },
  {
    name: "clusters-schedule",
    run: async () =>
      plain(
        await clusters(points(300), {
          ...short,
          columns: 2,
          components: 3,
          batch: 100,
          draws: 2,
          stepSize: { a: 0.1, length: 100 },
        }),
      ),
  },
  {
    name: "clusters-much-data",
    run: async () =>
      plain(
        await clusters(points(20_000), { columns: 2, components: 3, iterations: 200, chains: 1, seed: 5 }),
      ),
  },
  {
    name: "compare-components",
    run: async () => plain(await compareComponents(points(300), { ...short, columns: 2, counts: [1, 2, 3] })),
  },
  {
    name: "hidden-states-gaussian",
    async run() {
      const values = waves(1500);
      const found = await hiddenStates(values, { ...short, states: 2, emission: { kind: "gaussian" } });
      return plain({ ...found, probabilities: found.probabilities(values.subarray(0, 60)) });
    },
  },
  {
    name: "hidden-states-categorical-sequences",
    async run() {
      const values = letters(1500);
      const pieces = [values.subarray(0, 600), values.subarray(600, 900), values.subarray(900)];
      const found = await hiddenStates(pieces, {
        ...short,
        states: 2,
        emission: { kind: "categorical", levels: 3 },
      });
      return plain({ ...found, probabilities: found.probabilities(values.subarray(0, 60)) });
    },
  },
  {
    name: "hidden-states-much-data",
    run: async () =>
      plain(
        await hiddenStates(waves(20_000), {
          states: 2,
          emission: { kind: "gaussian" },
          iterations: 200,
          chains: 2,
        }),
      ),
  },
];
