/** What the check says of other priors, against fits under those priors. */

import { describe, expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { fitRegression, variable } from "../fit-arrays.js";

const COLUMNS = 8;
const ROWS = 60;

/** Effects of which some are neither clearly there nor clearly not. */
function problem(seed: number) {
  const rng = Rng.seeded(seed);
  const columns = Array.from({ length: COLUMNS }, () => Array.from({ length: ROWS }, () => normal(rng)));
  const eta = columns[0].map((_, i) => columns.reduce((sum, x, j) => sum + 0.06 * j * x[i], 0));
  return { columns, eta, rng };
}

const gaussian = (seed: number) => {
  const { columns, eta, rng } = problem(seed);
  return { columns, y: eta.map((e) => e + normal(rng)) };
};
const odds = (p: number, factor: number) => (factor * p) / (1 - p + factor * p);

describe("under half and twice the prior odds and the scale of the slab", () => {
  it.each([
    ["independent", { slab: "independent", slabVariance: 0.5 }, { slabVariance: 0.25 }, { slabVariance: 1 }],
    ["Zellner's", { slab: "zellner", g: 60 }, { g: 30 }, { g: 120 }],
  ] as const)("probabilities are those of fits with these priors, %s slab", async (_, usual, half, twice) => {
    const data = gaussian(1);
    const settings = { ...usual, always: ["x7"], seed: 1 };
    const pips = async (options: object) => {
      const result = await fitRegression(data, { ...settings, priorInclusion: 0.3, ...options });
      return (name: string) => variable(result, name).pip;
    };
    const { prior } = await fitRegression(data, { ...settings, priorInclusion: 0.3 });
    const others = {
      halfOdds: await pips({ priorInclusion: odds(0.3, 0.5) }),
      twiceOdds: await pips({ priorInclusion: odds(0.3, 2) }),
      halfScale: await pips(half),
      twiceScale: await pips(twice),
    };
    const usualPip = await pips({});
    expect(prior!.expectedSize).toBeCloseTo(1 + 0.3 * (COLUMNS - 1), 10);
    expect(prior!.variables.length).toBeGreaterThan(2);
    for (const { name, pip, flips, ...told } of prior!.variables) {
      expect(pip).toBe(usualPip(name));
      const all = Object.entries(others).map(([kind, of]) => [told[kind as keyof typeof others]!, of(name)]);
      for (const [said, truth] of all) expect(Math.abs(said - truth)).toBeLessThan(1e-6);
      expect(flips).toBe(all.some(([, truth]) => truth > 0.5 !== pip > 0.5));
    }
    const told = new Set(prior!.variables.map(({ name }) => name));
    for (let j = 0; j < COLUMNS; j++) {
      if (told.has(`x${j}`)) continue;
      for (const of of Object.values(others)) {
        expect(Math.abs(of(`x${j}`) - usualPip(`x${j}`))).toBeLessThan(0.05 + 1e-9);
        expect(of(`x${j}`) > 0.5).toBe(usualPip(`x${j}`) > 0.5);
      }
    }
  });

  it("a learned scale has learned most of it: doubling its prior moves less than doubling a fixed one", async () => {
    const data = gaussian(2);
    const most = async (options: object) => {
      const { prior } = await fitRegression(data, { seed: 1, priorInclusion: 0.3, ...options });
      return Math.max(0, ...prior!.variables.map((v) => Math.abs(v.twiceScale! - v.pip)));
    };
    expect(await most({})).toBeLessThan(await most({ slabVariance: 0.01 }));
  });

  it("classes are within what the expansion allows", async () => {
    const { columns, eta, rng } = problem(3);
    const y = eta.map((e) => Number(rng.uniform() < 1 / (1 + Math.exp(-2 * e))));
    const settings = { family: "binomial", seed: 1, slabVariance: 1 } as const;
    const { prior } = await fitRegression({ columns, y }, { ...settings, priorInclusion: 0.3 });
    const twice = await fitRegression({ columns, y }, { ...settings, priorInclusion: odds(0.3, 2) });
    expect(prior!.variables.length).toBeGreaterThan(2);
    for (const { name, twiceOdds } of prior!.variables) {
      expect(Math.abs(twiceOdds! - variable(twice, name).pip)).toBeLessThan(0.03);
    }
  });

  it("with holes, it is within the errors of the chains", async () => {
    const { columns, y } = gaussian(2);
    const rng = Rng.seeded(9);
    const holed = columns.map((x, j) => x.map((value) => (j < 4 && rng.uniform() < 0.15 ? null : value)));
    const pips = (options: object) =>
      fitRegression({ columns: holed, y }, { seed: 1, priorInclusion: 0.3, slabVariance: 0.5, ...options });
    const [usual, twiceOdds, twiceScale] = [
      await pips({}),
      await pips({ priorInclusion: odds(0.3, 2) }),
      await pips({ slabVariance: 1 }),
    ];
    expect(usual.prior!.variables.length).toBeGreaterThan(2);
    for (const told of usual.prior!.variables) {
      const error = (other: typeof usual) =>
        4 * Math.hypot(variable(usual, told.name).pipError, variable(other, told.name).pipError) + 0.01;
      expect(Math.abs(told.twiceOdds! - variable(twiceOdds, told.name).pip)).toBeLessThan(error(twiceOdds));
      expect(Math.abs(told.twiceScale! - variable(twiceScale, told.name).pip)).toBeLessThan(
        error(twiceScale),
      );
    }
  });

  /** Too many columns to enumerate, of which the first two matter. */
  const drawn = async (rows: number, count: number, effect: number) => {
    const rng = Rng.seeded(4);
    const columns = Array.from({ length: count }, () => Array.from({ length: rows }, () => normal(rng)));
    const y = columns[0].map((_, i) => effect * (columns[0][i] + columns[1][i]) + normal(rng));
    const { prior } = await fitRegression({ columns, y }, { seed: 1 });
    return prior!;
  };

  it("models that were drawn tell it where they would be probable under other priors, too", async () => {
    expect((await drawn(400, 40, 1)).untold).toBeUndefined();
  });

  it("where other models would be, which were hardly drawn, that is said and no number", async () => {
    const { untold, variables } = await drawn(40, 80, 0.5);
    expect(untold).toEqual(["twiceOdds"]);
    expect(variables.length).toBeGreaterThan(0);
    for (const variable of variables) {
      expect(variable.twiceOdds).toBeUndefined();
      expect(variable.halfOdds).toBeDefined();
    }
  });
});
