import { describe, expect, it } from "vitest";
import { holedRegression } from "../../../src/experiments/missing-data.js";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import { run } from "../../../src/node.js";
import type { Progress } from "../../../src/options/fit.js";
import type { FitResult } from "../../../src/selection/answer/result.js";
import type { Environment } from "../../../src/selection/environment.js";
import { runTable } from "../../../src/selection/fit-table.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { localPool } from "../../../src/workers/pool.js";
import { fitRegression } from "../fit-arrays.js";

const data = holedRegression({ rows: 1000, columns: 21, share: 0.2, seed: 1 });
const few = holedRegression({ rows: 300, columns: 8, share: 0.1, seed: 5 });
const alone: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

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

describe("missing predictors", () => {
  it("are imputed unless told otherwise, which finds the true model and its coefficients where dropping rows and means do not", async () => {
    const complete = data.y.filter((_, i) => data.columns.every((values) => !Number.isNaN(values[i]))).length;
    expect(complete).toBeLessThan(0.05 * data.y.length);
    const imputed = await fitRegression(data, { iterations: 80 });
    expect(judge(imputed).exact).toBe(true);
    expect(judge(imputed).furthest).toBeLessThan(2);
    const holes = data.columns.map((values) => values.filter(Number.isNaN).length);
    const entries = holes.reduce((a, b) => a + b);
    expect(imputed.missing).toMatchObject({
      ...{ entries, share: entries / 21_000, completeRows: complete, enoughRows: false, lawOf: 21 },
      model: "joint gaussian",
    });
    expect(imputed.missing!.columns[0].missing).toBe(Math.max(...holes));
    expect(imputed.missing!.columns).toHaveLength(20);
    expect(imputed.missing!.dropping).toBeUndefined();
    expect(judge(await fitRegression(data, { missing: "drop" })).exact).toBe(false);
    expect(judge(await fitRegression(data, { missing: "mean" })).furthest).toBeGreaterThan(2);
  });

  it("give the same answer for the same seed", async () => {
    const options = { iterations: 12, seed: 7 } as const;
    const [one, again] = [await fitRegression(data, options), await fitRegression(data, options)];
    expect({ ...again, timing: {} }).toEqual({ ...one, timing: {} });
  });

  it.each(["gaussian", "binomial"] as const)("do not depend on how many threads draw: %s", async (family) => {
    const options = { family, iterations: 6, seed: 7 } as const;
    const { columns, y } = holedRegression({ rows: 1200, columns: 9, share: 0.2, seed: 1, family });
    const alone = await fitRegression({ columns, y }, options);
    const named = Object.fromEntries(columns.map((values, j) => [`x${j}`, values]));
    const { result } = await run({ ...named, y }, { ...options, target: "y", threads: 2 });
    expect({ ...result, timing: {} }).toEqual({ ...alone, timing: {} });
  });

  it("are answered from two sweeps of each chain when the run is stopped at once, and it says so", async () => {
    const stop = new AbortController();
    const onProgress = ({ stage }: Progress) => stage === "sample" && stop.abort();
    const { partial, settings, variables } = await fitRegression(data, {
      ...{ signal: stop.signal, onProgress },
    });
    expect(partial).toBe(true);
    expect(settings).toMatchObject({ sweeps: 3, sweepsDiscarded: 1 });
    expect(variables).toHaveLength(data.columns.length);
  });

  it("go with an intercept and without one", async () => {
    const { intercept } = await fitRegression(data, { iterations: 40 });
    expect(Math.abs(intercept!.mean - 1)).toBeLessThan(3 * intercept!.sd);
    const far = { ...data, y: data.y.map((value) => value - 1) };
    const without = await fitRegression(far, { iterations: 40, intercept: "none" });
    expect(without.intercept).toBeUndefined();
    expect(judge(without).exact).toBe(true);
  });

  it("are set beside what dropping rows gives, where that leaves enough of them", async () => {
    const { missing, variables } = await fitRegression(few, { iterations: 60 });
    const dropped = await fitRegression(few, { missing: "drop" });
    expect(missing!.completeRows).toBe(dropped.rows);
    expect(missing!.dropping!.rows).toBe(dropped.rows);
    const either = [...variables, ...dropped.variables].filter(({ selected }) => selected);
    const names = missing!.dropping!.variables.map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(either.map(({ name }) => name)));
    for (const { name, mean } of missing!.dropping!.variables) {
      expect(mean).toBe(dropped.variables.find((variable) => variable.name === name)!.mean);
    }
  });

  it("take two chains, which agree with one of the same seed about as well as chance has it", async () => {
    const two = await fitRegression(few, { iterations: 200, seed: 3 });
    const one = await fitRegression(few, { iterations: 400, seed: 3, chains: 1 });
    expect(two.settings).toMatchObject({ chains: 2, sweeps: 200 });
    expect(two.diagnostics.rhat).toBeLessThan(1.01);
    expect(one.diagnostics.warnings.join(" ")).toContain("One chain cannot show");
    for (const { name, mean, sd } of two.variables.filter(({ selected }) => selected)) {
      const other = one.variables.find((variable) => variable.name === name)!;
      expect(Math.abs(other.mean - mean)).toBeLessThan(0.3 * sd);
    }
  });

  it("are refused on disk, where complete data of that size are not", async () => {
    const { columns, y } = holedRegression({ rows: 6000, columns: 6, share: 0.1, seed: 3 });
    const named = Object.fromEntries(columns.map((values, j) => [`x${j}`, values]));
    const whole = Object.fromEntries(columns.map((values, j) => [`x${j}`, values.map((v) => v || 0)]));
    const options = { target: "y", memory: 60_000, threads: 1 };
    await expect(run({ ...named, y }, options)).rejects.toThrow(
      /missing values, which .* only in memory, and is too large .* memory, or use missing: "drop" or missing: "mean"/,
    );
    const { result } = await run({ ...whole, y }, options);
    expect(result.rows).toBe(6000);
    expect((await run({ ...named, y }, { ...options, missing: "mean" })).result.rows).toBe(6000);
  });

  it("are refused with a reason and the other ways where they cannot be drawn", async () => {
    const ways = /missing: "drop" .*missing: "mean" .*exclude/;
    await expect(fitRegression(data, { slab: "zellner" })).rejects.toThrow(/slab: "zellner"/);
    await expect(fitRegression(data, { slab: "zellner" })).rejects.toThrow(ways);
    await expect(fitRegression(data, { preset: "paper" })).rejects.toThrow(/preset: "paper"/);
    await expect(fitRegression(data, { preset: "paper" })).rejects.toThrow(ways);
    await expect(fitRegression(data, { missing: "error" })).rejects.toThrow(/has missing values in "x1"/);
    const names = few.columns[0].map((_, i) => i);
    const text = Array.from(names, (i) => (i === 3 ? null : `level ${i}`));
    // One that names its row is no predictor, with or without holes.
    const { notes } = await fitRegression({ columns: [...few.columns, text], y: few.y }, {});
    expect(notes?.join()).toMatch(/"x8"/);
  });
});

describe("a column that is mostly holes and in every model", () => {
  const { columns, y } = holedRegression({ rows: 200, columns: 3, share: 0, seed: 3 });
  const mostly = {
    columns: columns.map((values, j) => values.map((x, i) => (j === 0 && i > 6 ? NaN : x))),
    y,
  };
  const always = ["x0", "x1", "x2"];

  it("has an effect that a few sweeps leave uncertain, which the verdict says", async () => {
    const { verdict } = await fitRegression(mostly, { always, iterations: 100 });
    expect(verdict).toContain("too few independent draws");
  });

  it("is given the sweeps that its effect takes", async () => {
    const effects: number[] = [];
    for (const seed of [1, 2]) {
      const { variables, settings, verdict } = await fitRegression(mostly, { always, seed });
      expect(verdict).toMatch(/^No problems found/);
      expect(settings.sweeps).toBeGreaterThan(1000);
      const { mean, sd } = variables.find(({ name }) => name === "x0")!;
      effects.push(mean / sd);
    }
    // 200 effective draws each: a difference of three standard errors in one of 400 cases.
    expect(Math.abs(effects[0] - effects[1])).toBeLessThan(3 * Math.sqrt(2 / 200));
  });
});

describe("results on complete data", () => {
  const families = ["gaussian", "binomial", "poisson"] as const;
  it.each(families)(
    "do not depend on what would be done about holes, to the last byte: %s",
    async (family) => {
      const { columns, y } = holedRegression({ rows: 400, columns: 6, share: 0, seed: 2, family });
      const table = arrayTable({ ...Object.fromEntries(columns.map((values, j) => [`x${j}`, values])), y });
      const written = async (missing?: "error" | "impute") => {
        const { result, details } = await runTable(
          table,
          { target: "y", family, seed: 7, ...(missing && { missing }) },
          alone,
        );
        return JSON.stringify([{ ...result, timing: {} }, details.predictor()]);
      };
      const refusing = await written("error");
      expect(await written()).toBe(refusing);
      expect(await written("impute")).toBe(refusing);
    },
  );
});
