import { expect, test } from "vitest";
import { familyNamed } from "../../../src/families/register.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { independentPrior } from "../../../src/models/priors.js";
import { adaptation, startingModel } from "../../../src/selection/search/adaptation.js";
import type { SearchPlan } from "../../../src/selection/search/types.js";
import { unscaled } from "../../../src/store/batch/scaling.js";
import { scratchOf, smallStore } from "../../small-store.js";

const ROWS = 2000;

/** A chain that holds a rare column and a usual one, with these coefficients. */
async function looking(name: "binomial" | "poisson", values: readonly [number, number]) {
  const rng = Rng.seeded(5);
  const usual = Float64Array.from({ length: ROWS }, () => normal(rng));
  const rare = Float64Array.from(usual, (_, i) => (i % 400 === 0 ? 20 : 0));
  const y = Float64Array.from(usual, (value) => Number(rng.uniform() < 1 / (1 + Math.exp(1 - value))));
  const store = await smallStore({ rare, usual, y }, 500);
  const arena = scratchOf(store);
  const intercept = -1.5;
  const plan = {
    weights: Float64Array.of(0.5, 0.5, 0),
    always: [2],
    scaling: unscaled(store.shift),
    intercept,
  } as Partial<SearchPlan> as SearchPlan;
  const family = familyNamed(name);
  const looks = adaptation(
    { store, arena },
    plan,
    { blocks: store.layout.blocks },
    {
      likelihood: family.likelihood(store.kernels, { variance: 1 }),
      prior: independentPrior({ inclusion: 0.1, slabVariance: 1, maxSize: 2 }),
    },
    rng,
  );
  const z = startingModel(plan, {
    members: Uint32Array.of(0, 1, 2),
    values: Float64Array.of(...values, intercept),
    noiseVariance: 1,
  });
  const theta = Float64Array.of(...values, intercept);
  const { weights, curvature } = looks.refresh(z, theta);
  return { theta: [...theta], numbers: [...weights, curvature], intercept };
}

test.each(["binomial", "poisson"] as const)("a chain of %s that lost its way starts again", async (name) => {
  for (const away of [40, -40, Number.NaN, Number.POSITIVE_INFINITY]) {
    const { theta, numbers, intercept } = await looking(name, [away, 3]);
    expect(theta).toEqual([0, 0, intercept]);
    expect(numbers.every(Number.isFinite)).toBe(true);
  }
});

test.each(["binomial", "poisson"] as const)("a chain of %s on its way goes on", async (name) => {
  const { theta, intercept } = await looking(name, [0.02, 0.8]);
  expect(theta).toEqual([0.02, 0.8, intercept]);
});
