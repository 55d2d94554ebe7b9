import { expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { dependencyNotes, findDependencies } from "../../../src/selection/data/dependencies.js";
import { screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import { scratchOf, smallStore } from "../../small-store.js";

const rng = Rng.seeded(1);
const draw = (n = 400, mean = 0, sd = 1) => Float64Array.from({ length: n }, () => mean + sd * normal(rng));

async function notesOf(columns: Record<string, ArrayLike<number>>, among?: readonly number[]) {
  const store = await smallStore(columns, 50);
  const { columns: p, rows } = store.layout;
  const screen = screenFrom([screenColumns(store, scratchOf(store), { first: 0, last: p + 1 })], rows);
  const all = Array.from({ length: p }, (_, j) => j);
  return dependencyNotes(findDependencies(store, screen, among ?? all), store.names);
}

test("a total of parts is named with its parts, whatever their scales and offsets", async () => {
  const [a, b, c, other, y] = [draw(400, 1000, 20), draw(400, 5, 0.2), draw(400, -40, 8), draw(), draw()];
  const total = a.map((v, i) => v + b[i] + c[i]);
  expect(await notesOf({ a, other, b, c, total, y })).toEqual([
    '"total" is a linear combination of "a", "b", "c": the data cannot tell which of them matter.',
  ]);
});

test("a dummy for every category is named, though one of them is in few rows", async () => {
  const group = Uint8Array.from({ length: 400 }, (_, i) => (i === 399 ? 3 : i % 3));
  const dummy = (k: number) => Float64Array.from(group, (g) => (g === k ? 1 : 0));
  expect(
    await notesOf({ d0: dummy(0), d1: dummy(1), d2: dummy(2), d3: dummy(3), x: draw(), y: draw() }),
  ).toEqual(['"d3" is a linear combination of "d0", "d1", "d2": the data cannot tell which of them matter.']);
});

test("what holds in all rows but one, or nearly, is not named", async () => {
  const [a, b, y] = [draw(), draw(), draw()];
  const spoilt = a.map((v, i) => v - 2 * b[i] + (i === 123 ? 0.01 : 0));
  const noisy = a.map((v, i) => v + b[i] + 0.001 * normal(rng));
  expect(await notesOf({ a, b, spoilt, y })).toEqual([]);
  expect(await notesOf({ a, b, noisy, y })).toEqual([]);
});

test("several are named one by one, and more than five are counted", async () => {
  const bases = Array.from({ length: 8 }, () => draw());
  const sums = Array.from({ length: 7 }, (_, k) => bases[k].map((v, i) => v + bases[k + 1][i]));
  const columns = [...bases, ...sums].map((values, j) => [`x${j}`, values] as const);
  const notes = await notesOf({ ...Object.fromEntries(columns), y: draw() });
  expect(notes).toHaveLength(6);
  expect(notes[0]).toBe(
    '"x8" is a linear combination of "x0", "x1": the data cannot tell which of them matter.',
  );
  expect(notes[5]).toBe("2 more columns are linear combinations of others.");
});

test("only the columns that are asked for are compared, and never more columns than rows", async () => {
  const [a, b, y] = [draw(), draw(), draw()];
  const total = a.map((v, i) => v + b[i]);
  expect(await notesOf({ a, b, total, y }, [0, 2])).toEqual([]);
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, j) => [`x${j}`, draw(20)]));
  expect(await notesOf({ ...wide, y: draw(20) })).toEqual([]);
});
