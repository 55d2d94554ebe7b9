import { describe, expect, test } from "vitest";
import { average, overDataSets, selectionError } from "../../src/diagnostics/selection-error.js";

const truth = [1, -2, 0, 0, 0, 3];

describe("the error of one selection", () => {
  test("counts false members among the selected and missed ones among the true", () => {
    const error = selectionError([0, 2, 3, 5], [1.1, -1.8, 0.3, 0, 0, 3], truth);
    expect(error.fsr).toBe(2 / 4);
    expect(error.nsr).toBe(1 / 3);
    expect(error.mse1).toBeCloseTo((0.1 ** 2 + 0.2 ** 2) / 3, 14);
    expect(error.mse0).toBeCloseTo(0.3 ** 2 / 3, 14);
  });

  test("of an empty selection has FSR 0 and NSR 1", () => {
    expect(selectionError([], new Float64Array(6), truth)).toEqual({ fsr: 0, nsr: 1, mse1: 14 / 3, mse0: 0 });
  });

  test("without true variables has NSR 0 and MSE1 0, and FSR 1 for whatever is selected", () => {
    expect(selectionError([1], [0, 0.5], [0, 0])).toEqual({ fsr: 1, nsr: 0, mse1: 0, mse0: 0.125 });
    expect(selectionError([], [0, 0], [0, 0])).toEqual({ fsr: 0, nsr: 0, mse1: 0, mse0: 0 });
  });

  test("of the truth itself is zero, and a variable listed twice counts once", () => {
    expect(selectionError([5, 0, 1, 0], truth, truth)).toEqual({ fsr: 0, nsr: 0, mse1: 0, mse0: 0 });
  });

  test("cannot be computed for variables that do not exist", () => {
    expect(() => selectionError([6], truth, truth)).toThrow(/Variable 6/);
    expect(() => selectionError([0], [1], truth)).toThrow(/one entry per variable/);
  });
});

describe("over data sets", () => {
  test("every error gets its mean and its standard error", () => {
    const base = { fsr: 0, nsr: 0.25, mse1: 1, mse0: 0 };
    const result = overDataSets([base, { ...base, fsr: 0.5, mse1: 2 }, { ...base, fsr: 0.25, mse1: 6 }]);
    // 0, 1/2, 1/4: sd 1/4. 1, 2, 6: mean 3, variance (4 + 1 + 9)/2 = 7.
    expect(result.fsr.mean).toBe(0.25);
    expect(result.fsr.se).toBeCloseTo(0.25 / Math.sqrt(3), 14);
    expect(result.nsr).toEqual({ mean: 0.25, se: 0 });
    expect(result.mse1.se).toBeCloseTo(Math.sqrt(7 / 3), 14);
  });

  test("one data set has a mean and no standard error, none has neither", () => {
    expect(average([0.5])).toEqual({ mean: 0.5 });
    expect(() => average([])).toThrow(/nothing to average/);
  });
});
