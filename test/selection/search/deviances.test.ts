import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import { type DeviancePlan, deviancesOf, devianceWeights } from "../../../src/selection/search/deviances.js";
import { unscaled } from "../../../src/store/batch/scaling.js";
import type { Store } from "../../../src/store/store.js";
import { scratchOf, smallStore } from "../../small-store.js";

interface Reference {
  readonly columns: number[][];
  readonly targets: Record<string, number[]>;
  readonly families: Record<string, DeviancePlan["family"]>;
  readonly deviances: Record<string, number[]>;
}
const reference: Reference = JSON.parse(
  readFileSync(new URL("../../reference/deviances.json", import.meta.url), "utf8"),
);

function planOf(store: Store, family: DeviancePlan["family"]): DeviancePlan {
  const columns = store.layout.columns;
  const screen = screenFrom(
    [screenColumns(store, scratchOf(store), { first: 0, last: columns + 1 })],
    store.layout.rows,
  );
  const { target } = unscaled(store.shift);
  return {
    ...{ family, ...screen, target },
    targetMean: screen.mean[columns] + target.offset,
    targetSd: screen.sd[columns],
  };
}

const job = (plan: DeviancePlan, first: number, last: number) => ({ plan, first, last }) as const;

async function deviances(
  columns: Record<string, ArrayLike<number>>,
  family: DeviancePlan["family"],
): Promise<Float64Array> {
  const store = await smallStore(columns, 64);
  return deviancesOf(store, scratchOf(store), job(planOf(store, family), 0, store.layout.columns)).deviance;
}

describe.each(Object.keys(reference.targets))("one-variable deviances of the %s target", (name) => {
  const named = Object.fromEntries(reference.columns.map((column, j) => [`x${j}`, column]));

  test("agree with R's glm", async () => {
    const ours = await deviances({ ...named, y: reference.targets[name] }, reference.families[name]);
    const theirs = reference.deviances[name];
    const least = Math.min(...theirs);
    const spread = Math.max(...theirs) - least;
    // Single precision rounds the linear predictor; what matters is the differences between columns.
    ours.forEach((value, j) => {
      expect(Math.abs(value - theirs[j])).toBeLessThan(3e-8 * Math.abs(theirs[j]) + 1e-3);
      expect(Math.abs(value - Math.min(...ours) - (theirs[j] - least))).toBeLessThan(1e-3 * spread);
    });
  });

  test("do not depend on how the columns are split", async () => {
    const store = await smallStore({ ...named, y: reference.targets[name] }, 64);
    const plan = planOf(store, reference.families[name]);
    const whole = deviancesOf(store, scratchOf(store), job(plan, 0, 6)).deviance;
    const parts = [
      deviancesOf(store, scratchOf(store), job(plan, 0, 2)),
      deviancesOf(store, scratchOf(store), job(plan, 2, 6)),
    ].flatMap(({ deviance }) => [...deviance]);
    expect(parts).toEqual([...whole]);
  });
});

test("a column that separates the classes has a almost no deviance, and a constant one that of the null model", async () => {
  const n = 200;
  const y = Float64Array.from({ length: n }, (_, i) => (i < 80 ? 0 : 1));
  const [separated, constant, null2] = await deviances(
    { separated: Float64Array.from({ length: n }, (_, i) => i), constant: new Float64Array(n).fill(3), y },
    "binomial",
  ).then((d) => [d[0], d[1], -2 * (80 * Math.log(0.4) + 120 * Math.log(0.6))]);
  expect(separated).toBeGreaterThan(-1e-3);
  expect(separated).toBeLessThan(0.01 * null2);
  expect(constant).toBeCloseTo(null2, 3);
});

test("weights fall with the deviance as in the supplement, and are equal where deviances are", () => {
  const weights = devianceWeights(Float64Array.of(100, 110, 130), Math.exp(-0.1));
  const sd = Math.sqrt((13.333333 ** 2 + 3.333333 ** 2 + 16.666667 ** 2) / 2);
  expect(weights[0]).toBeCloseTo(Math.exp(-0.1), 10);
  expect(weights[1]).toBeCloseTo(Math.exp(-10 / (5 * sd) - 0.1), 6);
  expect(weights[2]).toBeCloseTo(Math.exp(-30 / (5 * sd) - 0.1), 6);
  expect(weights[3]).toBeCloseTo(Math.exp(-0.1), 10);
  expect([...devianceWeights(Float64Array.of(5, 5), 0)]).toEqual([Math.exp(-0.1), Math.exp(-0.1), 0]);
});
