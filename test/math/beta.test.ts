import { expect, test } from "vitest";
import { betaCdf, betaQuantile } from "../../src/math/beta.js";

// pbeta and qbeta of R 4.2.2.
test.each([
  [0.3, 2, 5, 0.579825],
  [0.9, 0.5, 0.5, 0.795167235300867],
  [0.01, 0.5, 1000.5, 0.999992672210443],
  [0.72, 3000, 1200, 0.79336650779461],
])("the distribution function at %d of Beta(%d, %d) is R's", (x, a, b, theirs) => {
  expect(betaCdf(x, a, b)).toBeCloseTo(theirs, 11);
});

test("a tail probability of 1e-196 keeps its digits", () => {
  expect(betaCdf(0.5, 800, 30) / 8.67950843805181e-197).toBeCloseTo(1, 9);
});

test.each([
  [0.84, 1.5, 3, 0.551946368639747],
  [0.5, 2000, 2000, 0.5],
  [0.025, 0.5, 0.5, 0.00154133313343601],
])("the quantile %d of Beta(%d, %d) is R's", (p, a, b, theirs) => {
  expect(betaQuantile(p, a, b)).toBeCloseTo(theirs, 11);
});

test("outside the unit interval the distribution function is 0 or 1", () => {
  expect(betaCdf(-1, 2, 2)).toBe(0);
  expect(betaCdf(2, 2, 2)).toBe(1);
});
