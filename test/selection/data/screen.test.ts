import { expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { correlationWeights, screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import { arenaOf, tinyStore } from "../../tiny-store.js";

const ROWS = 5003;
const rng = Rng.seeded(1);
const y = Float64Array.from({ length: ROWS }, () => 3 + 2 * normal(rng));
const columns = {
  noise: Float64Array.from({ length: ROWS }, () => normal(rng)),
  strong: y.map((v) => 5 * v + 1e-3 * normal(rng)),
  opposite: y.map((v) => -v + normal(rng)),
  far: y.map((v) => 1e6 + v + normal(rng)),
  tiny: y.map((v) => 1e-8 * (v + normal(rng))),
  constant: new Float64Array(ROWS).fill(0.3),
  y,
};

/** Two passes in float64. */
function direct(x: Float64Array): { mean: number; sd: number; correlation: number } {
  const average = (values: Float64Array) => values.reduce((a, b) => a + b, 0) / ROWS;
  const [mean, yMean] = [average(x), average(y)];
  const cross = x.reduce((sum, v, i) => sum + (v - mean) * (y[i] - yMean), 0);
  const squares = x.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  const ySquares = y.reduce((sum, v) => sum + (v - yMean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (ROWS - 1)), correlation: cross / Math.sqrt(squares * ySquares) };
}

async function screened(pieces: readonly [number, number][]) {
  const store = await tinyStore(columns, { blockRows: 199 });
  const parts = pieces.map(([first, last]) => screenColumns(store, arenaOf(store), { first, last }));
  return { store, ...screenFrom(parts, ROWS) };
}

test("means, scales and correlations are those of two passes in double precision", async () => {
  const { store, mean, sd, correlation } = await screened([[0, 7]]);
  Object.entries(columns).forEach(([name, x], j) => {
    const expected = direct(x);
    expect(
      Math.abs(mean[j] + store.shift[j] - expected.mean) / (name === "constant" ? 1 : expected.sd),
    ).toBeLessThan(1e-6);
    if (name === "constant") {
      expect(sd[j]).toBe(0);
      expect(correlation[j]).toBe(0);
    } else {
      expect(sd[j] / expected.sd).toBeCloseTo(1, 6);
      expect(correlation[j]).toBeCloseTo(expected.correlation, 6);
    }
  });
});

test("the screen is the same however the columns are shared out", async () => {
  const whole = await screened([[0, 7]]);
  for (const pieces of [
    [
      [0, 3],
      [3, 7],
    ],
    [
      [0, 1],
      [1, 2],
      [2, 6],
      [6, 7],
    ],
  ] as [number, number][][]) {
    const shared = await screened(pieces);
    for (const key of ["mean", "sd", "correlation"] as const)
      expect([...shared[key]]).toEqual([...whole[key]]);
  }
});

test("proposal weights are exp(|ρ| − 1), below 1, and the intercept has its own", async () => {
  const screen = await screened([[0, 7]]);
  const weights = correlationWeights(screen, 0.25);
  expect(weights[6]).toBe(0.25);
  expect(weights[0]).toBeCloseTo(Math.exp(Math.abs(direct(columns.noise).correlation) - 1), 6);
  expect(weights[1]).toBe(1 - 1e-6);
  expect(weights[5]).toBeCloseTo(Math.exp(-1), 12);
});
