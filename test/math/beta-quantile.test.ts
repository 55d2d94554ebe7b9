import { expect, test } from "vitest";
import { betaQuantile } from "../../src/math/beta-quantile.js";

// qbeta of R 4.2.2.
test.each([
  [0.84, 1.5, 3, 0.551946368639747],
  [0.5, 2000, 2000, 0.5],
  [0.025, 0.5, 0.5, 0.00154133313343601],
])("the quantile %d of Beta(%d, %d) is R's", (p, a, b, theirs) => {
  expect(betaQuantile(p, a, b)).toBeCloseTo(theirs, 11);
});
