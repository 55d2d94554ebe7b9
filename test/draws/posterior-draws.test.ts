import { expect, it } from "vitest";
import { drawTable, type PosteriorDraws } from "../../src/draws/posterior-draws.js";
import { predictiveModel } from "../../src/draws/predictive-model.js";

/** Two chains of two draws over three variables. */
const draws: PosteriorDraws = {
  kind: "independent",
  names: ["x", "X", "size"],
  chains: [
    {
      iteration: Uint32Array.of(10, 20),
      start: Uint32Array.of(0, 1, 3),
      variable: Uint32Array.of(0, 0, 2),
      value: Float64Array.of(1.5, -1, 7),
      size: Float64Array.of(1, 2),
      intercept: Float64Array.of(0.1, 0.2),
      noiseVariance: Float64Array.of(1, 2),
    },
    {
      iteration: Uint32Array.of(10, 20),
      start: Uint32Array.of(0, 0, 1),
      variable: Uint32Array.of(1),
      value: Float64Array.of(4),
      size: Float64Array.of(0, 1),
      intercept: Float64Array.of(0.3, 0.4),
      noiseVariance: Float64Array.of(3, 4),
    },
  ],
};

it("a table of draws has one row per draw and zeros where a variable is not in the model", () => {
  const { names, columns } = drawTable(draws, ["size", "x", "X", "absent"]);
  expect(Object.fromEntries(names.map((name, c) => [name, [...columns[c]]]))).toEqual({
    ".chain": [1, 1, 2, 2],
    ".iteration": [1, 2, 1, 2],
    ".draw": [1, 2, 3, 4],
    intercept: [0.1, 0.2, 0.3, 0.4],
    b_size: [0, 7, 0, 0],
    b_x: [1.5, -1, 0, 0],
    b_X_2: [0, 0, 0, 4],
    sigma2: [1, 2, 3, 4],
    size: [1, 2, 0, 1],
  });
});

it("a quantity that a chain lacks has no column", () => {
  const [{ intercept: _, noiseVariance: __, ...bare }] = draws.chains;
  const { names } = drawTable({ ...draws, chains: [bare] }, ["x"]);
  expect(names).toEqual([".chain", ".iteration", ".draw", "b_x", "size"]);
});

it("a predictive model predicts as its draws do", () => {
  const model = predictiveModel(draws, { family: "gaussian", target: "y" });
  const row: Record<string, number> = { x: 2, X: 3, size: 5 };
  const predictions = model.intercept.map((intercept, d) => {
    let sum = intercept;
    for (let i = model.start[d]; i < model.start[d + 1]; i++) {
      sum += model.value[i] * row[model.variables[model.variable[i]]];
    }
    return sum;
  });
  expect(predictions).toEqual([0.1 + 3, 0.2 - 2 + 35, 0.3, 0.4 + 12]);
  expect(model.noiseVariance).toEqual([1, 2, 3, 4]);
});

it("a predictive model keeps at most a thousand draws, from all chains alike", () => {
  const count = 900;
  const chain = {
    iteration: new Uint32Array(count),
    start: Uint32Array.from({ length: count + 1 }, (_, d) => d),
    variable: new Uint32Array(count),
    value: new Float64Array(count).fill(1),
    size: new Float64Array(count).fill(1),
  };
  const chains = [0, 1, 2].map((c) => ({ ...chain, intercept: new Float64Array(count).fill(c) }));
  const model = predictiveModel({ ...draws, chains }, { family: "gaussian", target: "y" });
  const perChain = [0, 1, 2].map((c) => model.intercept.filter((value) => value === c).length);
  expect(perChain).toEqual([300, 300, 300]);
  expect(model.noiseVariance).toBeUndefined();
});
