/** What the verdict says where missing predictors were done away with by means, or by leaving rows out. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { fit, importFiles } from "../../../src/node.js";
import { fitRegression, variable } from "../fit-arrays.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-treated-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Settings {
  readonly rows: number;
  readonly correlation: number;
  /** The share of the values of x0 that are missing, by chance or as the target has it. */
  readonly share: number;
  readonly by?: "chance" | "target";
}

/** y = x0 + x1 + noise, and a column that means nothing. */
function regression({ rows, correlation, share, by = "chance" }: Settings) {
  const rng = Rng.seeded(31);
  const columns = [0, 1, 2].map(() => new Float64Array(rows));
  const y = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const [a, b, c] = [normal(rng), normal(rng), normal(rng)];
    columns[0][i] = a;
    columns[1][i] = correlation * a + Math.sqrt(1 - correlation ** 2) * b;
    columns[2][i] = c;
    y[i] = columns[0][i] + columns[1][i] + normal(rng);
    if (rng.uniform() < (by === "chance" ? share : y[i] > 0 ? 2 * share : 0)) columns[0][i] = Number.NaN;
  }
  return { columns, y };
}

const moved = (text = ""): number => Number(/by about ([\d.]+) of its standard deviations/.exec(text)?.[1]);

describe("means in the holes", () => {
  it("are a problem of the verdict, which says by how much they move an effect", async () => {
    const data = regression({ rows: 20_000, correlation: 0.7, share: 0.1 });
    const { verdict, diagnostics, variables } = await fitRegression(data, { missing: "mean" });
    expect(verdict).toMatch(
      /^One problem found\. Means stand in the holes of "x0" \(up to 10% of the values\)/,
    );
    expect(verdict).toContain('Leave missing: "mean" out to have holes drawn along with the model');
    expect(diagnostics.warnings).toHaveLength(1);
    const off = variables.map(({ name, mean, sd }) => Math.abs(mean - (name === "x2" ? 0 : 1)) / sd);
    const stated = moved(verdict);
    // To first order in what is missing, and but for the noise of the data.
    expect(stated / Math.max(...off)).toBeGreaterThan(0.8);
    expect(stated / Math.max(...off)).toBeLessThan(1.25);
  });

  it.each([
    { why: "few are missing", rows: 3000, correlation: 0.7, share: 0.001 },
    { why: "columns have nothing to do with each other", rows: 1000, correlation: 0, share: 0.2 },
  ])("are none where $why", async (settings) => {
    const { verdict } = await fitRegression(regression(settings), { missing: "mean" });
    expect(verdict).toBe("No problems found.");
  });

  it("count the constant where a category stands in the holes of another", async () => {
    const rng = Rng.seeded(17);
    const rows = 20_000;
    const word = Array.from({ length: rows }, () => (rng.uniform() < 0.4 ? "b" : "a"));
    const x = Float64Array.from(word, (w) => (w === "b" ? 1 : -1) + normal(rng));
    const y = Float64Array.from(word, (w, i) => 2 * Number(w === "b") + x[i] + normal(rng));
    const words = word.map((w) => (rng.uniform() < 0.08 ? null : w));
    const result = await fitRegression({ columns: [words, x], y }, { missing: "mean" });
    const off = (name: string, truth: number): number => {
      const { mean, sd } = variable(result, name);
      return Math.abs(mean - truth) / sd;
    };
    const ratio = moved(result.verdict) / Math.max(off("x0=b", 2), off("x1", 1));
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.25);
  });

  it("are told with every preset, and name what there is besides", async () => {
    const data = regression({ rows: 2000, correlation: 0.7, share: 0.2 });
    const options = { missing: "mean", preset: "paper", iterations: 300, burnIn: 100 } as const;
    const { diagnostics } = await fitRegression(data, options);
    const said = diagnostics.warnings.filter((warning) => warning.startsWith("Means stand"));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/Leave such rows out with missing: "drop"\.$/);
  });

  it("are remembered by a store", async () => {
    const { columns, y } = regression({ rows: 1000, correlation: 0.7, share: 0.2 });
    const lines = Array.from(y, (value, i) =>
      [...columns.map((column) => (Number.isNaN(column[i]) ? "" : column[i])), value].join(),
    );
    const [source, store] = ["data.csv", "data.sparrow"].map((name) => join(folder, name));
    writeFileSync(source, `x0,x1,x2,y\n${lines.join("\n")}\n`);
    await importFiles(source, store, { target: "y", missing: "mean" });
    const { verdict } = await fit(store, { threads: 1 });
    const same = await fit(source, { target: "y", missing: "mean", threads: 1 });
    expect(moved(verdict)).toBeGreaterThan(1);
    expect(moved(verdict)).toBe(moved(same.verdict));
    expect(verdict).toContain("data.csv itself, where holes are drawn along with the model");
  });
});

describe("rows that are left out", () => {
  it("are said to be most of them in the verdict, which is no problem", async () => {
    const { verdict, diagnostics } = await fitRegression(
      regression({ rows: 1000, correlation: 0.7, share: 0.7 }),
      { missing: "drop" },
    );
    expect(verdict).toMatch(/^No problems found\. Only 293 of 1,000 rows have no holes/);
    expect(diagnostics.warnings).toEqual([]);
  });

  it("are a problem where their targets are others, and then the effects are off", async () => {
    const data = regression({ rows: 3000, correlation: 0.7, share: 0.45, by: "target" });
    const result = await fitRegression(data, { missing: "drop" });
    expect(result.verdict).toMatch(/^One problem found\. Rows with holes, which were left out, are not like/);
    const { mean, sd } = variable(result, "x0");
    expect(Math.abs(mean - 1)).toBeGreaterThan(2 * sd);
    const drawn = await fitRegression(data, {});
    expect(drawn.verdict).not.toContain("Rows with holes");
  });

  it("are no word in the verdict where they are few and like the others", async () => {
    const data = regression({ rows: 1000, correlation: 0.7, share: 0.1 });
    const { verdict, notes } = await fitRegression(data, { missing: "drop" });
    expect(verdict).toBe("No problems found.");
    expect(notes).toContainEqual(expect.stringMatching(/rows with missing values are left out/));
  });
});
