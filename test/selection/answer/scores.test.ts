import { expect, test } from "vitest";
import type { FamilyName } from "../../../src/families/register.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { scoreJobs, scoresOfBlocks } from "../../../src/selection/answer/scores.js";
import { screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import { scaled } from "../../../src/store/batch/scaling.js";
import { scratchOf, smallStore } from "../../small-store.js";

const ROWS = 700;

test.each<[FamilyName, (eta: number) => number]>([
  ["gaussian", (eta) => eta],
  ["binomial", (eta) => 1 / (1 + Math.exp(-eta))],
])("gradients at several points are the sums over all rows: %s", async (family, meanOf) => {
  const rng = Rng.seeded(8);
  const x = Array.from({ length: 4 }, (_, j) =>
    Float64Array.from({ length: ROWS }, () => Math.fround(2 + (1 + j) * normal(rng))),
  );
  const y = x[0].map((value) =>
    family === "gaussian" ? Math.fround(value + normal(rng)) : Number(value > 2),
  );
  const store = await smallStore({ ...Object.fromEntries(x.map((c, j) => [`x${j}`, c])), y }, 100);
  const arena = scratchOf(store);
  const screen = screenFrom([screenColumns(store, arena, { first: 0, last: 5 })], ROWS);
  const scaling = scaled({
    ...screen,
    shift: store.shift,
    centred: true,
    standard: true,
    standardTarget: false,
  });
  // Variable 4 is the intercept.
  const points = [
    { variables: [0, 2, 4], values: [0.5, -0.3, 0.2] },
    { variables: [0, 1, 2, 4], values: [0.1, 0.7, -0.2, -0.4] },
  ];
  const coordinates = [0, 2, 4];
  const target = family === "gaussian" ? scaling.target : { slope: 1, offset: store.shift[4] };
  const jobs = scoreJobs(store.layout, { family, scaling: { ...scaling, target }, points, coordinates });
  const sums = new Float64Array(coordinates.length * (points.length + coordinates.length));
  for (const job of jobs)
    scoresOfBlocks(store, arena, job).forEach((value, i) => {
      sums[i] += value;
    });

  const mean = (of: Float64Array): number => of.reduce((sum, v) => sum + v, 0) / ROWS;
  const standard = [...x, undefined].map((column) => {
    if (!column) return new Float64Array(ROWS).fill(1);
    const m = mean(column);
    const sd = Math.sqrt(column.reduce((sum, v) => sum + (v - m) ** 2, 0) / (ROWS - 1));
    return column.map((v) => (v - m) / sd);
  });
  const centre = family === "gaussian" ? mean(y) : 0;
  const etaAt = (p: number, i: number): number =>
    points[p].variables.reduce((sum, j, k) => sum + points[p].values[k] * standard[j][i], 0);
  const over = (of: (i: number) => number): number => y.reduce((sum, _, i) => sum + of(i), 0);
  points.forEach((_, p) => {
    coordinates.forEach((j, c) => {
      const expected = over((i) => standard[j][i] * (y[i] - centre - meanOf(etaAt(p, i))));
      expect(Math.abs(sums[3 * p + c] - expected)).toBeLessThan(1e-3);
    });
  });
  coordinates.forEach((j, c) => {
    coordinates.forEach((k, d) => {
      const weight = (i: number): number => {
        const mu = meanOf(etaAt(0, i));
        return family === "gaussian" ? 1 : mu * (1 - mu);
      };
      const expected = over((i) => weight(i) * standard[j][i] * standard[k][i]);
      expect(Math.abs(sums[6 + 3 * c + d] - expected)).toBeLessThan(1e-3);
    });
  });
});
