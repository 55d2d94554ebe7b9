import { describe, expect, it } from "vitest";
import { mixed, predict } from "../../../src/index.js";
import { codings } from "../../../src/mixed/formula/codings.js";
import { parseFormula } from "../../../src/mixed/formula/formula.js";

/** c has three levels and d two. */
const LEVELS: Readonly<Record<string, number>> = { c: 3, d: 2 };

/** How many variables each product has; nothing for the intercept. */
function widths(formula: string): number[] {
  const { fixed, intercept } = parseFormula(`y ~ ${formula}`);
  return codings(fixed, intercept, (name) => name in LEVELS).map(
    ({ product, whole, isSurplus }) =>
      product.reduce(
        (width, name) => width * (name in LEVELS ? LEVELS[name] - Number(!whole.has(name)) : 1),
        1,
      ) - Number(isSurplus),
  );
}

describe("categories have a baseline where R's model.matrix has one", () => {
  it.each([
    ["c", [2]],
    ["x*c", [1, 2, 2]],
    ["x:c", [3]],
    ["c + x:c", [2, 3]],
    ["x + x:c", [1, 2]],
    ["0 + c", [3]],
    ["0 + x + c", [1, 3]],
    ["0 + c + d", [3, 1]],
    ["0 + x:c", [3]],
    ["0 + x*c", [1, 3, 2]],
    ["d + d:c", [1, 4]],
    ["0 + d:c", [6]],
    ["x:c:d", [6]],
    ["0 + c + d:c", [3, 3]],
  ])("%s", (formula, expected) => {
    expect(widths(formula)).toEqual(expected);
  });
});

describe("of cells that add up to what is there already one is left out, as lme4 does", () => {
  it.each([
    ["d:c", [5]],
    ["x + x:c:d", [1, 5]],
  ])("%s", (formula, expected) => {
    expect(widths(formula)).toEqual(expected);
  });
});

it("every category has its slope, whichever is the most frequent", async () => {
  const slopes: Record<string, number> = { red: 1, green: -2, blue: 3 };
  const names = ["red", "green", "green", "blue"];
  const rows = Array.from({ length: 240 }, (_, i) => ({
    g: `g${i % 15}`,
    x: Math.sin(i * i),
    colour: names[i % 4],
  }));
  const data = {
    g: rows.map(({ g }) => g),
    x: rows.map(({ x }) => x),
    colour: rows.map(({ colour }) => colour),
    y: rows.map(({ x, colour }, i) => slopes[colour] * x + 0.1 * Math.cos(7 * i) + 0.3 * Math.sin(i % 15)),
  };
  const { result } = await mixed(data, { formula: "y ~ x:colour + (1 | g)", iterations: 200, chains: 2 });
  for (const [colour, slope] of Object.entries(slopes)) {
    const { mean, sd } = result.fixed.find(({ name }) => name === `x:colour=${colour}`)!;
    expect(Math.abs(mean - slope)).toBeLessThan(4 * sd);
  }
  expect(result.notes?.join() ?? "").not.toContain("compared with");
});

describe("a column of booleans is coded as a text of two values, as R's logicals are", () => {
  const count = 240;
  const flag = Array.from({ length: count }, (_, i) => i % 5 < 2);
  const other = Array.from({ length: count }, (_, i) => i % 7 < 3);
  const x = Array.from({ length: count }, (_, i) => Math.sin(i * i));
  const g = Array.from({ length: count }, (_, i) => `g${i % 16}`);
  const shared = {
    g,
    x,
    y: flag.map((is, i) => 10 + 2 * Number(is) + (is ? 1 : -1) * x[i] + Math.cos(7 * i) + (i % 16) / 8),
  };
  const booleans = { ...shared, flag, other };
  const words = { ...shared, flag: flag.map(String), other: other.map(String) };
  const asked = (formula: string) => ({ formula, iterations: 100, chains: 2, text: ["flag", "other"] });

  it.each([
    ["y ~ 0 + flag + (1 | g)", ["flag=false", "flag=true"]],
    ["y ~ flag + x:flag + (1 | g)", ["(intercept)", "flag", "x:flag=false", "x:flag=true"]],
    ["y ~ x:flag + (1 | g)", ["(intercept)", "x:flag=false", "x:flag=true"]],
    ["y ~ x*flag + (1 | g)", ["(intercept)", "x", "flag", "x:flag"]],
    ["y ~ 0 + flag + other + (1 | g)", ["flag=false", "flag=true", "other"]],
    [
      "y ~ flag:other + (1 | g)",
      ["(intercept)", "flag=false:other=true", "flag=true:other=false", "flag=true:other=true"],
    ],
    ["y ~ 1 + (0 + flag | g)", ["(intercept)"]],
    ["y ~ flag + (flag || g)", ["(intercept)", "flag"]],
    ["y ~ x + (x:flag | g)", ["(intercept)", "x"]],
  ])("%s", async (formula, names) => {
    const one = await mixed(booleans, { formula, iterations: 100, chains: 2 });
    const same = await mixed(words, asked(formula));
    expect(one.result.fixed.map(({ name }) => name)).toEqual(names);
    expect(one.draws).toEqual(same.draws);
  });

  it("is the number 0 or 1 where an intercept stands beside it, and where it is asked to be one", async () => {
    const zeroOrOne = { ...booleans, flag: flag.map(Number) };
    for (const [formula, data] of [
      ["y ~ flag*x + (1 + flag | g) + (1 | other)", booleans],
      ["y ~ 0 + flag + x:flag + (0 + flag | g)", zeroOrOne],
    ] as const) {
      const { result, draws } = await mixed(data, { formula, iterations: 100, chains: 2 });
      expect(result.fixed.filter(({ name }) => name.includes("="))).toEqual([]);
      const same = await mixed(zeroOrOne, { formula, iterations: 100, chains: 2 });
      expect(draws).toEqual(same.draws);
    }
  });

  it("predicts from booleans, and refuses what is neither", async () => {
    const fit = await mixed(booleans, { formula: "y ~ 0 + flag + (1 | g)", iterations: 200, chains: 2 });
    const at = { flag: [false, true], g: ["new", "new"] };
    const { mean } = await predict(fit.predictor(), at);
    fit.result.fixed.forEach((effect, i) => {
      expect(Math.abs(mean[i] - effect.mean)).toBeLessThan(0.1);
    });
    await expect(predict(fit.predictor(), { ...at, flag: [0, 1] })).rejects.toThrow(
      /column "flag" holds "0" in row 1, which was not in the data of the model/,
    );
  });
});

it("a column of numbers that names groups as well is numbers among the effects", async () => {
  const data = {
    year: Array.from({ length: 60 }, (_, i) => 2000 + (i % 10)),
    y: Array.from({ length: 60 }, (_, i) => (i % 10) / 5 + Math.sin(i * i)),
  };
  const { result } = await mixed(data, { formula: "y ~ year + (1 | year)", iterations: 100, chains: 2 });
  expect(result.fixed.map(({ name }) => name)).toEqual(["(intercept)", "year"]);
  expect(result.groups).toBe(10);
});

it.each(["weights", "trials", "offset"] as const)(
  "the target does not play the part of its %s",
  async (role) => {
    const data = { g: ["a", "a", "b", "b"], y: [1, 2, 3, 5] };
    await expect(mixed(data, { formula: "y ~ 1 + (1 | g)", [role]: "y" })).rejects.toThrow(
      /"y" is the target/,
    );
  },
);
