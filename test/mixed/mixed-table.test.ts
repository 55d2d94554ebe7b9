import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { mixed } from "../../src/node.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-mixed-table-"));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rng = Rng.seeded(3);
const rows = Array.from({ length: 300 }, (_, i) => {
  const x = Math.round(64 * normal(rng)) / 64;
  return { i, x, y: Math.round(64 * (x + 0.3 * (i % 5) + normal(rng))) / 64 };
});
function file(name: string, group: (i: number) => string): string {
  const lines = rows.map(({ i, x, y }) => `${group(i)},${x},${y}`);
  writeFileSync(at(name), `g,x,y\n${lines.join("\n")}\n`);
  return at(name);
}
const options = { target: "y", group: "g", fixed: ["x"], iterations: 50 };
const groupsOf = async (path: string) => (await mixed(path, options)).effects().groups;

describe("groups", () => {
  it("are called as the file writes them: 007 is not 7", async () => {
    expect(await groupsOf(file("zeros.csv", (i) => ["007", "07", "7", "NaN"][i % 4]))).toEqual([
      "007",
      "07",
      "7",
    ]);
  });

  it("may be dates, booleans, numbers with fractions or words", async () => {
    const days = ["2024-02-29", "2023-01-01", "2024-01-01"];
    expect(await groupsOf(file("days.csv", (i) => days[i % 3]))).toEqual([...days].sort());
    expect(await groupsOf(file("flags.csv", (i) => String(i % 2 === 0)))).toEqual(["false", "true"]);
    expect(await groupsOf(file("halves.csv", (i) => String((i % 3) / 2)))).toEqual(["0", "0.5", "1"]);
    const dates = days.map((day) => new Date(day));
    const data = {
      g: rows.map(({ i }) => dates[i % 3]),
      x: rows.map(({ x }) => x),
      y: rows.map(({ y }) => y),
    };
    const { effects } = await mixed(data, options);
    expect(effects().groups).toEqual([...days].sort());
  });

  it("may be more than a text column has categories", async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `user ${i % 1500},${i % 7},${(i * 31) % 17}`);
    writeFileSync(at("many.csv"), `g,x,y\n${lines.join("\n")}\n`);
    const { result } = await mixed(at("many.csv"), { ...options, iterations: 20 });
    expect(result).toMatchObject({ rows: 3000, groups: 1500 });
    // As a predictor it would be too many.
    const other = await mixed(at("many.csv"), { ...options, group: "x", fixed: ["g"], iterations: 20 });
    expect(other.result.fixed).toHaveLength(101);
    expect(other.result.notes).toContain(
      '"g" has too many values: the 100 most frequent are kept, the others are called "other".',
    );
  });
});

it("gives the same draws whatever the memory, which is a number of bytes", async () => {
  const path = file("memory.csv", (i) => `g${i % 9}`);
  const draws = async (memory?: number) =>
    (await mixed(path, { ...options, ...(memory && { memory }) })).draws;
  expect(await draws(1e6)).toEqual(await draws());
});

it("explains booleans and two words as classes and refuses a target of more words", async () => {
  const data = {
    g: rows.map(({ i }) => i % 9),
    x: rows.map(({ x }) => x),
    yes: rows.map(({ y }) => y > 0.5),
    word: rows.map(({ y }) => (y > 0.5 ? "won" : "lost")),
    words: rows.map(({ y }) => (y > 0.5 ? "won" : y < 0 ? "lost" : "drawn")),
  };
  const of = async (target: string) => (await mixed(data, { ...options, target, iterations: 200 })).result;
  const [yes, word] = [await of("yes"), await of("word")];
  expect(yes.family).toBe("binomial");
  expect(yes.fixed[1].mean).toBeGreaterThan(0.05);
  expect(word.fixed[1].mean).toBe(yes.fixed[1].mean);
  await expect(of("words")).rejects.toThrow(
    'the data: the target "words" holds text with 3 values; a mixed model explains numbers or two values.',
  );
});

it("compares categories within rows that are used: the baseline is the most frequent of those", async () => {
  const kinds = rows.map(({ i }) => (i % 2 === 0 ? "common" : i % 3 === 0 ? "rare" : "other"));
  const data = {
    g: rows.map(({ i }) => i % 9),
    kind: kinds,
    // Most rows of the most common kind have no target.
    y: rows.map(({ i, y }) => (kinds[i] === "common" && i % 10 !== 0 ? null : y)),
  };
  const { result } = await mixed(data, { ...options, fixed: ["kind"] });
  expect(result.fixed.map(({ name }) => name)).toEqual(["(intercept)", "kind=common", "kind=rare"]);
  expect(result.diagnostics.warnings).toContain('120 of 300 rows have no number in "y" and were left out.');
});

describe("what was taken for granted is said the same way by sums of products and by rows", () => {
  const g = rows.map(({ i }) => `g${i % 12}`);
  const x = rows.map((row) => row.x);
  const isHigh = rows.map(({ y }) => y > 0.5);
  const asked = { iterations: 40, chains: 2 } as const;
  const ways = [
    { target: "y", group: "g" },
    { formula: "y ~ x + (1 | g)" },
    { formula: "y ~ x + (0 + x | g)" },
  ];

  it.each([
    ["booleans", isHigh, "true (or yes)"],
    ["words", isHigh.map((high) => (high ? "up" : "down")), '"up"'],
    ["numbers", isHigh.map((high) => (high ? 7 : 3)), "7"],
  ])("which of two values a probability is of: %s", async (_, y, success) => {
    for (const way of ways) {
      for (const family of ["auto", "binomial"] as const) {
        const { result } = await mixed({ g, x, y }, { ...way, ...asked, family });
        expect(result.notes).toContain(`"y" has two values: binomial, the probability of ${success}.`);
        expect(result.fixed.find(({ name }) => name === "x")?.mean).toBeGreaterThan(0);
      }
    }
  });

  it("that whole numbers are measurements, unless that was asked for", async () => {
    const y = rows.map((row) => 50 + Math.round(5 * row.y));
    for (const way of ways) {
      const { result } = await mixed({ g, x, y }, { ...way, ...asked });
      expect(result.notes?.join()).toContain("The target holds whole numbers and was taken for Gaussian");
      const other = await mixed({ g, x, y }, { ...way, ...asked, family: "gaussian" });
      expect(other.result.notes?.join() ?? "").not.toContain("whole numbers");
    }
  });

  it("which column is empty, and what has no number", async () => {
    const y = rows.map((row) => row.y);
    const empty = rows.map(() => Number.NaN);
    for (const way of ways) {
      await expect(mixed({ g, x: empty, y }, { ...way, ...asked })).rejects.toThrow(
        /Column "x" .*is empty: leave it out with (fixed and random|another formula)\.$/,
      );
      const { result } = await mixed({ g, x: x.with(3, Number.NaN), y }, { ...way, ...asked });
      expect(result.diagnostics.warnings.join()).toMatch(
        /1 of 300 rows has no (number|value) in "x" and was left out/,
      );
    }
    await expect(mixed({ g, x, y: empty }, { ...ways[0], ...asked })).rejects.toThrow(/"y" .*is empty/);
  });
});

it("refuses a target that names the groups, and one draw", async () => {
  const data = { g: rows.map(({ i }) => i % 9), x: rows.map(({ x }) => x), y: rows.map(({ y }) => y) };
  await expect(mixed(data, { target: "y", group: "y" })).rejects.toThrow(/cannot name the groups as well/);
  for (const way of [{ target: "y", group: "g" }, { formula: "y ~ x + (0 + x | g)" }]) {
    await expect(mixed(data, { ...way, iterations: 1 })).rejects.toThrow(
      /iterations: 1 leaves one draw of a chain/,
    );
  }
});

it.each([
  ["batch", 5, { target: "y", group: "g" }, /batch is of mini-batches.*leave it out, or add method: "esgld"/],
  ["stepSize", 0.2, { formula: "hit ~ x + (1 | g)" }, /stepSize is of mini-batches.*or add method/],
  ["batch", 5, { formula: "y ~ x + (0 + x | g)" }, /batch is of mini-batches.*leave it out\.$/],
  [
    "temperature",
    0,
    { formula: "hit ~ x + (1 | g)" },
    /temperature is of mini-batches of one grouping of numbers/,
  ],
] as const)("refuses what sweeps over all rows have no use for: %s", async (name, value, way, words) => {
  const data = {
    g: rows.map(({ i }) => `g${i % 9}`),
    x: rows.map(({ x }) => x),
    y: rows.map(({ y }) => y),
    hit: rows.map(({ y }) => Number(y > 0)),
  };
  await expect(mixed(data, { ...way, [name]: value })).rejects.toThrow(words);
});
