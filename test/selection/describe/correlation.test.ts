import { expect, test } from "vitest";
import { describe } from "../../../src/index.js";

const x = [1, 2, 4, 7, 11, Number.NaN, 3];
const y = [2, 1, 5, 6, 14, 3, Number.NaN];
const group = ["a", "b", "c", "a", "b", "c", "a"];

/** Two passes over the rows that hold both. */
function byDefinition(a: readonly number[], b: readonly number[]): number {
  const rows = a.map((_, i) => i).filter((i) => !Number.isNaN(a[i]) && !Number.isNaN(b[i]));
  const mean = (of: readonly number[]) => rows.reduce((sum, i) => sum + of[i], 0) / rows.length;
  const [ma, mb] = [mean(a), mean(b)];
  const sum = (f: (i: number) => number) => rows.reduce((total, i) => total + f(i), 0);
  return (
    sum((i) => (a[i] - ma) * (b[i] - mb)) /
    Math.sqrt(sum((i) => (a[i] - ma) ** 2) * sum((i) => (b[i] - mb) ** 2))
  );
}

test("a column of numbers is described with its correlation with the target, over rows that hold both", async () => {
  const far = x.map((value) => 1e9 - value);
  const { columns } = await describe({ x, far, flat: x.map(() => 3), group, y }, { target: "y" });
  const found = new Map(columns.map(({ name, correlation }) => [name, correlation]));
  expect(found.get("x")).toBeCloseTo(byDefinition(x, y), 12);
  // Far from zero nothing is lost.
  expect(found.get("far")).toBeCloseTo(-byDefinition(x, y), 6);
  for (const without of ["flat", "group", "y"]) expect(found.get(without)).toBeUndefined();
});

test("without a target, or with one of words, there is none", async () => {
  for (const options of [{}, { target: "group" }]) {
    const { columns } = await describe({ x, y, group }, options);
    expect(columns.every(({ correlation }) => correlation === undefined)).toBe(true);
  }
});
