import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { withTable } from "../../src/node/open.js";
import { type Data, describe as describeData, mixed, type OpenOptions, open } from "../../src/node.js";
import { database } from "../../src/tables/duckdb/database.js";
import type { Reader } from "../../src/tables/reader.js";
import { csv } from "../../src/tables/readers/csv.js";
import type { ColumnTable } from "../../src/tables/table.js";
import { sparrow } from "../cli/fake-effects.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-way-in-"));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All columns by name, and what is said of them. */
async function read(data: Data, options: OpenOptions = {}) {
  return withTable(data, options, async (each) => {
    const table = each as ColumnTable;
    const all = [...table.columns.keys()];
    const columns: Record<string, number[]> = Object.fromEntries(table.columns.map(({ name }) => [name, []]));
    for await (const chunk of table.chunks(all)) {
      all.forEach((c) => {
        for (let i = 0; i < chunk.rows; i++) columns[table.columns[c].name].push(chunk.columns[c][i]);
      });
    }
    return { columns, said: table.remarks?.(all) ?? [], kinds: table.columns.map(({ kind }) => kind) };
  });
}

async function parquet(path: string, select: string): Promise<void> {
  const { connection, close } = await database();
  await connection.run(`COPY (${select}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`);
  close();
}

describe("a name with a pattern's signs in it", () => {
  const lines = (value: number) => `a,y\n${value},1.5\n${value},2.5\n`;
  const json = (value: number) => `{"a":${value},"y":1}\n{"a":${value},"y":2}\n`;
  it.each([
    ["data[1].csv", "data1.csv", lines],
    ["data*.csv", "data2.csv", lines],
    ["data?.csv", "data3.csv", lines],
    ["in[1]/data.csv", "in1/data.csv", lines],
    ["lines[1].jsonl", "lines1.jsonl", json],
    ["text[1].csv.gz", "text1.csv.gz", (value: number) => gzipSync(lines(value))],
  ] as const)("%s is that file, and not %s", async (own, other, content) => {
    for (const name of [own, other]) mkdirSync(join(at(name), ".."), { recursive: true });
    writeFileSync(at(other), content(2));
    writeFileSync(at(own), content(1));
    expect((await read(at(own))).columns.a).toEqual([1, 1]);
  });

  it("is that file in Parquet, too", async () => {
    await parquet(at("p[1].parquet").replaceAll("[", "_"), "SELECT 1 AS a");
    await parquet(at("p1.parquet"), "SELECT 2 AS a");
    const { renameSync } = await import("node:fs");
    renameSync(at("p_1].parquet"), at("p[1].parquet"));
    expect((await read(at("p[1].parquet"))).columns.a).toEqual([1]);
  });
});

describe("a folder whose name looks like a column", () => {
  it("does not take the place of the column, in CSV and in Parquet", async () => {
    mkdirSync(at("a=1"));
    writeFileSync(at("a=1/d.csv"), "a,y\n7,1.5\n8,2.5\n");
    await parquet(at("a=1/d.parquet"), "SELECT 9 AS a, 2 AS y");
    expect((await read(at("a=1/d.csv"))).columns).toEqual({ a: [7, 8], y: [1.5, 2.5] });
    expect((await read(at("a=1/d.parquet"))).columns).toEqual({ a: [9], y: [2] });
  });

  it("is not left out unsaid where a folder of such folders is named", async () => {
    mkdirSync(at("parted/year=2024"), { recursive: true });
    writeFileSync(at("parted/year=2024/1.csv"), "x,y\n1,2\n");
    await expect(open(at("parted"))).rejects.toThrow('the names of its folders hold the column "year"');
  });
});

describe("several files", () => {
  it("may be the parts of a folder, whatever else lies in it", async () => {
    mkdirSync(at("parts/more"), { recursive: true });
    writeFileSync(at("parts/1.csv"), "x,y\n1,2.5\n");
    writeFileSync(at("parts/more/2.csv"), "x,y\n3,4.5\n");
    for (const name of ["_SUCCESS", ".hidden.csv", "README.md"])
      writeFileSync(at(`parts/${name}`), "nothing\n");
    expect((await read(at("parts"))).columns).toEqual({ x: [1, 3], y: [2.5, 4.5] });
  });

  it("may be several words of a command line", async () => {
    const { status, out } = await sparrow("describe", at("parts/1.csv"), at("parts/more/2.csv"), "--json");
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rows: 2, columns: [{ name: "x" }, { name: "y" }] });
  });

  it("must have the same columns in Parquet as well, in any order", async () => {
    await parquet(at("one.parquet"), "SELECT 1 AS x, 2 AS y");
    await parquet(at("two.parquet"), "SELECT 3 AS y, 4 AS x");
    await parquet(at("three.parquet"), "SELECT 3 AS y, 4 AS x, 5 AS z");
    expect((await read([at("one.parquet"), at("two.parquet")])).columns).toEqual({ x: [1, 4], y: [2, 3] });
    await expect(read([at("one.parquet"), at("three.parquet")])).rejects.toThrow(
      "does not have the same columns",
    );
  });

  it.skipIf(process.platform === "win32")("may be what a shell puts in the place of a command", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    const { spawn } = await import("node:child_process");
    const writer = spawn("sh", ["-c", `printf 'x,y\\n1,2.5\\n3,4.5\\n' > '${at("pipe")}'`]);
    expect((await read(at("pipe"))).columns).toEqual({ x: [1, 3], y: [2.5, 4.5] });
    writer.kill();
  });
});

describe("a key of JSON lines", () => {
  it("may differ from another only in case, or turn up after 30,000 lines", async () => {
    const rows = Array.from({ length: 30_001 }, (_, i) =>
      JSON.stringify(i < 30_000 ? { x: 1, X: 2 } : { x: 1, X: 2, z: 3 }),
    );
    writeFileSync(at("late.jsonl"), rows.join("\n"));
    const { columns } = await read(at("late.jsonl"));
    expect(Object.keys(columns)).toEqual(["x", "X", "z"]);
    expect([columns.x[0], columns.X[0], columns.z[29_999], columns.z[30_000]]).toEqual([1, 2, Number.NaN, 3]);
  });

  it("may be nested as deep as somebody likes, which is refused in a sentence", async () => {
    writeFileSync(at("deep.jsonl"), `{"x":${"[".repeat(5000)}${"]".repeat(5000)},"y":1}\n{"x":[],"y":2}\n`);
    const { stderr, status } = {
      stderr: (await sparrow("fit", at("deep.jsonl"), "--target", "y")).err,
      status: 1,
    };
    expect([status, stderr]).toEqual([1, expect.stringContaining('column "x" holds lists, not numbers')]);
  });
});

describe("what turns up late", () => {
  const rows = (special: string) =>
    Array.from({ length: 24_000 }, (_, i) => (i === 23_500 ? `${special},1.5` : `${i % 100},${i % 7}`)).join(
      "\n",
    );

  it("makes all rows be looked at: a word for a missing value is a hole, and named", async () => {
    writeFileSync(at("word.csv"), `x,y\n${rows("None")}\n`);
    const { columns, said } = await read(at("word.csv"));
    expect(columns.x).toHaveLength(24_000);
    expect([columns.x[23_499], columns.x[23_500]]).toEqual([99, Number.NaN]);
    expect(said).toEqual(['"None" counts as missing in "x".']);
  });

  it("is no end of a mixed model, either", async () => {
    const lines = Array.from(
      { length: 24_000 },
      (_, i) => `g${i % 9},${i === 23_500 ? "missing" : i % 100},${(i * 7) % 31}`,
    );
    writeFileSync(at("groups.csv"), `g,x,y\n${lines.join("\n")}\n`);
    const options = { target: "y", group: "g", fixed: ["x"], iterations: 10, chains: 1, threads: 1 };
    const { result } = await mixed(at("groups.csv"), options);
    expect(result.rows).toBe(23_999);
    expect(result.notes).toEqual([
      '"missing" counts as missing in "x".',
      'The target holds whole numbers and was taken for Gaussian; family: "poisson" treats them as counts.',
    ]);
  });

  it("may be letters of another encoding", async () => {
    const town = (i: number) => (i === 23_500 ? "Köln" : `${"town ".repeat(12)}${i % 3}`);
    const lines = Array.from({ length: 24_000 }, (_, i) => `${town(i)},${i % 7}`);
    writeFileSync(at("letters.csv"), Buffer.from(`town,y\n${lines.join("\n")}\n`, "latin1"));
    const { columns, said } = await read(at("letters.csv"));
    expect([columns.town[23_500], columns.town[23_501]]).toEqual([3, 2]);
    expect(said).toEqual([expect.stringContaining("it was read as Windows-1252 (Latin-1)")]);
  });

  it("may be that the file is written to, which is an error", async () => {
    writeFileSync(at("growing.csv"), `x,y\n${rows("1")}\n`);
    const table = (await open(at("growing.csv"))) as ColumnTable;
    const reading = async () => {
      for await (const _ of table.chunks([0, 1])) appendFileSync(at("growing.csv"), "1,2\n");
    };
    await expect(reading()).rejects.toThrow("growing.csv changed while it was being read");
    table.close?.();
  });

  it("may be that the file is cut at the end of a line while it is opened, which is one, too", async () => {
    writeFileSync(at("cut.csv"), `x,y\n${rows("1")}\n`);
    const cutting: Reader = {
      ...csv,
      async open(paths, settings) {
        const table = await csv.open(paths, settings);
        truncateSync(at("cut.csv"), readFileSync(at("cut.csv")).lastIndexOf("\n", 1000) + 1);
        return table;
      },
    };
    const reading = async (table: ColumnTable) => {
      for await (const _ of table.chunks([0, 1]));
    };
    const table = (await open(at("cut.csv"), { readers: [cutting] })) as ColumnTable;
    await expect(reading(table)).rejects.toThrow("cut.csv changed while it was being read");
    // Rows that went wrong because of it are no matter of their own.
    const spoiling: Reader = {
      ...csv,
      open(paths, settings) {
        writeFileSync(at("cut.csv"), "");
        return csv.open(paths, settings);
      },
    };
    await expect(open(at("cut.csv"), { readers: [spoiling] })).rejects.toThrow("cut.csv changed while it");
    writeFileSync(at("cut.csv"), "x,y\n1,2\n");
    const again = (await open(at("cut.csv"))) as ColumnTable;
    appendFileSync(at("cut.csv"), "1,2,3,4\n");
    await expect(reading(again)).rejects.toThrow("cut.csv changed while it was being read");
  });
});

it("takes hexadecimal numbers of LIBSVM for no numbers", async () => {
  writeFileSync(at("hex.svm"), "1 1:0x10 2:3\n0 1:2\n");
  const table = await open(at("hex.svm"));
  await expect(async () => {
    for await (const _ of (table as ColumnTable).chunks([]));
  }).rejects.toThrow("index 1 has the value 0x10");
});

it("says what a number like -999 may be, and what is a copy, constant or nearly empty", async () => {
  const value = (i: number) => (i % 9 === 0 ? -999 : i % 5);
  const columns = {
    a: Array.from({ length: 40 }, (_, i) => value(i)),
    b: Array.from({ length: 40 }, (_, i) => value(i)),
    c: Array.from({ length: 40 }, () => 3),
    d: Array.from({ length: 40 }, (_, i) => (i < 2 ? i : null)),
    e: Array.from({ length: 400 }, (_, i) => Number(i === 0)).slice(0, 40),
  };
  const { columns: found } = await describeData(columns);
  expect(found.map(({ odd }) => odd)).toEqual([
    ['-999 comes 5 times, far from the rest: na: ["-999"] if it means a missing value'],
    ['a copy of "a"', '-999 comes 5 times, far from the rest: na: ["-999"] if it means a missing value'],
    ["the same value in every row"],
    ["95% missing"],
    [],
  ]);
});
