import { expect, it } from "vitest";
import { drawTable, type PosteriorDraws } from "../../src/draws/posterior-draws.js";
import { chainDraws } from "../../src/selection/search/chain-draws.js";
import type { ChainOutput } from "../../src/selection/search/types.js";

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

it("draws that do not count alike carry the logarithm of their weight", () => {
  const [first, second] = draws.chains;
  const weighted = { ...draws, chains: [{ ...first, weight: Float64Array.of(0.5, 0.25) }, second] };
  const { names, columns } = drawTable(weighted, ["x"]);
  expect(names[3]).toBe(".log_weight");
  expect([...columns[3]]).toEqual([Math.log(0.5), Math.log(0.25), 0, 0]);
});

it("a quantity that a chain lacks has no column", () => {
  const [{ intercept: _, noiseVariance: __, ...bare }] = draws.chains;
  const { names } = drawTable({ ...draws, chains: [bare] }, ["x"]);
  expect(names).toEqual([".chain", ".iteration", ".draw", "b_x", "size"]);
});

it("a chain that was stopped before its first draw does not take away those of the others", () => {
  const [chain] = draws.chains;
  const empty = { iteration: new Uint32Array(0), start: Uint32Array.of(0), variable: new Uint32Array(0) };
  const outputs = [{ draws: chain }, { draws: { ...empty, value: new Float64Array(0) } }];
  const { chains } = chainDraws(outputs as unknown as ChainOutput[], ["x", "X"], undefined);
  expect(chains.map(({ iteration }) => [...iteration])).toEqual([[10, 20]]);
  expect([...chains[0].intercept!]).toEqual([0, 7]);
});
