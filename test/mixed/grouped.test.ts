import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { shuffle } from "../../src/math/shuffle.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import { type Grouped, type GroupedSettings, grouped as groupedTable } from "../../src/mixed/read/grouped.js";
import { open } from "../../src/tables/open.js";
import type { ColumnTable } from "../../src/tables/table.js";

const folder = mkdtempSync(join(tmpdir(), "grouped-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}
async function grouped(path: string, settings: GroupedSettings): Promise<Grouped> {
  const table = (await open(path, { keys: [settings.group] })) as ColumnTable;
  try {
    return await groupedTable(table, settings);
  } finally {
    table.close?.();
  }
}
const settings = { target: "y", group: "g", columns: ["x", "odd 'name\"s"] };
const head = `g,x,"odd 'name""s",y`;

it("sums what a loop over the rows would sum, whatever the order of the rows", async () => {
  const rows = Array.from({ length: 50 }, (_, i) => [["b", "a", "c c"][i % 3], (i * 7) % 11, i / 4, 10 - i]);
  const { data, rows: count } = await grouped(
    file("plain.csv", [head, ...rows.map((row) => row.join(","))]),
    settings,
  );
  const expected = emptyCrossProducts(["(intercept)", ...settings.columns], "y", ["a", "b", "c c"]);
  for (const [g, ...numbers] of rows) {
    addRow(expected, expected.groups.indexOf(g as string), [1, ...(numbers as number[])]);
  }
  expect(count).toBe(50);
  expect(data).toEqual(expected);
});

it("gives the same bits whatever the order of the rows, however different in size the numbers are", async () => {
  const rng = Rng.seeded(5);
  const rows = Array.from({ length: 4000 }, (_, i) =>
    [i % 2, 1e9 * normal(rng), 1e-9 * normal(rng), normal(rng)].join(","),
  );
  const one = await grouped(file("one.csv", [head, ...rows]), settings);
  shuffle(rng, rows);
  const other = await grouped(file("other.csv", [head, ...rows]), settings);
  expect(other.data).toEqual(one.data);
  const plain = emptyCrossProducts(one.data.columns, "y", ["0", "1"]);
  for (const row of rows) addRow(plain, Number(row[0]), [1, ...row.split(",").slice(1).map(Number)]);
  for (const [i, value] of plain.values.entries()) {
    // Summing 2000 products in floating point loses about 2000·2⁻⁵³ of the largest.
    const [j, k] = [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].slice(0, a + 1).map((b) => [a, b]))[i % 10];
    const size = 2000 * [1, 1e9, 1e-9, 1][j] * [1, 1e9, 1e-9, 1][k];
    expect(Math.abs(one.data.values[i] - value)).toBeLessThan(1e-12 * size);
  }
});

it("leaves out rows without a group, a target or a predictor, and says how many", async () => {
  const path = file("holes.csv", [head, "a,1,2,3", ",1,2,3", "a,NA,2,3", "b,1,2,", "b,2,2,nan", "b,4,4,4"]);
  const { data, warnings } = await grouped(path, settings);
  expect(data.groups).toEqual(["a", "b"]);
  expect([...data.rows]).toEqual([1, 1]);
  expect(warnings).toEqual([
    '1 of 6 rows has no value in "g" and was left out.',
    '1 of 6 rows has no number in "x" and was left out.',
    '2 of 6 rows have no number in "y" and were left out.',
  ]);
});

it("names the column, the word and its row when there is text among the numbers", async () => {
  const path = file("words.csv", [head, "a,1,2,3", "a,many,2,3", "b,few,2,3", "b,2,2,3"]);
  await expect(grouped(path, settings)).rejects.toThrow(
    /words.csv: column "x" holds "many" in row 2 and 1 more cell like it, where 2 of 4 cells are numbers/,
  );
});

it("says which column is missing, and which there are", async () => {
  const path = file("columns.csv", [head, "a,1,2,3"]);
  await expect(grouped(path, { ...settings, group: "user" })).rejects.toThrow(
    /has no column "user"\. The columns are "g", "x", "odd/,
  );
});

it("refuses a file in which no row has a group", async () => {
  const path = file("nobody.csv", [head, ",1,2,3", ",2,3,4"]);
  await expect(grouped(path, settings)).rejects.toThrow(/Column "g" of .* is empty/);
});

it("refuses a file that is not there", async () => {
  await expect(grouped(join(folder, "none.csv"), settings)).rejects.toThrow(/There is no file .*none.csv/);
});
