import { describe, expect, test } from "vitest";
import { familyNamed } from "../../src/families/register.js";
import { enterBatch } from "../../src/latent/jumps.js";
import { langevinSpike } from "../../src/latent/pseudo-prior.js";
import { join, selection } from "../../src/latent/selection.js";
import { selectionModel } from "../../src/latent/selection-model.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { liangPrior } from "../../src/models/priors.js";
import { blockBatches } from "../../src/store/batch/batch.js";
import { unscaled } from "../../src/store/batch/scaling.js";
import { scratchOf, smallStore } from "../small-store.js";

describe.each(["binomial", "poisson"] as const)("the %s selection model", (name) => {
  test("has the gradient that central differences of its log joint give, with a prior that depends on size", async () => {
    const rng = Rng.seeded(3);
    const rows = 40;
    const random = () => Float64Array.from({ length: rows }, () => normal(rng));
    const y = Float64Array.from({ length: rows }, () => rng.below(name === "binomial" ? 2 : 5));
    const store = await smallStore({ a: random(), b: random(), c: random(), y }, 10);
    const arena = scratchOf(store);
    const batch = blockBatches(store, unscaled(store.shift), arena, 2).draw(rng);
    const prior = liangPrior({ inclusion: 0.2, c0: 3, maxSize: 4 });
    const pseudoPrior = langevinSpike({ variables: 4, variance: 0.025 });
    const likelihood = familyNamed(name).likelihood(store.kernels, { variance: 1 });
    const model = selectionModel({ names: ["a", "b", "c", "1"], likelihood, prior, pseudoPrior });
    const z = selection({
      ...{ variables: 4, always: [3], maxSize: 3, movesPerBatch: 0 },
      ...{ eta: arena.vector(batch.rows), scratch: arena.vector(batch.rows) },
    });
    join(z, 0);
    join(z, 2);
    const theta = Float64Array.of(0.4, 0.1, -0.7, 0.2);
    const logJoint = () => {
      enterBatch(store.kernels, z, theta, batch);
      return model.logJoint(theta, z, batch);
    };
    const h = 1e-2;
    const differences = Array.from(theta, (value, j) => {
      // Fifth-order differences: float32 keeps the step from being small.
      const at = (k: number) => {
        theta[j] = value + k * h;
        const result = logJoint();
        theta[j] = value;
        return result;
      };
      return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
    });
    logJoint();
    const out = Float64Array.from(theta, (value, j) => model.rest!(j, value));
    model.addGrad(out, 1, theta, z, batch);
    for (let j = 0; j < 4; j++) {
      expect(Math.abs(out[j] - differences[j])).toBeLessThan(2e-3 * (1 + Math.abs(out[j])));
    }
  });
});
