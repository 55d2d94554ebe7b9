import { describe, expect, it } from "vitest";
import { SparrowError } from "../../src/errors.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { bruteForce } from "../selection/brute-force.js";
import { fitRegression as fitWith, inclusion, variable } from "../selection/fit-arrays.js";
import { type Regression, regression } from "../selection/problems.js";

const noise = (rng: Rng, rows: number): number[] => Array.from({ length: rows }, () => normal(rng));
const truth = (columns: number, effects: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: columns }, (_, j) => effects[j] ?? 0);
const lambda = (p: number) => (k: number) => {
  const inclusion = 1 / (p + 1) ** 1.1;
  return k * Math.log(inclusion) + (p - k) * Math.log(1 - inclusion);
};
const DEFAULT = { slab: "independent", scale: 1, intercept: true, standard: true } as const;

/** The same to `fit`, unless told otherwise. */
const fitRegression: typeof fitWith = (data, options, direct) =>
  fitWith(data, { modelPrior: "inclusion", scalePrior: "fixed", ...options }, direct);

/** These settings by brute force. */
const expected = (data: Regression) =>
  bruteForce(data, { ...DEFAULT, logPrior: lambda(data.columns.length) });

describe("fit finds", () => {
  it("a suppressor without any marginal correlation among 2,000 columns", async () => {
    const rng = Rng.seeded(1);
    const rows = 1000;
    const columns = Array.from({ length: 2000 }, () => noise(rng, rows));
    // x7 = 0.8·x3 + 0.6·z and y = x3 − 0.8·x7 + e: cov(x7, y) = 0; then what is left of it by chance goes, too.
    columns[7] = columns[7].map((z, i) => 0.8 * columns[3][i] + 0.6 * z);
    const error = noise(rng, rows);
    const raw = error.map((e, i) => columns[3][i] - 0.8 * columns[7][i] + e);
    const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0);
    const left = dot(columns[7], raw) / dot(columns[7], columns[7]);
    const y = raw.map((value, i) => value - left * columns[7][i]);
    const result = await fitRegression({ columns, y }, { iterations: 300 });
    expect(variable(result, "x3").pip).toBeGreaterThan(0.999);
    expect(variable(result, "x7").pip).toBeGreaterThan(0.999);
    expect(variable(result, "x7").mean).toBeLessThan(-0.6);
    expect(result.variables.filter(({ selected }) => selected)).toHaveLength(2);
    expect(result.certificate?.complete).toBe(true);
  });

  it.each([6, 350])("a duplicated true column in either copy alike, %i columns", async (p) => {
    const data = regression(Rng.seeded(2), {
      rows: 300,
      beta: truth(p, { 0: 1, 1: -1 }),
      correlation: 0.2,
      noise: 1,
    });
    data.columns[p - 1] = [...data.columns[0]];
    const result = await fitRegression(data, { iterations: 300 });
    const [one, other] = [variable(result, "x0"), variable(result, `x${p - 1}`)];
    // Either copy alone, or both: the prior makes both rare.
    expect(one.pip + other.pip).toBeGreaterThan(0.999);
    expect(Math.abs(one.pip - other.pip)).toBeLessThan(p === 6 ? 1e-9 : 0.02);
    expect(one.pip).toBeGreaterThan(0.48);
    expect(one.pip).toBeLessThan(p === 6 ? 0.62 : 0.52);
    expect(one.meanIfIncluded).toBeCloseTo(other.meanIfIncluded, 6);
    expect(result.credibleSets?.map(({ variables }) => [...variables].sort())).toContainEqual([
      "x0",
      `x${p - 1}`,
    ]);
  });

  it.each([20, 350])("nothing where there is nothing, %i columns", async (p) => {
    const data = regression(Rng.seeded(3), { rows: 400, beta: truth(p, {}), correlation: 0.3, noise: 1 });
    const result = await fitRegression(data, { iterations: 300 });
    expect(result.variables.filter(({ selected }) => selected)).toEqual([]);
    expect(result.models?.[0].variables).toEqual([]);
    expect(result.modelSize.mean).toBeLessThan(1);
    expect(result.variables).toHaveLength(p);
    expect(result.intercept?.mean).toBeCloseTo(data.y.reduce((a, b) => a + b, 0) / 400, 2);
    expect(result.verdict).toMatch(/no variable/i);
  });

  it("strong effects with fewer rows than columns", async () => {
    const data = regression(Rng.seeded(4), {
      rows: 60,
      beta: truth(500, { 10: 2, 200: -2, 499: 1.5 }),
      correlation: 0,
      noise: 0.5,
    });
    const result = await fitRegression(data, { iterations: 300 });
    const chosen = result.variables.filter(({ selected }) => selected).map(({ name }) => name);
    expect(chosen.sort()).toEqual(["x10", "x200", "x499"]);
    expect(result.certificate?.complete).toBe(true);
    for (const { mean, lower, upper } of result.variables) {
      expect(Number.isFinite(mean) && lower <= upper).toBe(true);
    }
  });
});

describe("fit agrees with brute force on awkward data", () => {
  const close = async (
    data: Regression,
    options: Parameters<typeof fitRegression>[1] = {},
    pips = expected(data).pip,
    direct?: boolean,
  ) => {
    const result = await fitRegression(data, { iterations: 60, ...options }, direct);
    const found = inclusion(result);
    found.forEach((pip, j) => {
      expect(Math.abs(pip - pips[j])).toBeLessThan(direct === false ? 0.01 : 1e-4);
    });
    return result;
  };
  const small = (rows: number, correlation: number, seed = 5) =>
    regression(Rng.seeded(seed), {
      rows,
      beta: truth(8, { 0: 0.8, 1: -0.5, 5: 0.3 }),
      correlation,
      noise: 1,
    });

  it("a few dozen rows", async () => {
    await close(small(24, 0.4));
    await close(small(24, 0.4), {}, undefined, false);
  });

  it("as many rows as columns can bear", async () => {
    const data = small(9, 0);
    // Models have at most rows − 3 variables.
    const truth = bruteForce(data, { ...DEFAULT, logPrior: lambda(8), maxSize: 6 });
    await close(data, {}, truth.pip);
  });

  it("columns correlated at 0.999", async () => {
    for (const direct of [true, false]) await close(small(400, 0.999), {}, undefined, direct);
    const data = small(400, 0.999);
    const zellner = bruteForce(data, { ...DEFAULT, slab: "zellner", scale: 400, logPrior: lambda(8) });
    for (const direct of [true, false]) await close(data, { slab: "zellner" }, zellner.pip, direct);
  });

  it("perfectly collinear columns under the independent slab", async () => {
    const data = small(200, 0.3);
    data.columns[7] = data.columns[0].map((x, i) => x + data.columns[1][i]);
    for (const direct of [true, false]) await close(data, {}, undefined, direct);
  });

  it("perfectly collinear columns under Zellner's slab, where no model holds them all", async () => {
    const data = small(200, 0.3);
    data.columns[7] = data.columns[0].map((x, i) => x + data.columns[1][i]);
    const result = await fitRegression(data, { slab: "zellner" });
    expect(inclusion(result).every((pip) => pip >= 0 && pip <= 1)).toBe(true);
    // {x0, x1}, {x0, x7} and {x1, x7} span the same space and are exchangeable; at least two of the three are in.
    const [a, b, c] = ["x0", "x1", "x7"].map((name) => variable(result, name).pip);
    expect(a + b + c).toBeGreaterThan(1.9);
    expect(a + b + c).toBeLessThan(2 + 1e-9);
    for (const { variables } of result.models ?? []) {
      expect(["x0", "x1", "x7"].every((name) => variables.includes(name))).toBe(false);
    }
  });

  it("constant columns, which count for nothing and cannot be forced", async () => {
    const data = small(100, 0.2);
    const pips = expected(data).pip;
    const more = { y: data.y, columns: [...data.columns, new Array(100).fill(0), new Array(100).fill(1e6)] };
    for (const direct of [true, false]) {
      const result = await fitRegression(more, { iterations: 60 }, direct);
      pips.forEach((pip, j) => {
        expect(Math.abs(variable(result, `x${j}`).pip - pip)).toBeLessThan(direct ? 1e-4 : 0.01);
      });
      const counted = result.variables.filter(({ pip }) => pip > 0).map(({ name }) => name);
      expect(counted).not.toContain("x8");
      expect(counted).not.toContain("x9");
    }
    await expect(fitRegression(more, { always: ["x9"] })).rejects.toThrow(/"x9"/);
  });

  it("a forced column that is named twice, which is meant once", async () => {
    const once = await fitRegression(small(100, 0.2), { always: ["x3"] });
    const twice = await fitRegression(small(100, 0.2), { always: ["x3", "x3"] });
    expect(inclusion(twice)).toEqual(inclusion(once));
    expect(twice.modelSize).toEqual(once.modelSize);
  });

  it("a single column", async () => {
    const data = regression(Rng.seeded(6), { rows: 40, beta: [0.35], correlation: 0, noise: 1 });
    await close(data);
    await close(data, {}, undefined, false);
  });

  it("all columns forced, so that there is one model", async () => {
    const data = small(60, 0.3);
    const always = data.columns.map((_, j) => `x${j}`);
    const result = await fitRegression(data, { always });
    const forced = bruteForce(data, { ...DEFAULT, logPrior: () => 0, always: always.map((_, j) => j) });
    always.forEach((name, j) => {
      expect(variable(result, name).pip).toBe(1);
      expect(variable(result, name).mean).toBeCloseTo(forced.mean[j], 5);
      expect(variable(result, name).sd).toBeCloseTo(forced.sd[j], 5);
    });
    expect(result.modelSize).toMatchObject({ mean: 8, lower: 8, upper: 8 });
  });

  it("no intercept, with columns and target far from zero", async () => {
    const data = small(150, 0.3);
    const moved = {
      columns: data.columns.map((values, j) => values.map((x) => x + (j % 3) * 4)),
      y: data.y.map((value, i) => value + 0.5 * (data.columns[4][i] + 4)),
    };
    for (const slab of ["independent", "zellner"] as const) {
      const truth = bruteForce(moved, {
        slab,
        scale: slab === "zellner" ? 150 : 1,
        intercept: false,
        standard: true,
        logPrior: lambda(8),
      });
      for (const direct of [true, false]) {
        const result = await close(moved, { slab, intercept: "none" }, truth.pip, direct);
        expect(result.intercept).toBeUndefined();
      }
    }
  });
});

describe("the certificate", () => {
  it("judges outsiders rightly without an intercept, too", async () => {
    // The search is given no time and the prior is so sparse that nothing joins: all that is known is the verdict.
    const rng = Rng.seeded(12);
    const data = regression(rng, { rows: 200, beta: truth(10, { 0: 3 }), correlation: 0, noise: 1 });
    const moved = { y: data.y, columns: data.columns.map((values, j) => values.map((x) => x + j)) };
    const settings = { intercept: "none", priorInclusion: 1e-4, always: ["x0"] } as const;
    const result = await fitRegression(moved, { ...settings, iterations: 1 }, false);
    const logPrior = (k: number) => k * Math.log(1e-4) + (9 - k) * Math.log(1 - 1e-4);
    const known = bruteForce(moved, { ...DEFAULT, intercept: false, always: [0], logPrior });
    const outside = result.variables.filter(({ name }) => name !== "x0");
    expect(result.certificate).toMatchObject({ complete: true });
    for (const { name, pip } of outside) {
      const j = Number(name.slice(1));
      // The verdict stands on the most probable models only.
      expect(Math.abs(Math.log(pip / known.pip[j]))).toBeLessThan(0.2);
    }
  });
});

describe("the verdict on outsiders", () => {
  it("is what they have when all columns are candidates, also next to weak members", async () => {
    // Effects at the edge of what can be seen put weak members into the judging models.
    const rng = Rng.seeded(15);
    const effects = truth(60, { 0: 1, 1: 0.2, 2: -0.2, 3: 0.15, 4: 0.15, 5: 0.12 });
    const data = regression(rng, { rows: 300, beta: effects, correlation: 0.2, noise: 1 });
    const settings = { priorInclusion: 0.01, iterations: 300 };
    const searched = await fitRegression(data, settings, false);
    const all = await fitRegression(data, settings, true);
    expect(searched.certificate).toMatchObject({ complete: true });
    expect(searched.certificate!.candidates).toBeLessThan(40);
    for (const { name, pip } of searched.variables) {
      expect(Math.abs(variable(all, name).pip - pip)).toBeLessThan(0.01);
    }
    expect(Math.abs(searched.modelSize.mean - all.modelSize.mean)).toBeLessThan(0.05);
  });
});

describe("fit does not depend on units", () => {
  const data = regression(Rng.seeded(7), {
    rows: 120,
    beta: truth(10, { 0: 0.4, 1: -0.3, 2: 0.2 }),
    correlation: 0.5,
    noise: 1,
  });

  it.each([true, false])(
    "large offsets in columns and target change nothing but the intercept, direct %s",
    async (direct) => {
      const plain = await fitRegression(data, { iterations: 60 }, direct);
      const moved = await fitRegression(
        {
          columns: data.columns.map((values) => values.map((x) => x + 1e6)),
          y: data.y.map((value) => value - 1e6),
        },
        { iterations: 60 },
        direct,
      );
      inclusion(plain).forEach((pip, j) => {
        expect(Math.abs(variable(moved, `x${j}`).pip - pip)).toBeLessThan(direct ? 1e-5 : 0.01);
        if (direct) expect(variable(moved, `x${j}`).mean).toBeCloseTo(variable(plain, `x${j}`).mean, 5);
      });
    },
  );

  it.each([1e-6, 1e6])("the target times %d scales the effects and leaves the probabilities", async (by) => {
    const y = data.y.map((value) => value * by);
    for (const direct of [true, false]) {
      const plain = await fitRegression(data, { iterations: 60 }, direct);
      const scaled = await fitRegression({ ...data, y }, { iterations: 60 }, direct);
      for (const { name, pip, mean, sd, lower } of plain.variables) {
        const other = variable(scaled, name);
        expect(Math.abs(other.pip - pip)).toBeLessThan(direct ? 1e-5 : 0.01);
        if (!direct) continue;
        expect(other.mean / by).toBeCloseTo(mean, 5);
        expect(other.sd / by).toBeCloseTo(sd, 5);
        expect(other.lower / by).toBeCloseTo(lower, 5);
      }
      expect(scaled.noiseVariance!.mean / by ** 2).toBeCloseTo(plain.noiseVariance!.mean, 4);
      expect(scaled.noiseVariance!.upper / by ** 2).toBeCloseTo(plain.noiseVariance!.upper, 4);
    }
  });

  it("columns in other units have effects in other units", async () => {
    const units = data.columns.map((_, j) => 10 ** (j - 5));
    for (const slab of ["independent", "zellner"] as const) {
      const plain = await fitRegression(data, { slab });
      const columns = data.columns.map((values, j) => values.map((x) => x * units[j]));
      const scaled = await fitRegression({ ...data, columns }, { slab });
      units.forEach((unit, j) => {
        const [one, other] = [variable(plain, `x${j}`), variable(scaled, `x${j}`)];
        expect(other.pip).toBeCloseTo(one.pip, 5);
        expect(other.mean * unit).toBeCloseTo(one.mean, 5);
        expect(other.upper * unit).toBeCloseTo(one.upper, 5);
      });
      expect(scaled.intercept!.mean).toBeCloseTo(plain.intercept!.mean, 5);
    }
  });
});

describe("fit explains what it cannot do", () => {
  const data = regression(Rng.seeded(8), { rows: 50, beta: [1, 0, 0], correlation: 0, noise: 1 });

  it("an expected size that is not below the number of columns", async () => {
    for (const modelPrior of ["inclusion", "beta-binomial"] as const) {
      const run = fitRegression(data, { expectedSize: 3, modelPrior });
      await expect(run).rejects.toThrow(SparrowError);
      await expect(run).rejects.toThrow(/^expectedSize: 3/);
    }
  });

  it("settings of a model prior that was not chosen", async () => {
    const uniform = { modelPrior: "uniform" } as const;
    await expect(fitRegression(data, { ...uniform, expectedSize: 2 })).rejects.toThrow(
      /^expectedSize has no meaning with modelPrior: "uniform"/,
    );
    await expect(fitRegression(data, { ...uniform, priorInclusion: 0.1 })).rejects.toThrow(
      /^priorInclusion has no meaning/,
    );
  });

  it("forced columns that are combinations of each other under Zellner's slab", async () => {
    const columns = [...data.columns, data.columns[0].map((x) => 2 * x)];
    const run = fitRegression({ ...data, columns }, { slab: "zellner", always: ["x0", "x3"] });
    await expect(run).rejects.toThrow(/"x3" is a combination/);
  });
});
