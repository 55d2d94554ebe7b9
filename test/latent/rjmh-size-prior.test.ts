import { expect, test } from "vitest";
import { binomial } from "../../src/families/binomial.js";
import { enterBatch } from "../../src/latent/jumps.js";
import { langevinSpike } from "../../src/latent/pseudo-prior.js";
import { rjmh } from "../../src/latent/rjmh.js";
import { join, selection } from "../../src/latent/selection.js";
import { selectionModel } from "../../src/latent/selection-model.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { liangPrior } from "../../src/models/priors.js";
import { blockBatches } from "../../src/store/batch/batch.js";
import { unscaled } from "../../src/store/batch/scaling.js";
import { scratchOf, smallStore } from "../small-store.js";
import { worstDeviation } from "./occupation.js";

// 16 models, each within 4.8 batch-means standard errors (39 degrees of freedom): a false alarm in 2000 seeds.
test("reversible jumps visit models as often as enumeration says when the slab depends on the model size", async () => {
  const rng = Rng.seeded(11);
  const rows = 12;
  const random = () => Float64Array.from({ length: rows }, () => normal(rng));
  const y = Float64Array.from({ length: rows }, () => rng.below(2));
  const store = await smallStore({ a: random(), b: random(), c: random(), d: random(), y });
  const arena = scratchOf(store);
  const batch = blockBatches(store, unscaled(store.shift), arena, 1).draw(rng);
  const [p, maxSize] = [5, 3];
  const prior = liangPrior({ inclusion: 0.4, c0: 2, maxSize });
  const pseudoPrior = langevinSpike({ variables: p, variance: 0.3 });
  const likelihood = binomial.likelihood(store.kernels, { variance: 1 });
  const model = selectionModel({ names: ["a", "b", "c", "d", "1"], likelihood, prior, pseudoPrior });
  const sizes = [0.5, 0.9, 0.4, 0.7];

  // The sign of a coefficient is part of the state, so the exact law sums over signs.
  const exact = new Float64Array(16);
  for (let set = 0; set < 16; set++) {
    for (let signs = 0; signs < 16; signs++) {
      const theta = Float64Array.from([...sizes.map((s, j) => ((signs >> j) & 1 ? -s : s)), 0.2]);
      const z = selection({
        ...{ variables: p, always: [4], maxSize: 4, movesPerBatch: 0 },
        ...{ eta: arena.vector(rows), scratch: arena.vector(rows) },
      });
      for (let j = 0; j < 4; j++) if ((set >> j) & 1) join(z, j);
      if (z.size - 1 > maxSize) continue;
      enterBatch(store.kernels, z, theta, batch);
      exact[set] += Math.exp(model.logJoint(theta, z, batch));
    }
  }
  const kernel = rjmh({
    ...{ kernels: store.kernels, likelihood, prior, pseudoPrior, always: [4], movesPerBatch: 400_000 },
    weights: Float64Array.of(0.3, 0.8, 0.5, 0.6, 0),
    vector: () => arena.vector(rows),
  });
  const theta = Float64Array.from([...sizes, 0.2]);
  const z = kernel.init(rng, theta);
  kernel.enter(z, theta, batch);
  const visited = Uint8Array.from({ length: 400_000 }, () => {
    kernel.step(rng, z, theta, batch);
    return sizes.reduce((set, _, j) => set + (z.place[j] >= 0 ? 1 << j : 0), 0);
  });
  expect(worstDeviation(visited, exact)).toBeLessThan(4.8);
});
