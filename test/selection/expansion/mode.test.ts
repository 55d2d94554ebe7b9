import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { FamilyName } from "../../../src/families/register.js";
import { cholesky, inverse } from "../../../src/math/linear.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import type { Expansion, GlmPoint } from "../../../src/selection/expansion/expansion.js";
import { expansionAt, type ModeSettings, modeOf } from "../../../src/selection/expansion/mode.js";
import { scaled, unscaled } from "../../../src/store/batch/scaling.js";
import type { Store } from "../../../src/store/store.js";
import { localPool } from "../../../src/workers/pool.js";
import { scratchOf, smallStore } from "../../small-store.js";

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../reference/${name}.json`, import.meta.url), "utf8"));
const sample: {
  columns: number[][];
  targets: Record<string, number[]>;
  families: Record<string, FamilyName>;
} = read("deviances");
const reference: Record<string, { coefficients: number[]; covariance: number[][] }> = read("glm");

async function settingsFor(store: Store, family: FamilyName, slabVariance: number): Promise<ModeSettings> {
  const columns = store.layout.columns;
  const screen = screenFrom(
    [screenColumns(store, scratchOf(store), { first: 0, last: columns + 1 })],
    store.layout.rows,
  );
  const scaling = scaled({
    ...{ ...screen, shift: store.shift, centred: true, standard: true, standardTarget: false },
  });
  const { target } = unscaled(store.shift);
  const common = { store, pool: localPool(store), family, slabVariance, hasIntercept: true };
  return { ...common, scaling: { ...scaling, target }, tallest: () => 4, density: () => 1 };
}

async function found(settings: ModeSettings, start: GlmPoint): Promise<Expansion> {
  const search = await modeOf(settings, start);
  if (!search.found) throw new Error(`no mode after ${search.passes} passes`);
  return search.mode;
}

describe.each(Object.keys(reference))("the mode of a model for the %s target", (name) => {
  test("agrees with R's glm in coefficients and standard errors when the slab is flat", async () => {
    const columns = Object.fromEntries(sample.columns.slice(0, 5).map((column, j) => [`x${j}`, column]));
    const store = await smallStore({ ...columns, y: sample.targets[name] }, 64);
    const settings = await settingsFor(store, sample.families[name], 1e12);
    const y = sample.targets[name];
    const level = Math.log(Math.max(0.1, y.reduce((sum, v) => sum + v, 0) / y.length));
    const start = { columns: [0, 1, 2, 3, 4], theta: new Float64Array(5), intercept: level };
    const mode = await found(settings, start);
    const covariance = new Float64Array(36);
    const factor = mode.information.slice();
    expect(cholesky(factor, 6)).toBe(true);
    inverse(covariance, factor, 6);
    const { slope } = settings.scaling;
    for (let j = 0; j < 5; j++) {
      const sd = Math.sqrt(reference[name].covariance[j + 1][j + 1]);
      // Newton stops when less than 1e-5 of log-likelihood is left: ½(error/sd)² ≤ 1e-5.
      expect(Math.abs(mode.point.theta[j] * slope[j] - reference[name].coefficients[j + 1])).toBeLessThan(
        Math.sqrt(2e-5) * sd,
      );
      expect((Math.sqrt(covariance[(j + 1) * 7]) * slope[j]) / sd).toBeCloseTo(1, 3);
    }
  });
});

test("separated classes have a finite mode under a proper slab", async () => {
  const n = 100;
  const x = Float64Array.from({ length: n }, (_, i) => i - 49.5);
  const store = await smallStore({ x, y: x.map((v) => (v > 0 ? 1 : 0)) }, 32);
  const settings = await settingsFor(store, "binomial", 1);
  const mode = await found(settings, { columns: [0], theta: Float64Array.of(0), intercept: 0 });
  // The penalised likelihood is maximal where its derivative vanishes.
  expect(mode.score[1] - mode.point.theta[0]).toBeCloseTo(0, 3);
  expect(mode.point.theta[0]).toBeGreaterThan(2);
});

test("score and information are the differences of the log-likelihood", async () => {
  const rng = Rng.seeded(2);
  const random = () => Float64Array.from({ length: 90 }, () => normal(rng));
  const store = await smallStore({ a: random(), b: random(), y: random().map((v) => (v > 0 ? 1 : 0)) }, 32);
  const settings = await settingsFor(store, "binomial", 1);
  const at = (a: number, b: number) =>
    expansionAt(settings, { columns: [0, 1], theta: Float64Array.of(a, b), intercept: 0.1 });
  const h = 0.02;
  const [here, up, down] = await Promise.all([at(0.3, -0.2), at(0.3 + h, -0.2), at(0.3 - h, -0.2)]);
  expect((up.logLikelihood - down.logLikelihood) / (2 * h)).toBeCloseTo(here.score[1], 2);
  expect((down.score[1] - up.score[1]) / (2 * h)).toBeCloseTo(here.information[4], 2);
  expect((down.score[2] - up.score[2]) / (2 * h)).toBeCloseTo(here.information[5], 2);
});

describe("the mode that an integral needs", () => {
  // Three ones among many rows, all of them events: the likelihood flattens, a step leaves a third of the rest to gain,
  // and where that is next to nothing the curvature may still be many times that of the mode.
  test.each([
    ["binomial", 1],
    ["binomial", 0],
    ["poisson", 0],
  ] as const)("has the mode's curvature where a likelihood flattens: %s, %i", async (family, event) => {
    const rows = 100_000;
    const x = Float64Array.from({ length: rows }, (_, i) => (i % 30_000 === 77 && i > 77 ? 1 : 0));
    const y = x.map((one, i) => (one === 1 ? event : i % 3 === 1 ? 1 : 0));
    const store = await smallStore({ x, y }, 4096);
    const settings = { ...(await settingsFor(store, family, 1)), tallest: () => 190 };
    const start = { columns: [0], theta: Float64Array.of(0), intercept: -0.7 };
    const exactly = await found(settings, start);
    const search = await modeOf(settings, start, "integral");
    if (!search.found) throw new Error("no mode");
    const precision = ({ information }: Expansion): number => information[3] + 1 / settings.slabVariance;
    expect(precision(search.mode) / precision(exactly)).toBeCloseTo(1, 1);
  });
});
