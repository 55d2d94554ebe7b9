import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kernel, model, posterior, type Structural, simulate } from "../../examples/zero-inflated.js";
import { checkFisher, checkGradient, checkInvariance, checkUnbiased } from "../../src/conformance.js";
import { Rng } from "../../src/math/rng.js";
import { rowBlocks } from "../../src/sampling/row-blocks.js";

describe("a zero-inflated count model written outside the library", () => {
  const theta = Float64Array.of(-0.4, 0.3, 0.8);
  const values = Float64Array.of(-1, 0, 0.5, 2, 0.2, 0, 0.9, 0, -0.3, 1);
  const whole = rowBlocks(values, 2, 5).block(0);
  const zeros = (...flags: number[]): Structural => ({ zeros: Uint8Array.from(flags) });

  it("is under a hundred lines", () => {
    const source = readFileSync(new URL("../../examples/zero-inflated.ts", import.meta.url), "utf8");
    expect(source.split("\n").length - 1).toBeLessThan(100);
  });

  it("has the gradient of its log joint", () => {
    checkGradient(model, { theta, z: zeros(1, 0, 0, 1, 0), batch: { ...whole, weight: 3 } });
  });

  it("draws its zeros from their exact conditional", () => {
    // Rows 1, 3 and 4 are zeros; a positive count is never structural.
    const flags = [0, 1];
    const states = flags.flatMap((a) => flags.flatMap((b) => flags.map((c) => zeros(a, 0, b, c, 0))));
    const key = (z: Structural): string => z.zeros.join("");
    checkInvariance(model, kernel, { theta, batch: whole, states, key, rng: Rng.seeded(1) });
  });

  it("gives the gradient of the marginal posterior, without bias from batches", () => {
    const logMarginal = ([logit, a, b]: Float64Array): number => {
      const q = 1 / (1 + Math.exp(-logit));
      let sum = -(logit ** 2 + a ** 2 + b ** 2) / 20;
      for (let i = 0; i < 5; i++) {
        const [x, y] = [values[2 * i], values[2 * i + 1]];
        const poisson = Math.exp(y * (a + b * x) - Math.exp(a + b * x));
        sum += Math.log((y === 0 ? q : 0) + (1 - q) * poisson);
      }
      return sum;
    };
    checkFisher(model, kernel, { theta, batch: whole, logMarginal, rng: Rng.seeded(2) });
    const { count, block } = rowBlocks(values, 2, 2);
    const batches = Array.from({ length: count }, (_, b) => block(b));
    checkUnbiased(model, kernel, { theta, batches, whole, rng: Rng.seeded(3) });
  });

  // 4 posterior sds on 3 coordinates: a false alarm in 5000.
  it("recovers what it was simulated from", () => {
    const truth = [-1, 0.5, 1];
    const { mean, sd } = posterior(simulate(Rng.seeded(7), 20_000, truth), 3000);
    truth.forEach((value, j) => {
      expect(Math.abs(mean[j] - value)).toBeLessThan(4 * sd[j]);
      expect(sd[j]).toBeLessThan(0.05);
    });
  });
});
