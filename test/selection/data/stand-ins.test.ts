import { expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { describe as describeData, fit } from "../../../src/node.js";

/** A column that matters, with such a number in its place in some of the rows, and the target. */
function holding(standIn: number, times: number, rows = 200, centre = 0) {
  const rng = Rng.seeded(3);
  const x = Float64Array.from({ length: rows }, () => centre + normal(rng));
  const z = x.map(() => normal(rng));
  const y = x.map((value) => value - centre + normal(rng));
  for (let i = 0; i < times; i++) x[Math.floor((i * rows) / times)] = standIn;
  return { x, z, y };
}

const notesOf = async (columns: Record<string, Float64Array>, family?: "gaussian") => {
  const { notes } = await fit(columns, { target: "y", threads: 1, ...(family && { family }) });
  return (notes ?? []).filter((note) => note.includes("far from the rest"));
};

it.each([
  [-999, 9, 200, 0],
  [-9999, 2, 200, 20],
  [99, 30, 1500, 12],
  [9999, 2, 6000, 0],
  [-1e9, 5, 300, 1000],
])(
  "%d that comes %d times in %d rows about %d is told by fit as by describe",
  async (value, times, rows, centre) => {
    const columns = holding(value, times, rows, centre);
    const said = `${value} comes ${times} times, far from the rest: na: ["${value}"] if it means a missing value`;
    expect(await notesOf(columns)).toEqual([`"x": ${said}.`]);
    const { columns: described } = await describeData(columns, { target: "y" });
    expect(described.flatMap(({ odd }) => odd)).toEqual([said]);
  },
);

it("and so is one in the target", async () => {
  const { x: y, z, y: x } = holding(-999, 4);
  expect(await notesOf({ x, z, y })).toEqual([expect.stringMatching(/^"y": -999 comes 4 times/)]);
});

it.each([
  ["a number that comes once", holding(-999, 1)],
  ["a number like it among others", holding(99, 20, 200, 97)],
  ["a number that nobody writes for another", holding(-50, 9)],
  ["one of two values", { x: holding(99, 9).x.map((v) => (v === 99 ? 99 : 0)), y: holding(99, 9).y }],
])("%s is nothing to tell", async (_, columns) => {
  expect(await notesOf(columns)).toEqual([]);
});
