import { expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { cubesJob } from "../../../src/selection/expansion/changes.js";
import { axesOf } from "../../../src/selection/expansion/integral.js";
import { modeOf, modeQuestion } from "../../../src/selection/expansion/mode.js";
import { modesOf } from "../../../src/selection/expansion/modes.js";
import { inDoubt } from "../../../src/selection/expansion/straight.js";
import { unscaled } from "../../../src/store/batch/scaling.js";
import { localPool } from "../../../src/workers/pool.js";
import { smallStore } from "../../small-store.js";

test.each(["binomial", "poisson"] as const)(
  "several modes of a %s looked for at a time are those looked for one by one",
  async (family) => {
    const rng = Rng.seeded(11);
    const rows = 5000;
    const [a, b, c] = Array.from({ length: 3 }, () => Float64Array.from({ length: rows }, () => normal(rng)));
    const y = a.map((v, i) =>
      family === "binomial"
        ? Number(rng.uniform() < 1 / (1 + Math.exp(-v - 0.3 * b[i])))
        : Math.floor(3 * rng.uniform() * Math.exp(0.2 * v)),
    );
    const store = await smallStore({ a, b, c, y }, 700);
    const pool = localPool(store);
    const scaling = unscaled(store.shift);
    const shape = { tallest: () => 8, density: () => 1 };
    const settings = { store, pool, family, scaling, slabVariance: 1, hasIntercept: true, ...shape };
    const models = [[0], [0, 1], [0, 1, 2], []].map((columns, m) => ({
      start: { columns, theta: new Float64Array(columns.length), intercept: 0 },
      slabVariance: 0.5 + m,
    }));
    const found = await modesOf(settings, models);
    expect(found).toHaveLength(models.length);
    let taken = 0;
    for (const [m, { start, slabVariance }] of models.entries()) {
      const alone = await modeOf({ ...settings, slabVariance }, start, "integral");
      const { search, cubes } = found[m];
      if (!alone.found || !search.found) throw new Error("no mode");
      expect(search.passes).toBe(alone.passes);
      const { point } = search.mode;
      expect(point.columns).toEqual(start.columns);
      point.theta.forEach((value, i) => {
        expect(value).toBeCloseTo(alone.mode.point.theta[i], 9);
      });
      expect(search.mode.logLikelihood).toBeCloseTo(alone.mode.logLikelihood, 6);
      // And the sums of third powers are those that a pass of their own takes.
      const question = modeQuestion({ ...settings, slabVariance }, start, "integral");
      const { moves } = inDoubt(axesOf(question, search.mode, 1 / slabVariance)!);
      const whole = { family, scaling, point, moves, firstBlock: 0, lastBlock: store.layout.blocks };
      const [asked] = await pool.run(cubesJob, [whole]);
      taken += moves.length;
      expect([...(cubes ?? [])]).toEqual([...asked]);
    }
    expect(taken).toBeGreaterThan(0);
  },
);

test("an expansion for the time being ends near the mode, and stays where it is", async () => {
  const rng = Rng.seeded(12);
  const rows = 20_000;
  const a = Float64Array.from({ length: rows }, () => normal(rng));
  const y = a.map((v) => Number(rng.uniform() < 1 / (1 + Math.exp(-0.5 * v))));
  const store = await smallStore({ a, y }, 5000);
  const shape = { tallest: () => 4, density: () => 1 };
  const scaling = unscaled(store.shift);
  const common = { store, pool: localPool(store), family: "binomial", scaling, hasIntercept: true } as const;
  const settings = { ...common, slabVariance: 1, ...shape };
  const start = { columns: [0], theta: new Float64Array(1), intercept: 0 };
  const [place, digits] = [await modeOf(settings, start, "place"), await modeOf(settings, start, "digits")];
  if (!place.found || !digits.found) throw new Error("no mode");
  const { point } = place.mode;
  const sd = 1 / Math.sqrt(digits.mode.information[3]);
  // What is left to gain is 10⁻⁷ a row at most, so the coefficient is this many standard deviations away.
  expect(Math.abs(point.theta[0] - digits.mode.point.theta[0])).toBeLessThan(Math.sqrt(2e-7 * rows) * sd);
  // Another scale of the slab hardly moves the mode.
  const again = await modeOf({ ...settings, slabVariance: 1.3 }, point, "place");
  expect(again.passes).toBe(1);
  expect(again.found && again.mode.point).toEqual(point);
});
