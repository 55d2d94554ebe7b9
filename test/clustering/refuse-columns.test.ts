import { expect, it } from "vitest";
import { clusters } from "../../src/clustering/clusters.js";
import { compareComponents } from "../../src/clustering/compare/compare-components.js";
import { compareStates } from "../../src/clustering/compare/compare-states.js";
import { hiddenStates } from "../../src/clustering/hidden-states.js";
import { refuseClocks, refuseColumns } from "../../src/clustering/refuse-columns.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

const rng = Rng.seeded(4);
/** Two columns of chance, and what is made of them. */
const rowsOf = (rows: number, made: (a: number, b: number) => number[]): Float64Array =>
  Float64Array.from(Array.from({ length: rows }, () => made(normal(rng), 5 + normal(rng))).flat());
const emission = (columns: number) => ({ kind: "gaussian", columns }) as const;

/** 0.1 in every row has a mean that is not 0.1. */
const constant = rowsOf(30, (a) => [a, 0.1]);
const total = rowsOf(30, (a, b) => [a, b, a + b]);

it.each([
  ["clusters", (values: Float64Array, columns: number) => clusters(values, { columns, components: 2 })],
  [
    "numbers of clusters",
    (values: Float64Array, columns: number) => compareComponents(values, { columns, counts: [1, 2] }),
  ],
  [
    "states",
    (values: Float64Array, columns: number) =>
      hiddenStates(values, { states: 2, emission: emission(columns) }),
  ],
  [
    "numbers of states",
    (values: Float64Array, columns: number) =>
      compareStates(values, { counts: [1, 2], emission: emission(columns) }),
  ],
])("%s are not made of a column with one value, or of one that others determine", async (_, made) => {
  await expect(made(constant, 2)).rejects.toThrow("Column 2 has the same value in every row; leave it out.");
  await expect(made(total, 3)).rejects.toThrow(
    "Column 3 is a linear combination of columns 1, 2; leave it out.",
  );
});

it("names those that determine a column, and no others", () => {
  const names = ["a", "b", "twice", "c"];
  const values = rowsOf(50, (a, b) => [a, b, 3 - 2 * b, normal(rng)]);
  expect(() => refuseColumns(values, 4, "full", names)).toThrow(
    'Column "twice" is a linear combination of "b"',
  );
});

it("looks at all rows before it refuses what the first of them say", () => {
  const values = rowsOf(5000, (a, b) => [a, b, a + b]);
  values[values.length - 1] += 1;
  expect(() => refuseColumns(values, 3, "full")).not.toThrow();
});

it.each([
  ["columns that are rounded", rowsOf(200, (a, b) => [a, b, Math.round(100 * (a + b)) / 100])],
  ["fewer rows than columns", rowsOf(3, (a, b) => [a, b, normal(rng)])],
  ["a hole in every row", rowsOf(40, (a, b) => (a > 0 ? [a, b, Number.NaN] : [Number.NaN, b, a + b]))],
])("takes %s", (_, values) => {
  expect(() => refuseColumns(values, 3, "tied")).not.toThrow();
});

it("takes columns that say the same where clusters lie along the columns", () => {
  expect(() => refuseColumns(total, 3, "diagonal")).not.toThrow();
});

it("states are not made of a column that counts the steps of every sequence", () => {
  const refuse = (made: (i: number) => number, ends = [0, 12, 30]): void =>
    refuseClocks(
      Float64Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? normal(rng) : made((at - 1) / 2))),
      ["pulse", "minute"],
      ends,
    );
  const words = 'Column "minute" counts the steps, which says nothing of states; leave it out';
  expect(() => refuse((i) => i)).toThrow(words);
  expect(() => refuse((i) => 0.1 * (i < 12 ? i : i - 12))).toThrow(words);
  expect(() => refuse((i) => 1.7e9 - 60 * i)).toThrow(words);
  for (const other of [
    (i: number) => (i < 20 ? i : i + 1),
    (i: number) => (i < 12 ? 3 : 4),
    (i: number) => 1e9 + i + 1e-3 * normal(rng),
    (i: number) => (i === 7 ? Number.NaN : i),
  ])
    expect(() => refuse(other)).not.toThrow();
  expect(() => refuse((i) => i, [0, 8])).not.toThrow();
});
