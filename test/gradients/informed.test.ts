import { expect, it } from "vitest";
import { informed } from "../../src/gradients/informed.js";

const known = {
  theta: Float64Array.of(1, -1),
  gradient: Float64Array.of(0.5, 0),
  information: Float64Array.of(4, 1, 1, 3),
};
const all = { count: 2, indices: Uint32Array.of(0, 1) };

/** The gradient of the quadratic that is known, off by the batch. */
const gradient = informed(
  (batch: readonly number[]) => ({
    at(out, theta) {
      const [x, y] = theta.map((value, j) => value - known.theta[j]);
      out[0] = 0.5 - 4 * x - y + batch[0];
      out[1] = -x - 3 * y + batch[1];
      return all;
    },
  }),
  known,
);

it("what a gradient is off by from the known quadratic is its error, and its information is the known one", () => {
  const here = gradient([0.3, -0.2]);
  const out = new Float64Array(2);
  here.at(out, Float64Array.of(2, 5));
  expect(out[0]).toBeCloseTo(0.5 - 4 - 6 + 0.3, 12);
  const [information, covariance] = [new Float64Array(4), new Float64Array(4)];
  here.noise(information, covariance, "full");
  expect([...information]).toEqual([4, 1, 1, 3]);
  [0.09, -0.06, -0.06, 0.04].forEach((x, i) => void expect(covariance[i]).toBeCloseTo(x, 12));
  here.noise(information, covariance, "diagonal");
  expect([...information.subarray(0, 2)]).toEqual([4, 3]);
  [0.09, 0.04].forEach((x, i) => void expect(covariance[i]).toBeCloseTo(x, 12));
});
