import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCli } from "../../src/cli/run.js";
import { Rng } from "../../src/math/rng.js";
import type { CompareResult } from "../../src/peers/comparison.js";
import { fakeEffects } from "./fake-effects.js";

const crime = join(import.meta.dirname, "../../examples/crime.csv");
const line = ["compare", crime, "--target", "y", "--methods", "blasso,lasso", "--threads", "1"];

test("compare prints one JSON object, and progress elsewhere", async () => {
  const effects = fakeEffects();
  expect(await runCli([...line, "--json"], effects)).toBe(0);
  const { rows, columns, methods }: CompareResult = JSON.parse(effects.output);
  expect({ rows, columns }).toEqual({ rows: 47, columns: 15 });
  expect(methods.map(({ method }) => method)).toEqual(["blasso", "lasso"]);
  expect(methods[1].selected!.map(({ name }) => name)).toContain("Po1");
  expect(methods[1].memory).toBeGreaterThanOrEqual(0);
  expect(effects.messages).toContain("lasso");
});

test("compare explains every method in a line of its table", async () => {
  const effects = fakeEffects();
  expect(await runCli([...line, "--quiet", "--holdout", "0"], effects)).toBe(0);
  expect(effects.messages).toBe("");
  expect(effects.output).toMatch(/lasso +penalty on absolute effects/);
  expect(effects.output).toContain("47 rows, 15 columns");
});

test("compare names a method that it does not know", async () => {
  const effects = fakeEffects();
  expect(await runCli(["compare", crime, "--target", "y", "--methods", "magic"], effects)).toBe(2);
  expect(effects.messages).toMatch(/--methods knows esgld, .*, not "magic"/);
});

const folder = mkdtempSync(join(tmpdir(), "sparrow-compare-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("compare writes a page, but not over another file", async () => {
  const page = join(folder, "methods.html");
  const effects = fakeEffects();
  expect(await runCli([...line, "--holdout", "0", "--out", page], effects)).toBe(0);
  expect(readFileSync(page, "utf8")).toContain("<td><bdi>lasso</bdi></td>");
  expect(effects.messages).toContain(`Written to ${page}`);
  expect(effects.output).toContain("47 rows, 15 columns");
  expect(existsSync(`${page}.partial`)).toBe(false);
  const again = fakeEffects();
  expect(await runCli([...line, "--out", page], again)).not.toBe(0);
  expect(again.messages).toMatch(/exists already; choose another --out/);
});

test("compare reads a LIBSVM file, whose target has a name already", async () => {
  const rng = Rng.seeded(6);
  const rows = Array.from({ length: 400 }, () => {
    const row = Array.from({ length: 9 }, () => (rng.below(3) === 0 ? rng.below(9) - 4 : 0));
    const entries = row.flatMap((value, j) => (value === 0 ? [] : [`${j + 1}:${value}`]));
    return [10 + 2 * row[2] - 3 * row[6] + rng.below(5) - 2, ...entries].join(" ");
  });
  const file = join(folder, "rows.libsvm");
  writeFileSync(file, rows.join("\n"));
  const effects = fakeEffects();
  const methods = ["--methods", "esgld,lasso,rjmh", "--threads", "1", "--json"];
  expect(await runCli(["compare", file, ...methods], effects)).toBe(0);
  const result: CompareResult = JSON.parse(effects.output);
  expect(result.rows).toBe(400);
  expect(result.holdoutRows).toBeGreaterThan(40);
  for (const { method, failure, selected = [], holdoutError } of result.methods) {
    expect(failure, method).toBeUndefined();
    const chosen = Object.fromEntries(selected.map(({ name, coefficient }) => [name, coefficient]));
    // Least squares is within 0.2; the one-standard-error rule of the Lasso shrinks.
    expect(Math.abs(chosen["3"] - 2), method).toBeLessThan(0.5);
    expect(Math.abs(chosen["7"] + 3), method).toBeLessThan(0.5);
    // The noise has variance 2, the target 37.
    expect(holdoutError, method).toBeLessThan(result.nullError! / 6);
  }
});
