import { expect, test } from "vitest";
import { gaussian } from "../../src/families/gaussian.js";
import { langevinSpike } from "../../src/latent/pseudo-prior.js";
import { join, type Selection, selection } from "../../src/latent/selection.js";
import { selectionModel } from "../../src/latent/selection-model.js";
import { Rng } from "../../src/math/rng.js";
import { view } from "../../src/store/batch/arena.js";
import { type Batches, blockBatches, rowBatches } from "../../src/store/batch/batch.js";
import { unscaled } from "../../src/store/batch/scaling.js";
import { rowsIn } from "../../src/store/layout/layout.js";
import type { Batch } from "../../src/types.js";
import { arenaOf, tinyStore } from "../tiny-store.js";

const ROWS = 11;
const P = 4;
const NOISE = 2;
const members = [3, 0, 2];
const theta = Float64Array.of(0.5, -0.7, 1.25, -0.25, 0.3);
const value = (i: number, j: number): number => Math.sin(1 + 3 * i + 7 * j) + (j === 1 ? 40 : 0);
const columns = Object.fromEntries(
  Array.from({ length: P + 1 }, (_, j) => [
    `x${j}`,
    Float64Array.from({ length: ROWS }, (_, i) => value(i, j)),
  ]),
);

/** The first of `members` is in every model; variable P is the intercept. */
async function fixture(kernels: "wasm" | "reference" = "wasm") {
  const store = await tinyStore(columns, { blockRows: 4, kernels });
  const arena = arenaOf(store);
  const pseudoPrior = langevinSpike({ variables: P + 1, variance: 0.3 });
  const prior = {
    logModel: (size: number) => -0.7 * size,
    slabVariance: (size: number) => 1 + size,
    maxSize: 4,
  };
  const names = [...store.names, "(Intercept)"];
  const likelihood = gaussian.likelihood(store.kernels, { variance: NOISE });
  const model = selectionModel({ names, likelihood, prior, pseudoPrior });
  const z: Selection = selection({
    ...{ variables: P + 1, always: members.slice(0, 1), maxSize: P, movesPerBatch: 0 },
    ...{ eta: arena.vector(ROWS), scratch: arena.vector(ROWS) },
  });
  for (const j of members.slice(1)) join(z, j);
  const enter = (batch: Batch, at: Float64Array): Selection => {
    view(store.kernels.memory, z.eta).fill(0);
    for (const j of members) batch.axpy(z.eta, at[j], j);
    z.sumSquares = members.slice(1).reduce((sum, j) => sum + at[j] ** 2, 0);
    return z;
  };
  /** The whole gradient: what the members add to rest. */
  const gradient = (batch: Batch, at = theta): Float64Array => {
    const out = new Float64Array(P + 1);
    model.addGrad(out, 1, at, enter(batch, at), batch);
    return out.map((g, j) => g + model.rest!(j, at[j]));
  };
  const logJoint = (batch: Batch, at = theta) => model.logJoint(at, enter(batch, at), batch);
  return { store, arena, scaling: unscaled(store.shift), model, gradient, logJoint, enter };
}

/** Every batch that `count` draws can give, each as often as it is likely, by drawing until all were seen. */
function everyBatch<T>(batches: Batches, key: (batch: Batch) => string, of: (batch: Batch) => T): T[] {
  const seen = new Map<string, T>();
  const rng = Rng.seeded(1);
  for (let i = 0; i < 2000; i++) {
    const batch = batches.draw(rng);
    if (!seen.has(key(batch))) seen.set(key(batch), of(batch));
  }
  return [...seen.values()];
}

const rounded = (values: Float64Array) => [...values].map((x) => Number(x.toPrecision(6)));

test.each(["wasm", "reference"] as const)(
  "the gradient is the derivative of the log density in every coordinate, in or out of the model (%s)",
  async (kernels) => {
    const { store, arena, scaling, gradient, logJoint } = await fixture(kernels);
    const batch = blockBatches(store, scaling, arena, 2).draw(Rng.seeded(4));
    const ours = gradient(batch);
    for (let j = 0; j <= P; j++) {
      // The log density is quadratic, so a difference over a wide span is exact and rounding to float32 stays small.
      const h = 0.25;
      const moved = (by: number) => theta.map((t, k) => (k === j ? t + by : t));
      const difference = (logJoint(batch, moved(h)) - logJoint(batch, moved(-h))) / (2 * h);
      expect(ours[j]).toBeCloseTo(difference, 3);
    }
  },
);

test("the gradient is linear in its scale", async () => {
  const { store, arena, scaling, model, enter } = await fixture();
  const batch = blockBatches(store, scaling, arena, 1).draw(Rng.seeded(4));
  const [once, thrice] = [new Float64Array(P + 1), new Float64Array(P + 1)];
  model.addGrad(once, 1, theta, enter(batch, theta), batch);
  model.addGrad(thrice, 3, theta, enter(batch, theta), batch);
  expect([...thrice]).toEqual([...once.map((g) => 3 * g)]);
});

test("the gradient averages to that of all rows over all block batches, though the blocks differ in size", async () => {
  const { store, arena, scaling, gradient } = await fixture();
  expect(new Set([0, 1, 2].map((b) => rowsIn(store.layout, b)))).toEqual(new Set([3, 4]));
  const whole = blockBatches(store, scaling, arena, store.layout.blocks).draw(Rng.seeded(1));
  expect(whole.rows).toBe(ROWS);
  const exact = gradient(whole);
  for (const count of [1, 2]) {
    const key = (batch: Batch) =>
      [...view(store.kernels.memory, batch.target)].slice(0, batch.rows).sort().join();
    const all = everyBatch(blockBatches(store, scaling, arena, count), key, (batch) => gradient(batch));
    expect(all.length).toBe(3);
    const mean = exact.map((_, j) => all.reduce((sum, g) => sum + g[j] / all.length, 0));
    mean.forEach((g, j) => void expect(g).toBeCloseTo(exact[j], 3));
    expect(rounded(all[0])).not.toEqual(rounded(exact));
  }
});

test.each([
  [1, true, ROWS],
  [1, false, ROWS],
  [2, false, (ROWS * (ROWS - 1)) / 2],
])(
  "the gradient averages to that of all rows over all batches of %i rows (replacement: %s)",
  async (count, replacement, batches) => {
    const { store, arena, scaling, gradient } = await fixture();
    const exact = gradient(blockBatches(store, scaling, arena, store.layout.blocks).draw(Rng.seeded(1)));
    const key = (batch: Batch) => [...view(store.kernels.memory, batch.target)].sort().join();
    const all = everyBatch(rowBatches(store, scaling, arena, count, replacement), key, (batch) =>
      gradient(batch),
    );
    expect(all.length).toBe(batches);
    exact.forEach((g, j) => {
      expect(all.reduce((sum, each) => sum + each[j] / all.length, 0)).toBeCloseTo(g, 3);
    });
  },
);
