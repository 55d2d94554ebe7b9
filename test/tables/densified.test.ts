import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { densified } from "../../src/tables/densified.js";
import { open } from "../../src/tables/open.js";
import { readers } from "../../src/tables/readers/register.js";
import { readerOf } from "../../src/tables/source.js";
import type { EntryTable } from "../../src/tables/table.js";

const folder = join(import.meta.dirname, "../cases/packed");

it("gives every row of a packed LIBSVM file, zeros included, and its label", async () => {
  const table = await densified((await open(join(folder, "small.svm.bz2"))) as EntryTable);
  expect(table.columns.map(({ name }) => name)).toEqual([
    ...Array.from({ length: 29 }, (_, j) => `${j + 1}`),
    "label",
  ]);
  const rows: number[][] = [];
  for await (const chunk of table.chunks(table.columns.map((_, j) => j))) {
    for (let i = 0; i < chunk.rows; i++) rows.push(chunk.columns.map((column) => column[i]));
  }
  const expected = readFileSync(join(folder, "small.svm"), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [label, ...entries] = line.split(" ");
      const row = new Array<number>(30).fill(0);
      row[29] = Number(label);
      for (const entry of entries) row[Number(entry.split(":")[0]) - 1] = Number(entry.split(":")[1]);
      return row;
    });
  expect(rows).toEqual(expected);
});

it("refuses a row with more columns than the first rows have", async () => {
  const chunk = (column: number) => ({
    ...{ rows: 1, target: Float64Array.of(1), starts: Uint32Array.of(0, 1) },
    ...{ columns: Uint32Array.of(column), values: Float64Array.of(2) },
  });
  const table = await densified({
    by: "entries",
    name: "wide.svm",
    target: "label",
    chunks: () => [chunk(3), chunk(4)],
  });
  const read = async () => {
    for await (const _ of table.chunks([0]));
  };
  await expect(read()).rejects.toThrow("wide.svm: row 2 has a column 5 but the first rows end at 4");
});

it("is what a file packed as bz2 or xz is taken for when its name says nothing else", () => {
  expect(readerOf("epsilon_normalized.t.bz2", readers)?.name).toBe("libsvm");
  expect(readerOf("a1a.xz", readers)?.name).toBe("libsvm");
});
