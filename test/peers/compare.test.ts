import { describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { COMPARE_METHODS } from "../../src/options/choices.js";
import { compareTable } from "../../src/peers/compare.js";
import { comparisonText } from "../../src/report/text/comparison.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { oneThread } from "./store-of.js";

const rng = Rng.seeded(8);
const ROWS = 300;
const noise = () => Float64Array.from({ length: ROWS }, () => normal(rng));
const columns: Record<string, Float64Array> = {};
for (const name of ["a", "b", "c", "d", "e", "f"]) columns[name] = noise();
const signal = columns.a.map((a, i) => 100 + 3 * a - 2 * columns.b[i]);
const error = noise();
const gaussian = arrayTable({ ...columns, y: signal.map((s, i) => s + error[i]) });
const classes = arrayTable({ ...columns, y: signal.map((s, i) => (s + error[i] > 100 ? 1 : 0)) });

describe("compare", () => {
  it("finds strong effects with every method, in the units of the data", async () => {
    const result = await compareTable(gaussian, { target: "y" }, oneThread);
    expect(result.methods.map(({ method }) => method)).toEqual(COMPARE_METHODS);
    expect(result.holdoutRows).toBeGreaterThan(30);
    expect(result.holdoutRows).toBeLessThan(90);
    for (const { method, failure, selected = [], holdoutError, seconds, explanation } of result.methods) {
      expect(failure, method).toBeUndefined();
      const chosen = Object.fromEntries(selected.map(({ name, coefficient }) => [name, coefficient]));
      // The Bayesian Lasso and the one-standard-error rule shrink; least squares would be within 0.2.
      expect(Math.abs(chosen.a - 3), method).toBeLessThan(0.6);
      expect(Math.abs(chosen.b + 2), method).toBeLessThan(0.6);
      expect(holdoutError, method).toBeLessThan(result.nullError! / 5);
      expect(seconds).toBeGreaterThan(0);
      expect(explanation.length).toBeGreaterThan(20);
    }
  });

  it.each(["drop", "mean"] as const)("treats holes alike for all methods: %s", async (missing) => {
    const holed: typeof columns = { ...columns, y: signal.map((s, i) => s + error[i]) };
    holed.a = holed.a.map((value, i) => (i % 10 === 3 ? Number.NaN : value));
    holed.y = holed.y.map((value, i) => (i % 25 === 4 ? Number.NaN : value));
    const table = arrayTable(holed);
    const methods = ["esgld", "lasso"];
    const result = await compareTable(table, { target: "y", methods, missing }, oneThread);
    expect(result.rows).toBe(missing === "drop" ? 258 : 288);
    for (const { selected = [], holdoutError } of result.methods) {
      expect(selected.map(({ name }) => name).sort()).toEqual(["a", "b"]);
      expect(holdoutError).toBeLessThan(result.nullError! / 2);
    }
    await expect(compareTable(table, { target: "y", methods }, oneThread)).rejects.toThrow(
      /^the data has missing values in "a" \(\d+ rows/,
    );
  });

  it("goes on when a method fails, and says why", async () => {
    const result = await compareTable(
      classes,
      { target: "y", methods: ["rjmh", "esgld", "lasso"], holdout: 0 },
      oneThread,
    );
    const [rjmh, esgld, lasso] = result.methods;
    expect(result.family).toBe("binomial");
    expect(rjmh.failure).toMatch(/Gaussian/);
    expect(esgld.selected?.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(lasso.selected?.map(({ name }) => name)).toEqual(expect.arrayContaining(["a", "b"]));
    expect(esgld.holdoutError).toBeUndefined();
    const text = comparisonText(result);
    expect(text).toContain("rjmh failed: rjmh is offered for Gaussian targets only");
    expect(text).toMatch(/esgld +2/);
  });

  it("names a method that it does not know, and a hold-out that makes no sense", async () => {
    await expect(compareTable(gaussian, { target: "y", methods: ["magic"] }, oneThread)).rejects.toThrow(
      /^methods knows esgld.*not "magic"/,
    );
    await expect(compareTable(gaussian, { target: "y", holdout: 0.9 }, oneThread)).rejects.toThrow(
      /^holdout must lie between 0 and 0.5/,
    );
  });
});
