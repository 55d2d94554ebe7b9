import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mixed } from "../../src/node.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-words-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const count = 60;
const columns: Record<string, (i: number) => number | string> = {
  y: (i) => i % 13,
  x: (i) => (i * i) % 17,
  z: (i) => (i * 3) % 7,
  g: (i) => `g${i % 6}`,
  w: (i) => 1 + (i % 3),
};

/** A file in which one cell of a column holds this, the column all of it where it is a function. */
function file(column: string, value: unknown, lines = false): string {
  const of = (name: string, i: number): unknown =>
    name !== column
      ? columns[name](i)
      : typeof value === "function"
        ? value(i)
        : i === 40
          ? value
          : columns[name](i);
  const names = Object.keys(columns);
  const path = join(folder, lines ? "data.jsonl" : "data.csv");
  const rows = Array.from({ length: count }, (_, i) => names.map((name) => of(name, i)));
  const text = lines
    ? rows.map((row) => JSON.stringify(Object.fromEntries(row.map((v, c) => [names[c], v])))).join("\n")
    : [names.join(","), ...rows.map((row) => row.join(","))].join("\n");
  writeFileSync(path, text);
  return path;
}

/** What is given, and how each of the columns would be left out. */
const given: [string, object, Readonly<Record<string, string>>][] = [
  [
    "options",
    { target: "y", group: "g", fixed: ["x"], random: ["z"], weights: "w" },
    { y: "another target", x: "fixed and random", z: "fixed and random", w: "another weights" },
  ],
  [
    "a formula of one grouping",
    { formula: "y ~ x + (1 + z | g)" },
    { y: "another formula", x: "another formula", z: "another formula" },
  ],
  [
    "a formula that needs rows",
    { formula: "y ~ x + (0 + z | g)", weights: "w" },
    { y: "another formula", x: "another formula", z: "another formula", w: "another weights" },
  ],
];

/** What is wrong with a column, and the words about it. */
const wrong: [string, unknown, boolean, RegExp][] = [
  ["a word", "oops", false, /holds "oops" in row 41/],
  ["what is infinite", "inf", false, /is infinite in row 41/],
  ["what is too large", "1e300", false, /is 1e\+300, beyond what single precision holds/],
  ["two units", (i: number) => (i % 2 ? "5%" : "$5"), false, /not in the same unit|holds/],
  ["lists", () => [1, 2], true, /holds lists/],
  ["nothing", () => null, true, /is empty/],
];

describe.each(given)("with %s, what is to be done about a column is in its words", (_, options, ways) => {
  it.each(
    Object.entries(ways).flatMap(([column, way]) =>
      wrong.map(([what, value, lines, words]) => [column, what, way, value, lines, words] as const),
    ),
  )("%s of %s: %s", async (column, what, way, value, lines, words) => {
    const error: unknown = await mixed(file(column, value, lines), { ...options, iterations: 20 }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const { message } = error as Error;
    expect(message, what).toMatch(words);
    expect(message).toMatch(/^[^.]*(\.[^. ][^.]*)*\.$/);
    expect(message).toContain(`with ${way}.`);
    expect(message).not.toContain("exclude");
  });
});

it("the column of the groups is left out by naming another one", async () => {
  const empty = file("g", () => null, true);
  const asked = { target: "y", group: "g", fixed: ["x"] };
  await expect(mixed(empty, asked)).rejects.toThrow(/"g" .* is empty: leave it out with another group\.$/);
  const lists = file("g", () => ["a"], true);
  await expect(mixed(lists, asked)).rejects.toThrow(/"g" holds lists.*with another group\.$/);
  await expect(mixed(lists, { formula: "y ~ x + (1 | g) + (1 | z)" })).rejects.toThrow(
    /"g" holds lists.*with another formula\.$/,
  );
});
