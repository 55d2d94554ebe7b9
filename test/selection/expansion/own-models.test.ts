import { expect, test } from "vitest";
import type { Quadratic } from "../../../src/selection/expansion/laplace.js";
import { type OwnModels, workOutTelling } from "../../../src/selection/expansion/own-models.js";
import type { ModelSpace, ModelWeights } from "../../../src/selection/posterior/model-weights.js";

const CANDIDATES = 30;
/** Two that are in whatever is found. */
const TOP = [0, 1];

/** Which models are worked out, where an expansion is off by so much for every model and so much for each by itself. */
async function workedOut(off: (members: readonly number[]) => number, lone = 0): Promise<number[][]> {
  const done = new Map<string, number[]>();
  const models: OwnModels = {
    known: new Map(),
    failed: 0,
    workOut: async (some) => {
      for (const members of some) done.set(members.join(), [...members]);
    },
    beside: () => [...done.values()].map((members) => ({ members, correction: off(members), logWeight: 0 })),
  };
  const inclusion = Float64Array.from({ length: CANDIDATES }, (_, j) =>
    TOP.includes(j) ? 1 : 0.3 - 0.005 * j,
  );
  const weights = { models: [{ members: TOP, probability: 1 }], inclusion } as unknown as ModelWeights;
  const expansion = { lone: new Float64Array(CANDIDATES).fill(lone) } as unknown as Quadratic;
  const space: ModelSpace = { logModel: new Float64Array(CANDIDATES + 1), always: [] };
  await workOutTelling(models, weights, expansion, space);
  return [...done.values()];
}

test("models that lack what is in whatever is found are not worked out", async () => {
  const models = await workedOut((members) => members[members.length - 1]);
  expect(models).toHaveLength(1 + CANDIDATES - TOP.length);
  for (const members of models) expect(members.slice(0, 2)).toEqual(TOP);
});

test("where the most open candidates make no difference the others are not asked", async () => {
  const models = await workedOut((members) => -27_000 + 0.001 * members.length);
  expect(models).toEqual([TOP, ...[2, 3, 4, 5, 6, 7, 8, 9].map((j) => [...TOP, j])]);
});

test("all are asked where one of the most open makes a difference, or bends by itself", async () => {
  const one = await workedOut((members) => (members.includes(5) ? 0.03 : 0));
  const bent = await workedOut(() => 0, 0.01);
  expect(one).toHaveLength(1 + CANDIDATES - TOP.length);
  expect(bent).toHaveLength(one.length);
});
