import { describe, expect, test } from "vitest";
import { binomial } from "../../../src/families/binomial.js";
import { gaussian } from "../../../src/families/gaussian.js";
import { familyNamed } from "../../../src/families/register.js";
import { join, selection } from "../../../src/latent/selection.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { symmetricEigen } from "../../../src/math/symmetric-eigen.js";
import { independentPrior } from "../../../src/models/priors.js";
import { screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import { centredMeans, knownMeans } from "../../../src/selection/search/plan.js";
import { residualWeights } from "../../../src/selection/search/residual-weights.js";
import { view } from "../../../src/store/batch/arena.js";
import { blockBatches } from "../../../src/store/batch/batch.js";
import { scaled, unscaled } from "../../../src/store/batch/scaling.js";
import { scratchOf, smallStore } from "../../small-store.js";

const ROWS = 2000;

/** y depends on columns 0 and 1; the model holds 0 and 3; column 4 may not move. */
async function situation() {
  const rng = Rng.seeded(17);
  const columns = Array.from({ length: 6 }, () => Float64Array.from({ length: ROWS }, () => normal(rng)));
  const y = columns[0].map((v, i) => Number(rng.uniform() < 1 / (1 + Math.exp(-v - 0.8 * columns[1][i]))));
  const store = await smallStore({ ...Object.fromEntries(columns.map((c, j) => [`x${j}`, c])), y }, 500);
  const arena = scratchOf(store);
  const batch = blockBatches(store, unscaled(store.shift), arena, 4).draw(rng);
  const vector = () => arena.vector(batch.rows);
  const z = selection({
    ...{ variables: 7, always: [6], maxSize: 6, movesPerBatch: 1, eta: vector(), scratch: vector() },
  });
  join(z, 0);
  join(z, 3);
  const theta = Float64Array.of(1, 0, 0, 0.01, 0, 0, 0);
  const prior = independentPrior({ inclusion: 0.1, slabVariance: 1, maxSize: 6 });
  const weigh = residualWeights({
    ...{
      kernels: store.kernels,
      likelihood: binomial.likelihood(store.kernels, { variance: 1 }),
      prior,
      variables: 7,
      intercept: 6,
    },
    movable: (j) => j !== 4 && j !== 6,
    vector,
  });
  return { store, batch, columns, theta, residual: weigh(z, theta, batch), vector };
}

test("births go to what the residual still shows, deaths to what has become useless", async () => {
  const { residual } = await situation();
  const w = residual.weights;
  expect(w[1]).toBeCloseTo(0.9, 6);
  for (const j of [2, 5]) expect(w[j]).toBeLessThan(0.2);
  expect(w[0]).toBeGreaterThan(0.85);
  expect(w[3]).toBeLessThan(0.3);
});

test("what may not move has weight zero, and every other weight leaves both ways open", async () => {
  const { residual } = await situation();
  expect([residual.weights[4], residual.weights[6]]).toEqual([0, 0]);
  for (const j of [0, 1, 2, 3, 5]) {
    expect(residual.weights[j]).toBeGreaterThanOrEqual(1 / 8);
    expect(residual.weights[j]).toBeLessThanOrEqual(0.9);
  }
});

test("the curvature is the largest eigenvalue of the model's information, prior included", async () => {
  const { batch, theta, residual, store, vector } = await situation();
  const members = [6, 0, 3];
  const x = members.map((j) => {
    const column = vector();
    batch.axpy(column, 1, j);
    return view(store.kernels.memory, column);
  });
  const information = new Float64Array(9);
  for (let i = 0; i < batch.rows; i++) {
    const mu = 1 / (1 + Math.exp(-members.reduce((eta, j, a) => eta + theta[j] * x[a][i], 0)));
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) information[3 * a + b] += batch.weight * mu * (1 - mu) * x[a][i] * x[b][i];
    }
  }
  symmetricEigen(information, 3);
  const largest = Math.max(information[0], information[4], information[8]);
  expect(residual.curvature / (largest + 1)).toBeCloseTo(1, 3);
});

describe("of the empty model the screen says what a look at all rows would", () => {
  const variables = 6;

  /** Columns with quite different means and spreads, and what a family makes of them. */
  async function lookingAt(name: "gaussian" | "binomial" | "poisson", centred: boolean) {
    const family = familyNamed(name);
    const rng = Rng.seeded(5);
    const x = Array.from({ length: 5 }, (_, j) =>
      Float64Array.from({ length: ROWS }, () => j + (1 + j) * normal(rng)),
    );
    const predictors = x[1].map((value, i) => 1 + 0.4 * (value - 1) - 0.05 * (x[4][i] - 4));
    const y = {
      gaussian: () => predictors.map((eta) => 2 + eta + normal(rng)),
      binomial: () => predictors.map((eta) => Number(rng.uniform() < 1 / (1 + Math.exp(-eta)))),
      poisson: () => predictors.map((eta) => Math.floor(Math.exp(eta) + rng.uniform())),
    }[name]();
    const store = await smallStore({ ...Object.fromEntries(x.map((c, j) => [`x${j}`, c])), y }, 500);
    const arena = scratchOf(store);
    const screen = screenFrom([screenColumns(store, arena, { first: 0, last: 6 })], ROWS);
    const { shift } = store;
    const columns = scaled({ ...screen, shift, centred, standard: centred, standardTarget: centred });
    const scaling = name === "gaussian" ? columns : { ...columns, target: unscaled(shift).target };
    const batch = blockBatches(store, scaling, arena, store.layout.blocks).draw(rng);
    const vector = () => arena.vector(batch.rows);
    const intercept = name === "gaussian" ? undefined : 5;
    const always = intercept === undefined ? [] : [intercept];
    const z = selection({
      ...{ variables, always, maxSize: 5, movesPerBatch: 1, eta: vector(), scratch: vector() },
    });
    const theta = new Float64Array(variables);
    if (intercept !== undefined) {
      const mean = scaling.target.slope * screen.mean[5] + scaling.target.offset;
      theta[intercept] = family.link(mean);
    }
    const weigh = residualWeights({
      kernels: store.kernels,
      likelihood: family.likelihood(store.kernels, { variance: name === "gaussian" ? 0.5 : 1 }),
      prior: independentPrior({ inclusion: 0.1, slabVariance: 1, maxSize: 5 }),
      ...{ variables, intercept, vector },
      ...(intercept === undefined
        ? { known: knownMeans(screen, scaling, ROWS) }
        : { aboutMeans: centredMeans(screen, scaling, ROWS) }),
      movable: (j) => j < 5,
    });
    return { weigh, z, theta, looked: weigh(z, theta, batch), said: weigh.ofNothing(z, theta, ROWS) };
  }

  const cases = (["gaussian", "binomial", "poisson"] as const).flatMap((name) =>
    [true, false].map((centred) => [name, centred] as const),
  );

  test.each(cases)("%s, centred: %s", async (name, centred) => {
    const { weigh, z, theta, looked, said } = await lookingAt(name, centred);
    expect([...said!.weights].slice(0, 5).every((w) => w > 0)).toBe(true);
    expect(new Set(said!.weights).size).toBeGreaterThan(2);
    looked.weights.forEach((w, j) => {
      expect(said!.weights[j] / (w || 1)).toBeCloseTo(w && 1, 4);
    });
    expect(said!.curvature / looked.curvature).toBeCloseTo(1, 5);
    if (name === "gaussian") expect(said!.meanSquare / looked.meanSquare).toBeCloseTo(1, 6);
    join(z, 1);
    expect(weigh.ofNothing(z, theta, ROWS)).toBeUndefined();
  });
});

test("a batch without an entry of a rare member does not make the model look flat", async () => {
  const rng = Rng.seeded(3);
  const rare = new Float64Array(ROWS);
  rare[17] = Math.sqrt(ROWS);
  const y = Float64Array.from({ length: ROWS }, () => normal(rng));
  const store = await smallStore({ rare, y }, 500);
  const arena = scratchOf(store);
  const batches = blockBatches(store, unscaled(store.shift), arena, 1);
  const vector = () => arena.vector(store.layout.stride);
  const column = vector();
  /** The largest number of the member in a batch. */
  const largest = (batch: ReturnType<typeof batches.draw>): number => {
    store.kernels.fill(column.pointer, 0, batch.rows);
    batch.axpy(column, 1, 0);
    return Math.max(...view(store.kernels.memory, { ...column, length: batch.rows }));
  };
  const z = selection({
    variables: 1,
    always: [],
    maxSize: 1,
    movesPerBatch: 1,
    eta: vector(),
    scratch: vector(),
  });
  join(z, 0);
  const weigh = residualWeights({
    kernels: store.kernels,
    likelihood: gaussian.likelihood(store.kernels, { variance: 1 }),
    prior: independentPrior({ inclusion: 0.1, slabVariance: 1, maxSize: 1 }),
    variables: 1,
    intercept: undefined,
    known: { squares: Float64Array.of(1), products: Float64Array.of(0), target: 1 },
    movable: () => true,
    vector,
  });
  const seen = Array.from({ length: 40 }, () => batches.draw(rng)).map((batch) => ({
    empty: largest(batch) < 1,
    curvature: weigh(z, Float64Array.of(0.1), batch).curvature,
  }));
  expect(seen.some(({ empty }) => empty)).toBe(true);
  for (const { curvature } of seen) expect(curvature).toBeGreaterThanOrEqual(ROWS);
});
