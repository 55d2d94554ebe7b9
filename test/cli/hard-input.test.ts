/** Hard input: what every command refuses, and what is said of columns that are taken. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sparrowWith } from "./fake-effects.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-hard-"));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const sparrow = (...argv: readonly string[]) => sparrowWith({}, [...argv]);

/** Forty rows of numbers, but for what `y` and `b` of a row are told to be. */
function written(name: string, cells: { b?: (i: number) => unknown; y?: (i: number) => unknown }): string {
  const rows = Array.from({ length: 40 }, (_, i) =>
    [Math.sin(7 * i), cells.b?.(i) ?? Math.cos(3 * i * i), cells.y?.(i) ?? Math.sin(i * i), i % 5].join(),
  );
  writeFileSync(at(name), `a,b,y,g\n${rows.join("\n")}\n`);
  return at(name);
}

beforeAll(async () => {
  const data = written("data.csv", {});
  for (const argv of [
    ["fit", data, "--target", "y", "--exclude", "g", "--out", at("run")],
    ["mixed", data, "--target", "y", "--group", "g", "--fixed", "a,b", "--out", at("mixed")],
    ["mixed", data, "--formula", "y ~ a + b + (1 | g)", "--out", at("formula")],
  ]) {
    const { status, err } = await sparrow(...argv, "--quiet");
    expect({ status, err }).toEqual({ status: 0, err: "" });
  }
});

describe.each([
  ["infinite", "inf", 'column "b" is infinite in '],
  ["too large", "1e300", 'column "b" is 1e+300, beyond what single precision holds, in '],
])("a number that is %s", (what, cell, words) => {
  const path = () => written(`${what}.csv`, { b: (i) => (i === 17 ? cell : undefined) });

  test.each<[string, (path: string) => string[]]>([
    ["fit", (path) => ["fit", path, "--target", "y"]],
    ["mixed", (path) => ["mixed", path, "--target", "y", "--group", "g", "--fixed", "b"]],
    ["mixed, as the target", (path) => ["mixed", path, "--target", "b", "--group", "g"]],
    ["mixed, by a formula", (path) => ["mixed", path, "--formula", "y ~ b + (1 | g)"]],
    ["clusters", (path) => ["clusters", path]],
    ["states", (path) => ["states", path]],
    ["predict", (path) => ["predict", at("run"), path]],
    ["predict, by a mixed model", (path) => ["predict", at("mixed"), path]],
    ["predict, by a formula", (path) => ["predict", at("formula"), path]],
  ])("is refused by %s, with its row", async (_, argv) => {
    const { status, out, err } = await sparrow(...argv(path()), "--quiet");
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toContain(`${words}row 18;`);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  test("is a column that describe calls unusable", async () => {
    const { status, out } = await sparrow("describe", path(), "--target", "y", "--json");
    expect(status).toBe(0);
    const [, b] = JSON.parse(out).columns;
    expect(b).toMatchObject({ name: "b", role: "unusable", variables: 0 });
    expect(b.problem).toContain(`${words}some row;`);
    const asTarget = await sparrow("describe", path(), "--target", "b", "--json");
    expect(JSON.parse(asTarget.out).target.problem).toContain(words);
  });
});

test("a target of dates is said to be counted in days, as predictors are", async () => {
  const path = written("dates.csv", { y: (i) => `2024-01-${10 + (i % 18)}` });
  const { out } = await sparrow("fit", path, "--target", "y", "--json");
  expect(JSON.parse(out).notes).toContain('"y" is a date: counted in days.');
});

test("a title above the header is named as what may be wrong", async () => {
  writeFileSync(at("title.csv"), "Sales of 2024\n\na,y\n1,2\n3,4\n5,7\n");
  const { err } = await sparrow("describe", at("title.csv"));
  expect(err).toMatch(/has 2 values in row 2 but 1 column; .*a title above the header has to go\.\n$/);
});

test("predictions advise nothing that they have no option for", async () => {
  const target = written("words.csv", { y: (i) => `w${i % 3}` });
  expect((await sparrow("predict", at("run"), target, "--quiet")).err).toContain(
    "with a copy of the data that lacks it, for predictions need no target.",
  );
  const predictor = written("predictor.csv", { b: (i) => (i === 3 ? "oops" : undefined) });
  const { err } = await sparrow("predict", at("run"), predictor, "--quiet");
  expect(err).toContain("with a run that was fitted without it.");
  expect(err).not.toContain("--exclude");
});

test("one variable is one variable", async () => {
  const { out } = await sparrow("fit", at("data.csv"), "--target", "y", "--columns", "a");
  expect(out.replaceAll(/\s+/g, " ")).toContain("The only variable took part in the comparison of models.");
});
