import { expect, it } from "vitest";
import { BatchMeans } from "../../src/conformance.js";
import { withNoise } from "../../src/gradients/differences.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import type { Gradient } from "../../src/types.js";

/** Errors (2a, a + b) about (5, −3): variances 4 and 2, covariance 2. */
function noisy(rng: Rng): Gradient {
  return {
    at(out) {
      const [a, b] = [normal(rng), normal(rng)];
      out[0] = 5 + 2 * a;
      out[1] = -3 + a + b;
      return { count: 2, indices: Uint32Array.of(0, 1) };
    },
  };
}

// 4.5 standard errors, 3 comparisons: a false alarm in 10,000.
it("estimates the covariance of the error and, by the weight, the information, without bias", () => {
  const steps = 64_000;
  const source = noisy(Rng.seeded(1));
  const gradient = withNoise<{ weight: number }>(() => source)({ weight: 50 });
  const [out, theta] = [new Float64Array(2), new Float64Array(2)];
  const [information, covariance] = [new Float64Array(4), new Float64Array(4)];
  const means = [0, 1, 2, 3].map(() => new BatchMeans(steps));
  gradient.at(out, theta);
  for (let t = 0; t < steps; t++) {
    gradient.at(out, theta);
    gradient.noise(information, covariance, "full");
    expect(information[1]).toBe(covariance[1] / 50);
    for (let k = 0; k < 4; k++) means[k].push(covariance[k]);
  }
  [4, 2, 2, 2].forEach((truth, k) => {
    expect(Math.abs(means[k].mean - truth)).toBeLessThan(4.5 * means[k].error);
  });
});

it("gives as the diagonal what the whole matrix has there", () => {
  const [whole, diagonal] = [new Float64Array(4), new Float64Array(2)];
  const source = noisy(Rng.seeded(2));
  const gradient = withNoise<{ weight: number }>(() => source)({ weight: 1 });
  for (let t = 0; t < 2; t++) gradient.at(new Float64Array(2), new Float64Array(2));
  gradient.noise(new Float64Array(4), whole, "full");
  gradient.noise(new Float64Array(2), diagonal, "diagonal");
  expect([...diagonal]).toEqual([whole[0], whole[3]]);
});

it.each([
  [true, [49, 0, 0, 49]],
  [false, [0, 0, 0, 0]],
])(
  "does not compare a coordinate with what it was before it slept, first counts: %s",
  (firstCounts, found) => {
    let touched = [0];
    const source: Gradient = {
      at(out) {
        for (const j of touched) out[j] = 7;
        return { count: touched.length, indices: Uint32Array.from(touched) };
      },
    };
    const gradient = withNoise<{ weight: number }>(() => source, { firstCounts })({ weight: 1 });
    const [out, theta, variance] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
    const after = (coordinates: number[]): number => {
      touched = coordinates;
      gradient.at(out, theta);
      gradient.noise(new Float64Array(2), variance, "diagonal");
      return variance[0];
    };
    expect([after([0]), after([0]), after([1]), after([0])]).toEqual(found);
  },
);
