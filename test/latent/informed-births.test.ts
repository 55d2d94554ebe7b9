import { describe, expect, test } from "vitest";
import { familyNamed } from "../../src/families/register.js";
import { informedBirths } from "../../src/latent/informed-births.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { liangPrior, logSlab } from "../../src/models/priors.js";
import { view } from "../../src/store/batch/arena.js";
import { blockBatches } from "../../src/store/batch/batch.js";
import { unscaled } from "../../src/store/batch/scaling.js";
import type { Vector } from "../../src/types.js";
import { meanZ } from "../goodness.js";
import { scratchOf, smallStore } from "../small-store.js";
import { worstDeviation } from "./occupation.js";

const ROWS = 12;
const MOVES = 150_000;
const LOG_DENSITY = {
  gaussian: (y: number, eta: number) => -((y - eta) ** 2) / (2 * 1.7),
  binomial: (y: number, eta: number) => y * eta - Math.log1p(Math.exp(eta)),
  poisson: (y: number, eta: number) => y * eta - Math.exp(eta),
};

// 8 models (4.9 standard errors) and a mean (4.5) for each family: a false alarm in 2000 seeds.
describe.each(["gaussian", "binomial", "poisson"] as const)("informed births for a %s target", (name) => {
  test("leave the joint law of models and coefficients unchanged", async () => {
    const rng = Rng.seeded(5);
    const columns = Array.from({ length: 3 }, () =>
      Float64Array.from({ length: ROWS }, () => Math.fround(normal(rng))),
    );
    const y = Float64Array.from({ length: ROWS }, (_, i) =>
      name === "gaussian"
        ? Math.fround(0.8 * columns[0][i] + normal(rng))
        : Number(columns[0][i] + normal(rng) > 0) + (name === "poisson" ? rng.below(2) : 0),
    );
    const store = await smallStore({ a: columns[0], b: columns[1], c: columns[2], y }, 6);
    const arena = scratchOf(store);
    // Half of the rows, each counting twice: the target is that of the batch.
    const batch = blockBatches(store, unscaled(store.shift), arena, 1).draw(rng);
    const seen = (fill: (out: Vector) => void): Float32Array => {
      const out = arena.vector(batch.rows);
      fill(out);
      return view(store.kernels.memory, out);
    };
    const xs = [0, 1, 2].map((j) => seen((out) => batch.axpy(out, 1, j)));
    const ys = view(store.kernels.memory, batch.target);
    const prior = liangPrior({ inclusion: 0.35, c0: 1.5, maxSize: 3 });
    const intercept = 0.3;
    const weights = Float64Array.of(0.3, 0.6, 0.5, 0);
    const kernel = informedBirths({
      ...{
        kernels: store.kernels,
        likelihood: familyNamed(name).likelihood(store.kernels, { variance: 1.7 }),
        prior,
        weights,
      },
      ...{ always: [3], movesPerBatch: MOVES, vector: () => arena.vector(batch.rows) },
    });
    const theta = Float64Array.of(0, 0, 0, intercept);
    const z = kernel.init(rng, theta);
    kernel.enter(z, theta, batch);
    const visited = new Uint8Array(MOVES);
    const values = new Float64Array(MOVES);
    for (let move = 0; move < MOVES; move++) {
      kernel.step(rng, z, theta, batch);
      for (let j = 0; j < 3; j++) if (z.place[j] >= 0) visited[move] |= 1 << j;
      values[move] = visited[move] & 1 ? theta[0] : 0;
    }

    const { masses, firstMean } = quadrature((coefficients, size) => {
      let log = prior.logModel(size);
      log += logSlab(
        prior,
        size,
        coefficients.reduce((sum, b) => sum + b * b, 0),
      );
      for (let i = 0; i < batch.rows; i++) {
        const eta = xs.reduce((sum, x, j) => sum + coefficients[j] * x[i], intercept);
        log += batch.weight * LOG_DENSITY[name](ys[i], eta);
      }
      return log;
    });
    expect(worstDeviation(visited, masses)).toBeLessThan(4.9);
    const batches = Float64Array.from(
      { length: 50 },
      (_, b) => values.subarray(b * 3000, (b + 1) * 3000).reduce((sum, v) => sum + v, 0) / 3000,
    );
    expect(Math.abs(meanZ(batches, firstMean))).toBeLessThan(4.5);
  });
});

/** Posterior masses of the eight models and the mean of the first coefficient, on a grid of step 0.15 over ±4.5. */
function quadrature(logJoint: (coefficients: number[], size: number) => number) {
  const step = 0.15;
  const grid = Array.from({ length: 61 }, (_, k) => (k - 30) * step);
  const masses = new Float64Array(8);
  let weighted = 0;
  for (let set = 0; set < 8; set++) {
    const values = [0, 1, 2].map((j) => ((set >> j) & 1 ? grid : [0]));
    const size = values.filter((v) => v.length > 1).length;
    const cell = step ** size;
    for (const a of values[0]) {
      for (const b of values[1]) {
        for (const c of values[2]) {
          const mass = cell * Math.exp(logJoint([a, b, c], size));
          masses[set] += mass;
          weighted += mass * a;
        }
      }
    }
  }
  return { masses, firstMean: weighted / masses.reduce((sum, m) => sum + m, 0) };
}
