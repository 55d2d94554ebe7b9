import { expect, it } from "vitest";
import { curvature, dampedFactor, mode, refined } from "../../src/math/mode.js";

/** log density −(x⁴/4 + x²y²/2 + y²/2 + (x − 3)²/2): convex nowhere far from its mode alone. */
const density = {
  value: ([x, y]: Float64Array) => -(x ** 4 / 4 + (x * y) ** 2 / 2 + y ** 2 / 2 + (x - 3) ** 2 / 2),
  gradient(out: Float64Array, [x, y]: Float64Array) {
    out[0] = -(x ** 3 + x * y ** 2 + x - 3);
    out[1] = -(x ** 2 * y + y);
  },
};

it("finds the mode from far away", () => {
  const found = mode(density, Float64Array.of(-20, 35));
  // x³ + x = 3 at y = 0.
  expect(found[0]).toBeCloseTo(1.2134116627622296, 6);
  expect(found[1]).toBeCloseTo(0, 6);
});

it("finds the mode of a density that is not concave where it starts", () => {
  // Cauchy: the curvature is negative beyond 1.
  const cauchy = {
    value: ([x]: Float64Array) => -Math.log1p(x * x),
    gradient(out: Float64Array, [x]: Float64Array) {
      out[0] = (-2 * x) / (1 + x * x);
    },
  };
  expect(mode(cauchy, Float64Array.of(8))[0]).toBeCloseTo(0, 4);
});

it("measures the curvature, off the diagonal too", () => {
  const [xx, yx, yy] = curvature(density, Float64Array.of(1, 2));
  expect(xx).toBeCloseTo(3 + 4 + 1, 6);
  expect(yx).toBeCloseTo(2 * 1 * 2, 6);
  expect(yy).toBeCloseTo(2, 6);
});

it("adds to a curvature only what makes it positive definite", () => {
  expect([...dampedFactor(Float64Array.of(4, 2, 5), 2)]).toEqual([2, 1, 2]);
  const factor = dampedFactor(Float64Array.of(1, 0, -1), 2);
  expect(factor[2]).toBeGreaterThan(0);
});

it("refines a mode with a curvature that is only about right, and knows the gradient where it stops", () => {
  const factor = dampedFactor(curvature(density, Float64Array.of(1.6, 0.3)), 2);
  const { theta, gradient } = refined(density, Float64Array.of(1.6, 0.3), factor, 1e-6);
  expect(theta[0]).toBeCloseTo(1.2134116627622296, 5);
  expect(theta[1]).toBeCloseTo(0, 5);
  const there = new Float64Array(2);
  density.gradient(there, theta);
  expect([...gradient]).toEqual([...there]);
  const still = refined(density, Float64Array.of(1.6, 0.3), factor, 1e-6, 0);
  expect([...still.theta]).toEqual([1.6, 0.3]);
});
