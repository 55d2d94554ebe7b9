import { describe, expect, it } from "vitest";
import type { ChainDraws } from "../../../src/draws/posterior-draws.js";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import type { Environment } from "../../../src/selection/environment.js";
import { runTable } from "../../../src/selection/fit-table.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { localPool } from "../../../src/workers/pool.js";

const local: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

/** Two true effects, one of them doubtful, among correlated columns far from zero and of different scales. */
function data(rows: number): Record<string, Float64Array> {
  const rng = Rng.seeded(5);
  const columns: Record<string, Float64Array> = {};
  const shared = Float64Array.from({ length: rows }, () => normal(rng));
  for (let j = 0; j < 5; j++) {
    columns[`x${j}`] = shared.map((s) => 3 * j + 10 ** (j - 2) * (0.6 * s + 0.8 * normal(rng)));
  }
  columns.class = columns.x1.map((x, i) => Number(8 * x + 0.1 * columns.x2[i] - 24 + 2 * normal(rng) > 0));
  columns.y = columns.x1.map((x, i) => 2 + 5 * x + 0.1 * columns.x2[i] + normal(rng));
  return columns;
}

const all = (chains: readonly ChainDraws[], of: (chain: ChainDraws) => ArrayLike<number>): number[] =>
  chains.flatMap((chain) => Array.from(of(chain)));
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const sd = (values: readonly number[]): number => {
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (values.length - 1));
};

describe.each([
  ["σ² unknown", {}],
  ["σ² known", { noiseVariance: 1 }],
  ["Zellner's prior", { slab: "zellner" }],
  ["no intercept", { intercept: "none", scale: "none" }],
  ["a binomial target", { target: "class", exclude: ["y"] }],
] as const)("independent draws with %s", (_, options) => {
  // 12 comparisons for each of 5 settings at 4.5 standard errors: a false alarm once in 2,400 seeds.
  it("have the moments of the exact posterior", async () => {
    const { result, details } = await runTable(
      arrayTable(data(60)),
      { target: "y", exclude: ["class"], ...options },
      local,
    );
    const { names, chains, kind } = details.draws();
    expect(kind).toBe("independent");
    expect(chains.map(({ iteration }) => iteration.length)).toEqual([1000, 1000, 1000, 1000]);
    const within = (values: readonly number[], exact: number, spread = sd(values)): void => {
      const error = spread / Math.sqrt(values.length);
      expect(Math.abs(mean(values) - exact)).toBeLessThan(4.5 * error + 1e-9);
    };
    for (const variable of result.variables) {
      const j = names.indexOf(variable.name);
      const values = chains.flatMap((chain) => {
        const dense = new Float64Array(chain.iteration.length);
        for (let d = 0; d < dense.length; d++) {
          for (let i = chain.start[d]; i < chain.start[d + 1]; i++) {
            if (chain.variable[i] === j) dense[d] = chain.value[i];
          }
        }
        return [...dense];
      });
      within(values, variable.mean, variable.sd);
      within(
        values.map((value) => Number(value !== 0)),
        variable.pip,
        Math.sqrt(Math.max(0, variable.pip * (1 - variable.pip))),
      );
    }
    within(
      all(chains, (chain) => chain.size),
      result.modelSize.mean,
    );
    if (result.noiseVariance) {
      within(
        all(chains, (chain) => chain.noiseVariance!),
        result.noiseVariance.mean,
      );
    }
    if (!result.intercept) return expect(chains[0].intercept).toBeUndefined();
    const intercept = all(chains, (chain) => chain.intercept!);
    within(intercept, result.intercept.mean);
    expect(sd(intercept) / result.intercept.sd).toBeCloseTo(1, 1);
  });
});

it("the same seed gives the same draws, another seed gives others", async () => {
  const draws = async (seed: number) => {
    const { details } = await runTable(
      arrayTable(data(30)),
      { target: "y", exclude: ["class"], seed },
      local,
    );
    return details.draws();
  };
  expect(await draws(3)).toEqual(await draws(3));
  expect((await draws(3)).chains[0].value).not.toEqual((await draws(4)).chains[0].value);
});
