import { describe, expect, it } from "vitest";
import { run } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import type { FitOptions } from "../../../src/options/fit.js";
import type { StepSizes } from "../../../src/sampling/schedule.js";
import { fitRegression } from "../fit-arrays.js";

/** Ten columns of which x0 and x1 matter, with classes or with numbers for a target. */
function data(rows: number, family: "gaussian" | "binomial") {
  const rng = Rng.seeded(1);
  const columns = Array.from({ length: 10 }, () => Float64Array.from({ length: rows }, () => normal(rng)));
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const eta = columns[0][i] - columns[1][i];
    if (family === "gaussian") return eta + normal(rng);
    return rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
  });
  return { columns, y };
}

const { columns, y } = data(500, "gaussian");
const table = { ...Object.fromEntries(columns.map((values, j) => [`x${j}`, values])), y };

/** Every iteration one model and one draw, so that all averages can be taken again from the draws. */
const everyDraw = { target: "y", preset: "paper", batch: 100, models: 1, moves: 5 } as const;

async function averages(stepSize: StepSizes, weight: (t: number) => number) {
  const options: FitOptions = { ...everyDraw, iterations: 35, burnIn: 5, stepSize };
  const { result, details } = await run(table, options);
  const [chain] = details.draws().chains;
  const { iteration, start, variable, value } = chain;
  let [total, included, sum, size] = [0, 0, 0, 0];
  iteration.forEach((t, d) => {
    const w = weight(t);
    total += w;
    size += w * chain.size[d];
    for (let i = start[d]; i < start[d + 1]; i++) {
      if (variable[i] !== 0) continue;
      included += w;
      sum += w * value[i];
    }
  });
  const x0 = result.variables.find(({ name }) => name === "x0")!;
  return {
    iteration: [...iteration],
    ours: [x0.pip, x0.mean, result.modelSize.mean],
    fromDraws: [included / total, sum / total, size / total],
    unweighted: details.draws().chains.every((one) => one.weight === undefined),
  };
}

describe("a fit averages its draws by the rule of its schedule", () => {
  const alike = () => 1;
  it.each([
    ["alike for a constant step", 1e-4, alike],
    ["alike for κ < 1", { a: 1e-3, b: 2, kappa: 0.9 }, alike],
    ["by the step for κ = 1", { a: 1e-2, b: 0, kappa: 1 }, (t: number) => 1 / t],
  ] as const)("%s", async (_, stepSize, weight) => {
    const { iteration, ours, fromDraws, unweighted } = await averages(stepSize, weight);
    expect(iteration).toEqual(Array.from({ length: 30 }, (_, i) => 6 + i));
    expect(unweighted).toBe(weight === alike);
    ours.forEach((number, k) => void expect(number).toBeCloseTo(fromDraws[k], 12));
  });

  it("only the end of each cycle", async () => {
    const cycle = { a: 1e-4, length: 10 };
    const { iteration, ours, fromDraws } = await averages(cycle, () => 1);
    expect(iteration).toEqual([6, 7, 8, 9, 10, 16, 17, 18, 19, 20, 26, 27, 28, 29, 30]);
    ours.forEach((number, k) => void expect(number).toBeCloseTo(fromDraws[k], 12));
  });

  it("and says so where the rule leaves nothing", async () => {
    const options: FitOptions = { ...everyDraw, iterations: 30, stepSize: { a: 1e-4, length: 100 } };
    await expect(run(table, options)).rejects.toThrow(/exploration of a cycle/);
  });
});

/** ε is absolute in the paper's preset, and a share of the inverse curvature in the default, whatever the family. */
const size = { paper: 1e-4, auto: 0.3 };

describe.each(["paper", "auto"] as const)("preset %s", (preset) => {
  describe.each(["gaussian", "binomial"] as const)("on a %s target", (family) => {
    const a = size[preset];
    it.each([
      ["a decreasing", { a: a * 10 ** 0.6, b: 10, kappa: 0.6 }],
      ["a decreasing, weighted", { a: a * 200, b: 200, kappa: 1 }],
      ["a cyclical", { a: 2 * a, length: 50 }],
    ])("finds the true model with %s step", async (_, stepSize) => {
      const options = { family, preset, stepSize, batch: 500, moves: 5, iterations: 1000, seed: 3 } as const;
      const result = await fitRegression(data(2000, family), options, false);
      // The paper's intercept comes and goes with the luck of batches; it is no predictor.
      const selected = result.variables.filter(({ selected, name }) => selected && name !== "(Intercept)");
      expect(selected.map(({ name }) => name).sort()).toEqual(["x0", "x1"]);
      const used = result.settings.stepSize;
      expect(used).toEqual(preset === "auto" ? { relativeToCurvature: stepSize } : stepSize);
    });
  });
});

it.each([
  [{ a: 1, b: 0, kappa: 2 }, /kappa = 2/],
  [{ a: 1, length: 1 }, /length = 1/],
  [{ a: 1 }, /^stepSize is a number, or a, b and kappa/],
  [(t: number) => 1 / t, /^stepSize must be a positive number/],
])("a step size that is no schedule is refused: %o", async (stepSize, words) => {
  await expect(run(table, { ...everyDraw, stepSize: stepSize as StepSizes })).rejects.toThrow(words);
});
