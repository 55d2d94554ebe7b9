import { expect, it } from "vitest";
import { checksummed } from "../../src/tables/checksum.js";
import type { ColumnTable } from "../../src/tables/table.js";

function table(columns: Record<string, readonly number[]>, chunkRows: number, typed = false): ColumnTable {
  const names = Object.keys(columns);
  const rows = Object.values(columns)[0].length;
  return {
    by: "columns",
    name: "test",
    columns: names.map((name) => ({ name })),
    rows,
    *chunks(wanted) {
      for (let from = 0; from < rows; from += chunkRows) {
        const to = Math.min(rows, from + chunkRows);
        const parts = wanted.map((c) => columns[names[c]].slice(from, to));
        yield { rows: to - from, columns: typed ? parts.map((part) => Float64Array.from(part)) : parts };
      }
    },
  };
}

async function checksumOf(source: ColumnTable, wanted = source.columns.map((_, i) => i)): Promise<string> {
  const { table: watched, checksum } = checksummed(source);
  for await (const _ of watched.chunks(wanted));
  return checksum();
}

const plain = { a: [1, 2, 3, 4, 5.5], y: [0.1, -0.2, 0.3, 1e300, Number.NaN] };

it("is sixteen hexadecimal digits that do not depend on how the rows are cut or held", async () => {
  const whole = await checksumOf(table(plain, 5));
  expect(whole).toMatch(/^[0-9a-f]{16}$/);
  for (const rows of [1, 2, 3, 100]) {
    expect(await checksumOf(table(plain, rows))).toBe(whole);
    expect(await checksumOf(table(plain, rows, true))).toBe(whole);
  }
});

it.each([
  ["one bit of one number", { ...plain, a: [1, 2, 3, 4, 5.5 + 2 ** -50] }],
  ["the order of the rows", { ...plain, a: [2, 1, 3, 4, 5.5] }],
  ["the order of the columns", { y: plain.y, a: plain.a }],
  ["the name of a column", { b: plain.a, y: plain.y }],
  ["which column holds what", { a: plain.y, y: plain.a }],
  ["a row of zeros more", { a: [...plain.a, 0], y: [...plain.y, 0] }],
])("changes with %s", async (_, changed) => {
  expect(await checksumOf(table(changed, 5))).not.toBe(await checksumOf(table(plain, 5)));
});

it("passes the numbers on as they are", async () => {
  const { table: watched } = checksummed(table(plain, 2));
  const seen: number[] = [];
  for await (const chunk of watched.chunks([0])) seen.push(...Array.from(chunk.columns[0]));
  expect(seen).toEqual(plain.a);
});
