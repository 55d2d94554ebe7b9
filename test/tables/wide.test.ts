import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { open } from "../../src/node.js";
import type { ColumnTable } from "../../src/tables/table.js";
import { plainNumber } from "../../src/tables/wide/plain-number.js";

const folder = mkdtempSync(join(tmpdir(), "wide-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLUMNS = 2500;
const names = Array.from({ length: COLUMNS }, (_, c) => (c === 7 ? '"seven, ""7"""' : `x${c}`));
const cell = (row: number, c: number) => (c === 0 ? ["é", "no", ""][row % 3] : `${row}.${c}`);
const line = (row: number, c = (i: number) => cell(row, i)) => names.map((_, i) => c(i)).join(",");

async function read(
  name: string,
  content: string | Buffer,
): Promise<{ table: ColumnTable; columns: number[][] }> {
  writeFileSync(join(folder, name), content);
  const table = (await open(join(folder, name))) as ColumnTable;
  const columns = table.columns.map((): number[] => []);
  try {
    for await (const chunk of table.chunks([...columns.keys()]))
      for (const [c, into] of columns.entries())
        for (let i = 0; i < chunk.rows; i++) into.push(chunk.columns[c][i]);
  } finally {
    table.close?.();
  }
  return { table, columns };
}

it("reads very many columns, by whatever ends lines, packed or not", async () => {
  for (const end of ["\n", "\r\n"]) {
    const text = [names.join(","), ...[1, 2, 3, 4, 5].map((row) => line(row))].join(end);
    for (const [name, content] of [
      ["plain.csv", text],
      ["marked.csv", `\ufeff${text}${end}${end}`],
      ["packed.csv.gz", gzipSync(text)],
    ] as const) {
      const { table, columns } = await read(name, content);
      expect(table.columns.length).toBe(COLUMNS);
      expect(table.columns[7].name).toBe('seven, "7"');
      expect(table.columns[0]).toMatchObject({ kind: "text", levels: ["no", "é"] });
      expect(columns[0]).toEqual([0, Number.NaN, 1, 0, Number.NaN]);
      expect(columns[COLUMNS - 1]).toEqual([1, 2, 3, 4, 5].map((row) => Number(`${row}.${COLUMNS - 1}`)));
    }
  }
});

it.each([
  ["a short row", `${line(1)}\n1,2\n`, "2 values in row 2 but 2500 columns"],
  [
    "a word among numbers",
    `${line(1)}\n${line(2)}\n${line(3, (c) => (c === 9 ? "oops" : cell(3, c)))}\n`,
    '"oops" in row 3',
  ],
  ["a quote that never ends", `${line(1)}\n"${line(2)}\n`, "a quoted value in row 2 that never ends"],
  ["more text behind a quote", `${line(1)}\n"1"2${line(2)}\n`, "a quoted value in row 2"],
])("says where there is %s", async (_what, rows, words) => {
  await expect(read("bad.csv", `${names.join(",")}\n${rows}`)).rejects.toThrow(words);
});

it("takes letters of Western Europe for what they are", async () => {
  const text = Buffer.from([names.join(","), line(1), line(3), line(3)].join("\n"), "latin1");
  const { table } = await read("latin.csv", text);
  expect(table.columns[0].levels).toContain("é");
});

it("reads numbers as Number does, and nothing else", () => {
  for (const text of [
    "0",
    "-0",
    "1.5",
    "-12.",
    ".25",
    "123456789012345",
    "1234567890123456789",
    "1e-7",
    "4.9E-324",
    "0.1000000000000000055511151231257827",
  ])
    expect(Object.is(plainNumber(Buffer.from(`,${text},`), 1, 1 + text.length), Number(text))).toBe(true);
  for (const text of ["", "-", ".", "+1", "1e", "0x10", "1 ", "1,5", "1e999", "Infinity", "--1", "1.2.3"])
    expect(plainNumber(Buffer.from(text), 0, text.length)).toBeNaN();
});
