import { expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import { findTwins, twinNotes } from "../../../src/selection/data/twins.js";
import { scratchOf, smallStore } from "../../small-store.js";

const rng = Rng.seeded(1);
const draw = (n = 300) => Float64Array.from({ length: n }, () => normal(rng));

async function twinsOf(columns: Record<string, ArrayLike<number>>, blockRows = 50) {
  const store = await smallStore(columns, blockRows);
  const { columns: p, rows } = store.layout;
  const screen = screenFrom([screenColumns(store, scratchOf(store), { first: 0, last: p + 1 })], rows);
  return twinNotes(findTwins(store, screen), store.names);
}

test("copies and multiples are named, near copies are not", async () => {
  const [a, b, y] = [draw(), draw(), draw()];
  const near = a.map((v, i) => (i === 299 ? v + 0.01 : v));
  const notes = await twinsOf({ a, b, near, copy: a.slice(), scaled: b.map((v) => 7 - 3 * v), y });
  expect(notes.sort()).toEqual([
    '"copy" is a copy of "a": the data cannot tell them apart.',
    '"scaled" is "b" times a number plus a number: the data cannot tell them apart.',
  ]);
});

test("columns that correlate with the target alike are no twins for that", async () => {
  const x = Float64Array.from({ length: 200 }, (_, i) => (i % 2 ? 1 : -1));
  const z = Float64Array.from({ length: 200 }, (_, i) => (i % 4 < 2 ? 1 : -1));
  const y = x.map((v, i) => v + z[i]);
  expect(await twinsOf({ x, z, y })).toEqual([]);
});

test("more than five are counted", async () => {
  const a = draw();
  const copies = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`c${i}`, a.slice()]));
  const notes = await twinsOf({ a, ...copies, y: draw() });
  expect(notes).toHaveLength(6);
  expect(notes[5]).toBe("3 more columns repeat others in the same way.");
});
