import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { delimited } from "../../src/tables/duckdb/delimited.js";
import { dialectOf } from "../../src/tables/duckdb/dialect.js";
import { duckdbTable } from "../../src/tables/duckdb/duckdb-table.js";
import { fileOnDisk } from "../../src/tables/packed/on-disk.js";
import type { ReadingAsked } from "../../src/tables/reading-asked.js";
import type { ColumnTable } from "../../src/tables/table.js";
import { beyondDoubt } from "../../src/tables/wide/beyond-doubt.js";
import { firstLines } from "../../src/tables/wide/first-lines.js";
import { wideTable } from "../../src/tables/wide/wide-table.js";

const folder = mkdtempSync(join(tmpdir(), "doubt-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that anybody can learn of a table, or what is said instead. */
async function all(open: () => Promise<ColumnTable>): Promise<unknown> {
  try {
    const table = await open();
    try {
      const { columns } = table;
      const readable = columns.flatMap(({ problem }, c) => (problem === undefined ? [c] : []));
      const values = readable.map((): number[] => []);
      const chunks: number[] = [];
      for await (const chunk of table.chunks(readable)) {
        chunks.push(chunk.rows);
        for (const [i, into] of values.entries())
          for (let row = 0; row < chunk.rows; row++) into.push(chunk.columns[i][row]);
      }
      const notNumbers = await table.notNumbers?.(readable);
      const { rows, bytes } = table;
      return { columns, rows, bytes, chunks, values, notNumbers, remarks: table.remarks?.(readable) };
    } finally {
      table.close?.();
    }
  } catch (error) {
    return String(error);
  }
}

/** By our own reader and by DuckDB, where there is no doubt; otherwise undefined. */
async function bothWays(path: string, asked: ReadingAsked = {}) {
  const settings = { name: path, ...asked };
  const dialect = dialectOf(settings);
  const file = fileOnDisk(path);
  const header = await firstLines(file, dialect).catch(() => undefined);
  const plain = header && (await beyondDoubt(file, { dialect, header, settings }));
  if (!plain) return undefined;
  return {
    ours: await all(() => wideTable([plain], settings, dialect, header)),
    theirs: await all(() => duckdbTable(delimited(), [path], settings, dialect.noHeader ? 0 : 1)),
  };
}

const pick = <T>(rng: Rng, from: readonly T[]): T => from[Math.floor(rng.uniform() * from.length)];
const whole = (rng: Rng, most: number) => String(Math.floor(rng.uniform() * most));
const day = (rng: Rng) =>
  `20${10 + Math.floor(20 * rng.uniform())}-0${1 + Math.floor(9 * rng.uniform())}-1${whole(rng, 10)}`;

/** What a column may hold: plain kinds, and those that leave a doubt somewhere. */
const KINDS: readonly ((rng: Rng) => string)[] = [
  (rng) => whole(rng, 2),
  (rng) => whole(rng, 12),
  (rng) => `-${whole(rng, 1e6)}`,
  (rng) => `20${10 + Math.floor(20 * rng.uniform())}0${1 + Math.floor(9 * rng.uniform())}1${whole(rng, 10)}`,
  (rng) => whole(rng, 1e15),
  (rng) => (rng.uniform() * 100).toFixed(1 + Math.floor(3 * rng.uniform())),
  (rng) => String(rng.uniform() - 0.5),
  (rng) => (rng.uniform() * 1e-7).toExponential(),
  (rng) => (rng.uniform() < 0.5 ? `${whole(rng, 100)}e${whole(rng, 4)}` : whole(rng, 9)),
  (rng) => pick(rng, ["1.0", "2.0", "3.00"]),
  (rng) => `${whole(rng, 24)}.${whole(rng, 60)}`,
  (rng) => pick(rng, ["yes", "no"]),
  (rng) => pick(rng, ["t", "f"]),
  (rng) => pick(rng, ["True", "False", "TRUE"]),
  (rng) => pick(rng, ["a", "b", "c d", "é", "NaCl", "Inf."]),
  (rng) => pick(rng, ['"a, b"', '"c"', "d"]),
  (rng) => pick(rng, ['"1"', '"2"', "3"]),
  (rng) => `id${whole(rng, 1e6)}`,
  day,
  (rng) => (rng.uniform() < 0.9 ? whole(rng, 50) : "none"),
  (rng) => (rng.uniform() < 0.9 ? day(rng) : whole(rng, 3000)),
  () => "",
  () => "NA",
  () => "7",
  (rng) => pick(rng, ["007", "12"]),
  (rng) => pick(rng, [" 1", "2"]),
  (rng) => pick(rng, ["+1", "2"]),
  (rng) => pick(rng, [".5", "1.", "2"]),
  (rng) => pick(rng, ["nan", "1.5", "-inf"]),
  (rng) => pick(rng, ["12:30", "1/2/2020", "5%", "1_000"]),
  (rng) => pick(rng, ['"x""y"', "z", '""', '"NA"']),
];
/** Those of them that leave none. */
const PLAIN = 24;

function randomFile(rng: Rng): string {
  const columns = 2 + Math.floor(8 * rng.uniform());
  const rows = 1 + Math.floor(pick(rng, [4, 40, 400]) * rng.uniform());
  const among = rng.uniform() < 0.85 ? KINDS.slice(0, PLAIN) : KINDS;
  const missing = pick(rng, [0, 0, 0.1]);
  const kinds = Array.from({ length: columns }, () => pick(rng, among));
  const cell = (kind: (rng: Rng) => string) =>
    rng.uniform() < missing ? pick(rng, ["", "NA", "NULL", "null", "N/A"]) : kind(rng);
  const names = kinds.map((_, c) => pick(rng, [`x${c}`, `"x${c}"`, `x ${c}`, `id${c}`]));
  const delimiter = pick(rng, [",", ",", ",", ";", "\t", "|"]);
  const end = pick(rng, ["\n", "\n", "\r\n"]);
  const lines = [names, ...Array.from({ length: rows }, () => kinds.map(cell))].map((l) => l.join(delimiter));
  return lines.join(end) + pick(rng, ["", end, end, end, end, `${end}${end}`]);
}

describe("small files that leave no doubt are the same to our own reader and to DuckDB", () => {
  it("of all kinds of columns", async () => {
    const rng = Rng.seeded(11);
    const FILES = 250;
    let accepted = 0;
    for (let f = 0; f < FILES; f++) {
      const path = join(folder, `${f}.csv`);
      const text = randomFile(rng);
      writeFileSync(path, text);
      const found = await bothWays(
        path,
        pick(rng, [{}, {}, {}, { noHeader: true }, { categorical: ["*1"] }]),
      );
      if (!found) continue;
      accepted += 1;
      expect(found.ours, text).toEqual(found.theirs);
    }
    expect(accepted).toBeGreaterThan(FILES / 3);
    expect(accepted).toBeLessThan(FILES);
  }, 120_000);

  it("of all messy files, and of the examples", async () => {
    let accepted = 0;
    for (const where of ["test/messy/files", "examples"]) {
      for (const name of readdirSync(where)) {
        const path = join(where, name);
        if (!statSync(path).isFile() || !/\.(csv|tsv|txt)$/.test(name)) continue;
        const found = await bothWays(path);
        if (!found) continue;
        accepted += 1;
        expect(found.ours, path).toEqual(found.theirs);
      }
    }
    expect(accepted).toBeGreaterThan(10);
  }, 120_000);

  it.each([
    ["a number of rows that is more than are looked at", `a,b\n${"1,2\n".repeat(20_481)}`],
    ["one value too many", "a,b\n1,2,\n3,4,\n"],
    ["one value too few", "a,b\n1,2\n3\n"],
    ["a line without anything", "a,b\n1,2\n\n3,4\n"],
    ["lines before the header", "\na,b\n1,2\n"],
    ["a mark of its encoding", "\ufeffa,b\n1,2\n"],
    ["ends of lines of two kinds", "a,b\r\n1,2\n3,4\n"],
    ["a quote that never ends", 'a,b\n1,"2\n'],
    ["what may be a comment", "a,b\n#1,2\n"],
    ["commas that may be decimal", "a;b\n1,5;2\n"],
    ["a leading zero", "a,b\n01,2\n"],
    ["whole numbers with exponents", "a,b\n1e2,2\n"],
    ["nothing", "a,b\n"],
    ["no UTF-8", Buffer.from("a,b\n\xe9,2\n", "latin1")],
  ])("but not with %s", async (_, content) => {
    const path = join(folder, "doubt.csv");
    writeFileSync(path, content);
    expect(await bothWays(path)).toBeUndefined();
  });
});
