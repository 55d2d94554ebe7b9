import { describe, expect, test } from "vitest";
import { essBulk } from "../../../src/diagnostics/ess.js";
import { rhat } from "../../../src/diagnostics/rhat.js";
import { Rng } from "../../../src/math/rng.js";
import { threads } from "../../../src/node/threads.js";
import { fitTable } from "../../../src/selection/fit-table.js";
import { searchDiagnostics } from "../../../src/selection/search/diagnostics.js";
import type { ChainOutput } from "../../../src/selection/search/types.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { linearExample } from "../problem.js";

/** A chain whose draws hold the given variables. */
function chainOf(draws: readonly (readonly number[])[]): ChainOutput {
  const start = [0];
  for (const members of draws) start.push(start[start.length - 1] + members.length);
  return {
    iterations: draws.length,
    models: draws.length,
    inclusion: new Float64Array(4),
    last: { members: new Uint32Array(0), values: new Float64Array(0), noiseVariance: 1 },
    sizes: Float64Array.from(draws, (members) => members.length),
    draws: {
      iteration: Uint32Array.from(draws.keys()),
      start: Uint32Array.from(start),
      variable: Uint32Array.from(draws.flat()),
      value: new Float64Array(start[start.length - 1]).fill(1),
    },
  };
}

/** Variable 0 always, 1 with probability 0.3 in independent draws, 2 in stretches of 50 draws, 3 never. */
function chain(rng: Rng, draws: number): ChainOutput {
  let held = false;
  return chainOf(
    Array.from({ length: draws }, (_, d) => {
      if (d % 50 === 0) held = rng.uniform() < 0.5;
      return [0, ...(rng.uniform() < 0.3 ? [1] : []), ...(held ? [2] : [])];
    }),
  );
}

describe("what the chains of a search know", () => {
  const draws = 4000;
  const chains = [1, 2, 3, 4].map((seed) => chain(Rng.seeded(seed), draws));
  const found = searchDiagnostics(chains, 4);

  test("is R-hat and bulk ESS of their model size", () => {
    const sizes = chains.map((one) => one.sizes);
    expect(found.rhat).toBe(rhat(sizes));
    expect(found.ess).toBe(essBulk(sizes));
  });

  test("gives inclusion errors that allow for draws that depend on each other", () => {
    const [always, independent, sticky, never] = found.inclusionError;
    // √(0.3·0.7/16000) and √(0.25/320). Over 60 seeds the estimates spread by 5% and 8% around them: four of those.
    expect(Math.abs(independent / Math.sqrt(0.21 / 16_000) - 1)).toBeLessThan(0.2);
    expect(Math.abs(sticky / Math.sqrt(0.25 / 320) - 1)).toBeLessThan(0.32);
    expect(always).toBe(never);
    // The chains have as many independent draws as their model size, no more: 0.7 of one in so many.
    expect(never).toBeGreaterThan(0.6 / found.ess!);
    expect(never).toBeLessThan(0.8 / found.ess!);
  });

  test("is nothing without draws, and the shorter chain's worth when one was stopped", () => {
    const none = searchDiagnostics([chainOf([]), chainOf([[1]])], 2);
    expect([...none.inclusionError]).toEqual([Math.sqrt(1 / 8), Math.sqrt(1 / 8)]);
    const [long, short] = [chain(Rng.seeded(1), 400), chain(Rng.seeded(2), 100)];
    const cut = chain(Rng.seeded(1), 100);
    expect(searchDiagnostics([long, short], 4)).toEqual(searchDiagnostics([cut, short], 4));
  });
});

describe("a fit tells what its chains know", () => {
  const data = arrayTable(linearExample(1500, 320, 2));

  test("in the paper's preset: R-hat, ESS, an error for every variable, and a verdict", async () => {
    const options = { target: "y", preset: "paper", iterations: 400, moves: 3, seed: 5 } as const;
    const two = await fitTable(data, { ...options, chains: 2 }, threads);
    expect(two.diagnostics.rhat).toBeGreaterThan(0.9);
    expect(two.diagnostics.ess).toBeGreaterThan(0);
    expect(two.variables.every(({ pipError }) => pipError > 0 && pipError <= 0.5)).toBe(true);
    // So short a run cannot be good.
    expect(two.verdict).toMatch(/problems? found\./);
    const one = await fitTable(data, { ...options, chains: 1 }, threads);
    expect(one.verdict).toContain("One chain cannot show whether chains agree.");
  });

  test("in the default mode: where search and polish differ most", async () => {
    const searched = await fitTable(data, { target: "y", iterations: 100, seed: 5 }, threads);
    const { name, search, polish } = searched.diagnostics.searchAgreement!;
    expect(polish).toBe(searched.variables.find((v) => v.name === name)!.pip);
    expect(search).toBeGreaterThanOrEqual(0);
    expect(search).toBeLessThanOrEqual(1);
    const small = arrayTable(linearExample(300, 10, 2));
    const direct = await fitTable(small, { target: "y" }, threads);
    expect(direct.diagnostics).not.toHaveProperty("searchAgreement");
  });
});
