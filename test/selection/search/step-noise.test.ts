import { expect, test } from "vitest";
import { gaussian } from "../../../src/families/gaussian.js";
import { join, selection } from "../../../src/latent/selection.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { stepNoise } from "../../../src/selection/search/step-noise.js";
import { blockBatches } from "../../../src/store/batch/batch.js";
import { unscaled } from "../../../src/store/batch/scaling.js";
import { scratchOf, smallStore } from "../../small-store.js";

const ROWS = 40_000;
const BLOCKS = 400;

/** y = 0.1·x0 + e with the model {x0, x1}: x0 is firm, x1 is not. */
async function measure(blocks: number, theta: Float64Array): Promise<number | undefined> {
  const rng = Rng.seeded(8);
  const x = Array.from({ length: 2 }, () => Float64Array.from({ length: ROWS }, () => normal(rng)));
  const y = x[0].map((value) => 0.1 * value + normal(rng));
  const store = await smallStore({ x0: x[0], x1: x[1], y }, ROWS / BLOCKS);
  const arena = scratchOf(store);
  const batches = blockBatches(store, unscaled(store.shift), arena, blocks);
  const vector = () => arena.vector(blocks * store.layout.stride);
  const [eta, scratch] = [vector(), vector()];
  const z = selection({ variables: 3, always: [], maxSize: 2, movesPerBatch: 1, eta, scratch });
  join(z, 0);
  join(z, 1);
  const likelihood = gaussian.likelihood(store.kernels, { variance: 1 });
  return stepNoise({ kernels: store.kernels, likelihood, batches, eta, scratch }, Rng.seeded(9), z, theta);
}

test("the noise of removing a firm member is that of the theory, and falls with the size of batches", async () => {
  // d_i = −θx(e + θx/2): worth Nθ²/2 = 200, sd N·θ/√n, so (3·sd/worth)² = 36/(nθ²).
  const theta = Float64Array.of(0.1, 0.0005, 0);
  for (const blocks of [40, 100]) {
    const expected = (36 / (blocks * (ROWS / BLOCKS) * 0.01)) * (1 - blocks / BLOCKS);
    // 16 batches give a variance with 15 degrees of freedom: a factor of 0.26 to 2.5 covers all but 2e-3.
    const factor = (await measure(blocks, theta))! / expected;
    expect(factor).toBeGreaterThan(0.26);
    expect(factor).toBeLessThan(2.5);
  }
});

test("nothing is asked for where no member is firm", async () => {
  expect(await measure(100, Float64Array.of(0.0005, 0.0005, 0))).toBeUndefined();
});
