import { describe, expect, it } from "vitest";
import { holedRegression } from "../../../src/experiments/missing-data.js";
import { fitTable } from "../../../src/fit.js";
import { threads } from "../../../src/node.js";
import type { Progress } from "../../../src/selection/options.js";
import type { FitResult } from "../../../src/selection/result.js";
import { arrayTable } from "../../../src/sources/arrays.js";
import { fitRegression } from "../fit-arrays.js";

const data = holedRegression({ rows: 1000, columns: 21, share: 0.2, seed: 1 });

/** Whether the true model is selected, and the largest distance of an effect from the truth in posterior sds. */
function judge({ variables }: FitResult) {
  let exact = true;
  let furthest = 0;
  for (const { name, mean, sd, selected } of variables) {
    const truth = data.effects[Number(name.slice(1))];
    exact &&= selected === (truth !== 0);
    if (truth !== 0) furthest = Math.max(furthest, sd > 0 ? Math.abs(mean - truth) / sd : Infinity);
  }
  return { exact, furthest };
}

describe("--missing impute", () => {
  it("finds the true model and its coefficients where dropping rows and means do not", async () => {
    const complete = data.y.filter((_, i) => data.columns.every((values) => !Number.isNaN(values[i]))).length;
    expect(complete).toBeLessThan(0.05 * data.y.length);
    const imputed = await fitRegression(data, { missing: "impute", iterations: 150 });
    expect(judge(imputed).exact).toBe(true);
    expect(judge(imputed).furthest).toBeLessThan(2);
    expect(imputed.notes?.join(" ")).toContain(`kept ${complete} of 1000 rows`);
    expect(imputed.settings.imputation).toBe("joint gaussian");
    expect(judge(await fitRegression(data, { missing: "drop" })).exact).toBe(false);
    expect(judge(await fitRegression(data, { missing: "mean" })).furthest).toBeGreaterThan(2);
  });

  it("gives the same answer for the same seed, and changes nothing where nothing is missing", async () => {
    const options = { missing: "impute", iterations: 12, seed: 7 } as const;
    const [one, again] = [await fitRegression(data, options), await fitRegression(data, options)];
    expect({ ...again, timing: {} }).toEqual({ ...one, timing: {} });
    const whole = holedRegression({ rows: 200, columns: 6, share: 0, seed: 2 });
    const plain = await fitRegression(whole, { seed: 7 });
    const asked = await fitRegression(whole, { seed: 7, missing: "impute" });
    expect({ ...asked, timing: {} }).toEqual({ ...plain, timing: {} });
  });

  it("does not depend on how many threads draw", async () => {
    const options = { missing: "impute", iterations: 6, seed: 7 } as const;
    const alone = await fitRegression(data, options);
    const named = Object.fromEntries(data.columns.map((values, j) => [`x${j}`, values]));
    const pool = await fitTable(
      arrayTable({ ...named, y: data.y }),
      { ...options, target: "y", threads: 2 },
      threads,
    );
    expect({ ...pool, timing: {} }).toEqual({ ...alone, timing: {} });
  });

  it("answers from two sweeps when it is stopped at once, and says so", async () => {
    const stop = new AbortController();
    const onProgress = ({ stage }: Progress) => stage === "sample" && stop.abort();
    const { partial, settings, variables } = await fitRegression(data, {
      ...{ missing: "impute", signal: stop.signal, onProgress },
    });
    expect(partial).toBe(true);
    expect(settings).toMatchObject({ sweeps: 3, sweepsDiscarded: 1 });
    expect(variables).toHaveLength(data.columns.length);
  });

  it("covers an intercept and leaves it out when asked", async () => {
    const { intercept } = await fitRegression(data, { missing: "impute", iterations: 100 });
    expect(Math.abs(intercept!.mean - 1)).toBeLessThan(3 * intercept!.sd);
    const far = { ...data, y: data.y.map((value) => value - 1) };
    const without = await fitRegression(far, { missing: "impute", iterations: 100, intercept: "none" });
    expect(without.intercept).toBeUndefined();
    expect(judge(without).exact).toBe(true);
  });

  it("says what it cannot do", async () => {
    const two = { ...data, y: data.y.map((value) => (value > 1 ? 1 : 0)) };
    await expect(fitRegression(two, { missing: "impute" })).rejects.toThrow("Gaussian targets");
    await expect(fitRegression(data, { missing: "impute", slab: "zellner" })).rejects.toThrow(
      "--slab zellner",
    );
    await expect(fitRegression(data, { missing: "impute", preset: "paper" })).rejects.toThrow(
      "--preset paper",
    );
    await expect(fitRegression(data, { missing: "impute", holdout: 0.2 })).rejects.toThrow("--holdout");
    const text = data.columns.map((values, j) =>
      j === 1 ? Array.from(values, (v) => (Number.isNaN(v) ? null : v > 0 ? "a" : "b")) : values,
    );
    await expect(fitRegression({ columns: text, y: data.y }, { missing: "impute" })).rejects.toThrow(
      '"x1" is text',
    );
  });
});
