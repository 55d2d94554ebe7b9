import { expect, test } from "vitest";
import { corrected } from "../../../src/selection/expansion/corrected.js";
import type { OwnModel, Quadratic } from "../../../src/selection/expansion/laplace.js";
import type { OwnModels } from "../../../src/selection/expansion/own-models.js";
import type { ModelWeights } from "../../../src/selection/posterior/model-weights.js";

const LISTED = [[0], [1], [2], [3], [0, 4], [1, 5], [2, 5], [3, 4]];

/** Six candidates, models of one or two of them, of which some were worked out, off by so much. */
function weighing(off: readonly number[], workedOut: readonly (readonly number[])[] = LISTED) {
  const listed = LISTED;
  const models = listed.map((members) => ({ members, probability: 1 / listed.length }));
  const inclusion = Float64Array.from({ length: 6 }, (_, j) => {
    return models.reduce((sum, { members, probability }) => sum + (members.includes(j) ? probability : 0), 0);
  });
  const weights = {
    ...{ exact: false, models, inclusion, inclusionError: new Float64Array(6).fill(0.01) },
    ...{ size: Float64Array.of(0, 0.5, 0.5), scale: Float64Array.of(1) },
    ...{ slab: { kind: "independent" }, mixing: { rhat: 1, ess: 100 } },
  } as unknown as ModelWeights;
  const worked = off.map(
    (log, m) => ({ members: workedOut[m], log, error: 0.02, law: {} }) as unknown as OwnModel,
  );
  const own: OwnModels = {
    known: new Map(worked.map((model) => [model.members.join(), model])),
    failed: 0,
    workOut: async () => {},
    beside: () => worked.map(({ members, log }) => ({ members, correction: log, logWeight: log })),
  };
  const expansion = { lone: new Float64Array(6) } as unknown as Quadratic;
  const used = { constant: 0, offsets: new Float64Array(6) };
  return corrected(weights, { models: own, expansion, used, forced: 0 });
}

test.each([[[0.1, -0.1, 0.2]], [[4, -9, 30]], [[400, -900, 300]]])(
  "no probability is uncertain by more than a half, however far models are off: %j",
  async (off) => {
    const { inclusion, inclusionError } = (await weighing(off)).weights;
    for (const p of inclusion) expect(p >= 0 && p <= 1).toBe(true);
    for (const error of inclusionError) expect(error).toBeGreaterThan(0);
    expect(Math.max(...inclusionError)).toBeLessThanOrEqual(0.5);
  },
);

test("offsets that more models taught are less uncertain, whether or not those were visited", async () => {
  const off = [0.2, -0.2, 0.2, -0.2, 0.2, -0.2, 0.2, -0.2];
  const unvisited = [[4], [5], [0, 1], [2, 3], [0, 5], [1, 4], [2, 4], [3, 5]];
  const few = (await weighing(off.slice(0, 2), unvisited)).weights;
  const many = (await weighing(off, unvisited)).weights;
  const extra = ({ inclusionError }: ModelWeights) => Math.sqrt(inclusionError[0] ** 2 - 0.01 ** 2);
  expect(extra(many)).toBeLessThan(extra(few));
});
