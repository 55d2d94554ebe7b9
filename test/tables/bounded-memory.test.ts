import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { open } from "../../src/node.js";
import { byGroups, GROUP } from "../../src/tables/duckdb/by-groups.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import type { ColumnTable } from "../../src/tables/table.js";
import { writeTable } from "../../src/tables/write.js";
import { workbook } from "../messy/workbook.js";

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bounded-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("what can only be read as a whole is refused where it would take more than it may", async () => {
  writeFileSync(at("large.json"), `[{"x": 1, "y": 2}${" ".repeat(50e6)}]`);
  await expect(open(at("large.json"), { memory: 50e6 })).rejects.toThrow(
    /large\.json can only be read as a whole, which takes about 401 MB; write it as CSV/,
  );
  // What is packed shows its size as it is unpacked.
  writeFileSync(at("packed.json.gz"), gzipSync(readFileSync(at("large.json")), { level: 1 }));
  await expect(open(at("packed.json.gz"), { memory: 20e6 })).rejects.toThrow(
    /packed\.json\.gz can only be read as a whole/,
  );
  const table = await open(at("large.json"), { memory: 500e6 });
  expect(table.by === "columns" && table.rows).toBe(1);
  const book = workbook({ Data: { x: [1, 2], y: [3, 4] } });
  // The list of files at the end says that the first of them unpacks to 60 MB.
  book.writeUInt32LE(60e6, book.readUInt32LE(book.length - 6) + 24);
  writeFileSync(at("large.xlsx"), book);
  await expect(open(at("large.xlsx"), { memory: 50e6 })).rejects.toThrow(/takes about 481 MB/);
  await expect(open(at("large.xlsx"), { memory: 500e6 })).rejects.toThrow(/damaged/);
});

it("a header of more columns than there is memory for is refused when it is read, and so is one without an end", async () => {
  const line = `${",".repeat(300_000)}\n`;
  writeFileSync(at("columns.csv"), line + line);
  const few = { memory: 50e6 };
  const tooMany = /columns\.csv has more than 210,000 columns.*raise memory, or leave columns out/;
  await expect(open(at("columns.csv"), few)).rejects.toThrow(tooMany);
  writeFileSync(at("first.csv"), `a,b\n1,2\n`);
  await expect(open([at("first.csv"), at("columns.csv")], few)).rejects.toThrow(tooMany);
  // What is read from a copy is called by its own name.
  writeFileSync(at("wide-letters.csv"), Buffer.from(`\ufeff${line}${line}`, "utf16le"));
  for (const paths of [[at("wide-letters.csv")], [at("first.csv"), at("wide-letters.csv")]])
    await expect(open(paths, few)).rejects.toThrow(/^[^ ]*wide-letters\.csv has more than 210,000 columns/);
  writeFileSync(at("endless.csv"), Buffer.alloc((1 << 26) + 1, "1"));
  for (const name of ["endless.csv", "endless.csv.gz"]) {
    if (name.endsWith("gz")) writeFileSync(at(name), gzipSync(readFileSync(at("endless.csv")), { level: 1 }));
    await expect(open(at(name), few), name).rejects.toThrow(
      new RegExp(`^[^ ]*/bounded-[^/]*/${name} has a first line that is too long to hold the names`),
    );
  }
});

it("JSON lines of a line, or of more keys, than there is memory for are refused", async () => {
  writeFileSync(at("endless.jsonl"), `{"x":1,"y":2}\n{"x":"${"1".repeat(40e6)}`);
  await expect(open(at("endless.jsonl"), { memory: 50e6 })).rejects.toThrow(
    /endless\.jsonl has a line of more than 39 MB, which is too long to be one object; .* or raise memory/,
  );
  writeFileSync(at("keys.jsonl"), Array.from({ length: 200_000 }, (_, i) => `{"x${i}":1}`).join("\n"));
  await expect(open(at("keys.jsonl"), { memory: 20e6 })).rejects.toThrow(
    /keys\.jsonl has more than 184,000 columns/,
  );
});

it("lines that come in many pieces are put together as they were", async () => {
  const texts = ["ä".repeat(700_000), "x", "€".repeat(400_000), "end"];
  for (const end of ["", "\n"]) {
    writeFileSync(at("pieces.jsonl"), texts.map((x, y) => JSON.stringify({ x, y })).join("\n\n") + end);
    const table = (await open(at("pieces.jsonl"), { text: ["x"] })) as ColumnTable;
    const read: number[] = [];
    for await (const { columns } of table.chunks([1])) read.push(...Array.from(columns[0]));
    expect(read).toEqual([0, 1, 2, 3]);
  }
});

it("a JSON array may hold more rows than a call takes arguments", async () => {
  writeFileSync(at("long.json"), `[${Array(200_000).fill('{"x":1,"y":2}').join()}]`);
  const table = await open(at("long.json"));
  expect(table.by === "columns" && table.rows).toBe(200_000);
});

it("Parquet files of very many columns are read some columns at a time, to the same numbers", async () => {
  const [rows, columns] = [5, GROUP + 3];
  const value = (i: number, j: number) => Math.fround(Math.sin(i * columns + j));
  const all = Array.from({ length: columns }, (_, j) => [
    `x${j}`,
    Float64Array.from({ length: rows }, (_, i) => value(i, j)),
  ]);
  await writeTable(arrayTable(Object.fromEntries(all)), at("wide.parquet"));
  const table = (await open(at("wide.parquet"), { memory: 1e6 })) as ColumnTable;
  const wanted = Array.from({ length: columns }, (_, j) => columns - 1 - j);
  let first = 0;
  for await (const chunk of table.chunks(wanted)) {
    for (const [c, j] of wanted.entries())
      for (let i = 0; i < chunk.rows; i++) expect(chunk.columns[c][i] === value(first + i, j)).toBe(true);
    first += chunk.rows;
  }
  table.close?.();
  expect(first).toBe(rows);
});

it("rows of many columns come in portions that fit, each of them whole", async () => {
  const [rows, columns] = [200, GROUP + 1];
  const asked: string[] = [];
  const reading = {
    rows,
    columns: Array.from({ length: columns }, (_, j) => j),
    room: 8 * columns * 90,
    async *read(some: readonly number[], first: number, count: number) {
      asked.push(`${some.length} × ${first}…${first + count}`);
      for (let done = 0; done < count; done += 40) {
        const part = Math.min(40, count - done);
        const values = some.map((j) =>
          Float64Array.from({ length: part }, (_, i) => (first + done + i) * 1e4 + j),
        );
        yield { rows: part, columns: [...values] };
      }
    },
  };
  let row = 0;
  for await (const chunk of byGroups(reading)) {
    for (let i = 0; i < chunk.rows; i++, row++)
      for (const j of [0, GROUP - 1, GROUP]) expect(chunk.columns[j][i]).toBe(row * 1e4 + j);
  }
  expect(row).toBe(rows);
  expect(asked).toEqual(
    ["0…90", "90…180", "180…200"].flatMap((part) => [`${GROUP} × ${part}`, `1 × ${part}`]),
  );
});
