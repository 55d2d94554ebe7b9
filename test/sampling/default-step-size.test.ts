import { expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { defaultStepSize } from "../../src/sampling/default-step-size.js";
import type { InnerKernel, Model } from "../../src/types.js";

/** Curvatures 1, 3 and 40; a batch is a shift of the gradient of the first coordinate. */
const CURVATURES = [1, 3, 40];
const model: Model<null, number> = {
  names: ["a", "b", "c"],
  logJoint: (theta, _, shift) =>
    theta.reduce((sum, x, j) => sum - 0.5 * CURVATURES[j] * x * x, shift * theta[0]),
  addGrad(out, scale, theta, _, shift) {
    CURVATURES.forEach((curvature, j) => {
      out[j] -= scale * curvature * theta[j];
    });
    out[0] += scale * shift;
  },
};
const kernel: InnerKernel<null, number> = { init: () => null, enter: () => {}, step: () => false };
const theta = Float64Array.of(0.3, -0.2, 0.1);

it("is 4δ over the largest curvature where gradients have little noise", () => {
  const stepSize = defaultStepSize({ model, kernel, batches: { draw: () => 0 }, theta, rng: Rng.seeded(1) });
  expect(stepSize).toBeCloseTo(0.2 / 40, 6);
});

it("is 4δ over the variance of the gradient where that is larger", () => {
  const batches = { draw: (rng: Rng) => 30 * normal(rng) };
  const stepSize = defaultStepSize({ model, kernel, batches, theta, rng: Rng.seeded(2), widening: 0.1 });
  // A variance from 24 batches: a factor of 2.5 either way is six standard deviations of its logarithm.
  expect(Math.abs(Math.log((stepSize * 900) / 0.4))).toBeLessThan(Math.log(2.5));
});

it("refuses a model without a gradient", () => {
  const flat: Model<null, number> = { names: ["a"], logJoint: () => 0, addGrad: () => {} };
  const batches = { draw: () => 0 };
  expect(() =>
    defaultStepSize({ model: flat, kernel, batches, theta: Float64Array.of(0), rng: Rng.seeded(1) }),
  ).toThrow("where the chain starts");
});
