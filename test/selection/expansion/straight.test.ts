import { expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { changesJob, cubesJob } from "../../../src/selection/expansion/changes.js";
import { modeOf } from "../../../src/selection/expansion/mode.js";
import { areStraight } from "../../../src/selection/expansion/straight.js";
import { unscaled } from "../../../src/store/batch/scaling.js";
import { localPool } from "../../../src/workers/pool.js";
import { smallStore } from "../../small-store.js";

const V = 1;
const logDensity = (theta: Float64Array) => -0.5 * theta.reduce((sum, t) => sum + t * t, 0);

test.each(["binomial", "poisson"] as const)(
  "sums of third powers bound how far a %s bends",
  async (family) => {
    const rng = Rng.seeded(5);
    const rows = 8000;
    const a = Float64Array.from({ length: rows }, () => normal(rng));
    const y = a.map((v) =>
      family === "binomial" ? Number(rng.uniform() < 1 / (1 + Math.exp(-v))) : Math.floor(3 * rng.uniform()),
    );
    const store = await smallStore({ a, y }, 700);
    const pool = localPool(store);
    const scaling = unscaled(store.shift);
    const shape = { tallest: () => 4, density: () => 1 };
    const settings = { store, pool, family, scaling, slabVariance: V, hasIntercept: true, ...shape };
    const search = await modeOf(settings, { columns: [0], theta: new Float64Array(1), intercept: 0 });
    if (!search.found) throw new Error("no mode");
    const { mode } = search;
    const { point, score, information } = mode;
    for (const size of [0.02, 0.2]) {
      const axis = Float64Array.of(0, size);
      const asked = { family, scaling, point, firstBlock: 0, lastBlock: store.layout.blocks };
      const moves = Float64Array.of(0, 2 * size);
      const [[change]] = await pool.run(changesJob, [{ ...asked, moves }]);
      const [[cube]] = await pool.run(cubesJob, [{ ...asked, moves: axis }]);
      const bend = change - 2 * size * score[1] + 2 * size * size * information[3];
      expect(Math.abs(bend)).toBeLessThan((8 / 6) * Math.exp(2 * 4 * size) * cube);
      expect(cube).toBeGreaterThan(0);
    }
    // One standard deviation of the coefficient, and one whose sum of third powers is far too large.
    const sd = 1 / Math.sqrt(information[3] + 1 / V);
    const at = { settings, mode, prior: { precision: 1 / V, logDensity } };
    const along = (size: number) => ({ size: 2, moves: Float64Array.of(0, size), reach: [4 * size] });
    expect(await areStraight(at, along(sd))).toBe(true);
    expect(await areStraight(at, along(5 * sd))).toBe(false);
  },
);
