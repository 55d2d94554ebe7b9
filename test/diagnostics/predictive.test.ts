import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { calibration } from "../../src/diagnostics/calibration.js";
import { auc, binomialScores, gaussianScores, poissonScores } from "../../src/diagnostics/predictive.js";

/** Written by test/reference/predictive.R. */
const theirs = JSON.parse(readFileSync(new URL("../reference/predictive.json", import.meta.url), "utf8"));

describe("gaussian predictions", () => {
  test("have R's root mean squared error and R²", () => {
    const ours = gaussianScores(theirs.gaussian.y, theirs.gaussian.mu);
    expect(ours.rmse).toBeCloseTo(theirs.gaussian.rmse, 10);
    expect(ours.r2).toBeCloseTo(theirs.gaussian.r2, 7);
  });

  test("of 1, 2, 6 by 2, 2, 4 have rmse √(5/3) and R² 9/14", () => {
    const { rmse, r2 } = gaussianScores([1, 2, 6], [2, 2, 4]);
    expect(rmse).toBeCloseTo(Math.sqrt(5 / 3), 14);
    expect(r2).toBeCloseTo(1 - 5 / 14, 14);
  });

  test("of a constant have no R², and worse ones than the mean a negative one", () => {
    expect(gaussianScores([0.1, 0.1, 0.1], [1, 2, 3])).not.toHaveProperty("r2");
    expect(gaussianScores([1, 3], [3, 1]).r2).toBe(-3);
  });
});

describe("binomial predictions", () => {
  test("have R's error rate, log loss, Brier score, AUC with ties and logistic recalibration", () => {
    const ours = binomialScores(theirs.binomial.y, theirs.binomial.p);
    expect(ours.errorRate).toBeCloseTo(theirs.binomial.errorRate, 12);
    expect(ours.logLoss).toBeCloseTo(theirs.binomial.logLoss, 12);
    expect(ours.brier).toBeCloseTo(theirs.binomial.brier, 12);
    expect(ours.auc).toBeCloseTo(theirs.binomial.auc, 12);
    expect(ours.calibration.intercept).toBeCloseTo(theirs.binomial.intercept, 8);
    expect(ours.calibration.slope).toBeCloseTo(theirs.binomial.slope, 8);
  });

  test("have as AUC the share of pairs in the right order, equal ones counting half", () => {
    // Pairs (one, zero): (.8,.3) right, (.8,.5) right, (.5,.3) right, (.5,.5) half.
    expect(auc([1, 1, 0, 0], [0.8, 0.5, 0.3, 0.5])).toBe(3.5 / 4);
    expect(auc([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5])).toBe(0.5);
    expect(auc([0, 1], [0.9, 0.1])).toBe(0);
  });

  test("of one class have no AUC", () => {
    expect(binomialScores([1, 1], [0.9, 0.4])).not.toHaveProperty("auc");
  });

  test("that are certain and wrong cost a finite log loss; one half is half an error", () => {
    expect(binomialScores([1, 0], [0, 0]).logLoss).toBeCloseTo(-Math.log(1e-15) / 2, 10);
    expect(binomialScores([1, 0, 1, 1], [0.5, 0.5, 0.2, 0.7]).errorRate).toBe(0.5);
  });

  test("outside [0, 1], and targets that are not 0 or 1, are refused by row", () => {
    expect(() => binomialScores([1, 0], [0.5, 1.2])).toThrow("Row 2 has 1.2 where a probability is needed.");
    expect(() => binomialScores([1, 2], [0.5, 0.5])).toThrow(/Row 2 has 2/);
  });
});

describe("calibration", () => {
  test("compares frequency with prediction in each bin that has rows", () => {
    const { bins, expectedError } = calibration([0, 1, 1, 1], [0.1, 0.15, 0.9, 1]);
    expect(bins).toEqual([
      { rows: 2, predicted: 0.125, observed: 0.5 },
      { rows: 2, predicted: 0.95, observed: 1 },
    ]);
    expect(expectedError).toBeCloseTo((2 * 0.375 + 2 * 0.05) / 4, 14);
  });

  test("has intercept 0 and slope 1 when every frequency equals its prediction", () => {
    const y = [0, 0, 0, 1, 1, 1, 1, 0];
    const p = [0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75];
    const result = calibration(y, p);
    expect(result.intercept).toBeCloseTo(0, 10);
    expect(result.slope).toBeCloseTo(1, 10);
    expect(result.expectedError).toBe(0);
  });

  test.each([
    ["separate the classes", [0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]],
    ["touch in one value", [0, 0, 1, 1], [0.1, 0.5, 0.5, 0.9]],
    ["are all the same", [0, 1, 0, 1], [0.5, 0.5, 0.5, 0.5]],
    ["meet one class", [1, 1, 1], [0.2, 0.5, 0.9]],
  ])("has no slope when predictions %s", (_, y, p) => {
    expect(calibration(y, p)).not.toHaveProperty("slope");
  });

  test("has a slope when one class lies within the other", () => {
    // Symmetric: the ones are no likelier on either side, so the slope is 0 and the intercept log 2.
    const result = calibration([1, 0, 1], [0.1, 0.5, 0.9]);
    expect(result.slope).toBeCloseTo(0, 10);
    expect(result.intercept).toBeCloseTo(Math.log(2), 10);
  });

  test("has a slope even when a prediction is certain and wrong", () => {
    const { slope } = calibration([1, 0, 1, 0, 1], [0, 0.4, 0.6, 0.7, 1]);
    expect(Number.isFinite(slope)).toBe(true);
  });
});

describe("poisson predictions", () => {
  test("have R's deviance per row", () => {
    expect(poissonScores(theirs.poisson.y, theirs.poisson.mu).deviance).toBeCloseTo(
      theirs.poisson.deviance,
      12,
    );
  });

  test("of 0 and 2 by 1 and 1 have deviance 2 log 2 and rmse 1", () => {
    const { deviance, rmse } = poissonScores([0, 2], [1, 1]);
    // 2·(0 + 1) = 2 and 2·(2 log 2 − 1) = 4 log 2 − 2, halved.
    expect(deviance).toBeCloseTo(2 * Math.log(2), 14);
    expect(rmse).toBe(1);
  });

  test("that are not positive are refused", () => {
    expect(() => poissonScores([1], [0])).toThrow(/positive mean/);
  });
});

test("a target or prediction that is not a number is refused by row", () => {
  expect(() => gaussianScores([1, NaN], [1, 2])).toThrow("Row 2 has NaN where a number is needed.");
});

test("scores without rows, or with a prediction missing, are refused", () => {
  expect(() => gaussianScores([], [])).toThrow(/at least one row/);
  expect(() => poissonScores([1, 2], [1])).toThrow(/one prediction for each/);
});
