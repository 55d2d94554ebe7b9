import { expect, test } from "vitest";
import { liangInclusion, liangPrior, logSlab } from "../../src/models/priors.js";

test("the prior for generalised linear models has the constants of the supplement", () => {
  const inclusion = liangInclusion(2001, 0.5);
  expect(inclusion).toBeCloseTo(1 / (1 + Math.sqrt(2001) * 2.5066282746), 10);
  const prior = liangPrior({ inclusion, c0: 10, maxSize: 500 });
  expect(prior.slabVariance(8)).toBeCloseTo(Math.exp(1.25) / 6.283185307, 8);
  expect(prior.logModel(3) - prior.logModel(2)).toBeCloseTo(Math.log(inclusion / (1 - inclusion)), 10);
});

test("the slab of a model is the product of normal densities with the variance of its size", () => {
  const prior = liangPrior({ inclusion: 0.1, c0: 2.5, maxSize: 9 });
  const theta = [0.3, -1.2, 0.7];
  const v = Math.exp(2.5 / 3) / (2 * Math.PI);
  const exact = theta.reduce((sum, t) => sum - 0.5 * (Math.log(2 * Math.PI * v) + (t * t) / v), 0);
  expect(logSlab(prior, 3, 0.09 + 1.44 + 0.49)).toBeCloseTo(exact, 10);
  expect(logSlab(prior, 0, 0)).toBe(0);
});
