import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { Table, tableToIPC, vectorFromArray } from "apache-arrow";
import { afterAll, expect, it, describe as suite } from "vitest";
import { type Asked, bothDoors } from "./conformance.js";

// What a page makes of a file is what Node makes of it, to the last number and sentence: most files go through DuckDB
// there and through readers of our own here.

const folder = mkdtempSync(join(tmpdir(), "sparrow-doors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const written = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

async function same(path: string, asked?: Asked, isDescribed?: boolean): Promise<unknown[]> {
  const { node, page } = await bothDoors(path, asked, isDescribed);
  expect(page).toEqual(node);
  return node;
}

/** The sentence that stands for a file. */
const saying = (sentence: string) => [{ says: sentence, code: expect.any(String) }];

/** Cells that somebody writes; a column of each with numbers, with words, and alone. */
const CELLS = [
  ...[
    "5",
    "-5",
    "05",
    "007",
    "00",
    "0",
    "-01",
    "+5",
    " 5",
    "5 ",
    "5.",
    ".5",
    "-.5",
    "0.50",
    "00.5",
    "1e5",
    "1E-3",
  ],
  ...[
    "1e400",
    "inf",
    "-inf",
    "Infinity",
    "nan",
    "NaN",
    "-nan",
    "+nan",
    "",
    "NA",
    "N/A",
    "NULL",
    "null",
    "na",
  ],
  ...[
    "None",
    "-",
    "?",
    "1_000",
    '"1,000"',
    "12345678901234567890",
    "9007199254740993",
    "0x1F",
    "1.5f",
    "true",
  ],
  ...[
    "T",
    "yes",
    "Ünï",
    " x ",
    "2024-01-02",
    "01/02/2024",
    "13.02.2024",
    "12:30",
    "2024-01-02T10:00:00Z",
    '"12,5"',
  ],
  ...[
    "$5",
    "5%",
    "(5)",
    "1'000",
    '"5"',
    '" 5"',
    '""',
    '"a ""q"" b"',
    '"NA"',
    "--5",
    "1-2",
    "1 000",
    "-0",
    "1.0",
  ],
];

it.each([
  ["numbers", ["1", "2", "3.5", "4"]],
  ["whole numbers", ["11", "7", "7", "3"]],
  ["words", ["a", "b", "a", "c"]],
  ["nothing else", []],
])("cells among %s are read alike", async (_, others) => {
  const columns = CELLS.map((cell) =>
    others.length > 0 ? [others[0], cell, ...others.slice(1)] : [cell, cell, cell],
  );
  const lines = columns[0].map((_, row) => columns.map((column) => column[row]).join(","));
  const header = CELLS.map((_, c) => `v${c}`).join(",");
  await same(written("cells.csv", [header, ...lines, ""].join("\n")));
});

const ROWS = "a;1;2\nb;3;4\nc;5;6\n";
it.each([
  ["a line without anything on top", `\ng;x;y\n${ROWS}`],
  ["two of them, and a mark", `\ufeff\n\ng;x;y\n${ROWS}`],
  ["a line that tells the separator, and nothing below it", `sep=;\n\ng;x;y\n${ROWS}`],
  ["lines without anything in between", `g;x;y\n${ROWS.replaceAll("\n", "\n\n")}`],
  ["no end of the last line", `g;x;y\n${ROWS.trimEnd()}`],
  ["returns alone", `g;x;y\n${ROWS}`.replaceAll("\n", "\r")],
  ["returns, and a name with a line break", `"g\nh";x;y\r${ROWS.replaceAll("\n", "\r")}`],
  ["both ends of lines", `g;x;y\r\n${ROWS}`],
  ["a separator behind the last value", `g;x;y\n${ROWS.replace("3;4", "3;4;")}`],
  ["a separator behind every last value", `g;x;y\n${ROWS.replaceAll("\n", ";\n")}`],
  ["one column with holes", "x\n1\n\n2\n3\n\n"],
  ["names alike but for spaces", "x; x ;y\n1;2;3\n4;5;6\n"],
  ["names that are numbers", "1.5;2.5;3.5\n1;2;3\n4;5;6\n"],
  ["unnamed columns", ";x;\na;1;2\nb;3;4\n"],
  ["a header alone", "g;x;y\n"],
  ["quotes within cells", 'g;x;y\na"b;1;2\n"c""d";3;4\n"e;f";5;6\n"l1\nl2";7;8\n'],
  ["decimal commas", "g;x;y\na;1,5;2\nb;2,25;3\nc;1.234,5;4\n"],
])("%s", async (_, text) => {
  await same(written("lines.csv", text), {}, true);
});

it.each([
  [
    "more values than columns",
    "x,y\n1,2\n3,4,5\n",
    "FILE has 3 values in row 2 but 2 columns; every row needs a value for every column.",
  ],
  [
    "fewer",
    "x,y\n1,2\n3\n",
    "FILE has 1 value in row 2 but 2 columns; every row needs a value for every column.",
  ],
  [
    "a quote that never ends",
    'x,y\n1,"a\n2,b\n',
    "FILE has a quoted value in row 1 that never ends or is followed by more text; check the quotes.",
  ],
  [
    "text behind a quote",
    'x,y\n1,"a"b\n2,b\n',
    "FILE has a quoted value in row 1 that never ends or is followed by more text; check the quotes.",
  ],
  [
    "two columns of one name",
    "x,x\n1,2\n",
    'FILE has two columns called "x"; give every column a name of its own.',
  ],
])("is refused in the same words: %s", async (_, text, sentence) => {
  expect(await same(written("bad.csv", text))).toEqual(saying(sentence));
});

/** More rows than are looked at beforehand. */
const LONG = Array.from({ length: 20_600 }, (_, i) => [i % 97, ((i % 89) / 7).toFixed(2), "abc"[i % 3]]);

it.each([
  ["a word", "never"],
  ["a plus", "+5"],
  ["NaN", "NaN"],
])("what comes late is taken or refused alike: %s", async (_, cell) => {
  const lines = LONG.map(([i, x, g], row) => (row === 20_550 ? `${i},${cell},${g}` : `${i},${x},${g}`));
  await same(written("late.csv", ["i,x,g", ...lines, ""].join("\n")));
});

it("letters of another kind that come late are read alike", async () => {
  const lines = LONG.map(([i, x, g], row) => `${i},${x},${row === 20_550 ? "é" : g}`);
  await same(written("late.csv", Buffer.from(["i,x,g", ...lines, ""].join("\n"), "latin1")));
});

const TABLE = "g,x,y\na,1,2.5\nb,2,3.5\na,3,1.25\n";
const LINES = '{"g":"a","x":1}\n{"g":"b","x":2.5}\n{"x":null,"late":true}\n';
const SPARSE = "1 1:0.5 3:2\n-1 2:1e-3 # why\n1 qid:3 1:4\n";

suite("formats", () => {
  const packed = (content: string): Uint8Array => gzipSync(content);
  const zstd = (content: string): Uint8Array =>
    execFileSync("zstd", ["-q", "-c"], { input: content, stdio: ["pipe", "pipe", "ignore"] });
  const whole: readonly (readonly [string, string | (() => Uint8Array)])[] = [
    ["a.tsv", TABLE.replaceAll(",", "\t")],
    ["a.txt", TABLE],
    ["a.csv.gz", () => packed(TABLE)],
    ["members.csv.gz", () => Buffer.concat([packed(TABLE.slice(0, 20)), packed(TABLE.slice(20))])],
    ["a.jsonl", LINES],
    ["a.json", LINES],
    ["array.json", '[{"g":"a","x":1},{"x":2,"g":null}]'],
    ["a.jsonl.gz", () => packed(LINES)],
    ["lines.json.gz", () => packed(LINES)],
    ["bad.jsonl", '{"x":1}\n{"x":\n'],
    ["twice.jsonl", '{"x":1,"x":2}\n'],
    ["a.svm", SPARSE],
    ["unnamed", SPARSE],
    ["a.svm.gz", () => packed(SPARSE)],
    ["bad.svm", "1 1:x\n"],
    ["cut.csv.gz", () => packed(TABLE.repeat(500)).slice(0, -6)],
    ["not.csv.gz", TABLE],
    ["utf-16.csv", () => Buffer.from(`\ufeff${TABLE}`, "utf16le")],
  ];
  it.each(whole)("%s", async (name, content) => {
    await same(written(name, typeof content === "string" ? content : content()));
  });

  it.runIf(hasZstd())("zst, whole and cut", async () => {
    const long = zstd(TABLE.repeat(1).concat("b,5,6\n".repeat(5000)));
    await same(written("a.csv.zst", long));
    await same(written("cut.csv.zst", long.slice(0, -9)));
    await same(written("a.svm.zst", zstd(SPARSE)));
  });

  it("Arrow, as a file and as a stream, whole and cut", async () => {
    const table = new Table({
      x: vectorFromArray(Float64Array.of(1, 2, Number.NaN)),
      i: vectorFromArray(Int32Array.of(3, 4, 5)),
      w: vectorFromArray(["a", null, "b"]),
    });
    for (const kind of ["file", "stream"] as const) {
      const bytes = tableToIPC(table, kind);
      await same(written(`${kind}.arrow`, bytes));
      await same(written(`cut-${kind}.arrow`, bytes.slice(0, Math.floor(bytes.length / 2))));
      await same(written(`${kind}.arrow.gz`, gzipSync(bytes)));
    }
  });
});

/** One column of every type that DuckDB writes. */
const TYPES = `i::TINYINT AS a, (3 * i)::SMALLINT AS b, (i * i)::INTEGER AS c, i * 10000000000 + 7 AS d,
  i::HUGEINT * 100000000000000000 AS e, i::UTINYINT AS f, i::USMALLINT AS g, (i * 4000000)::UINTEGER AS h,
  (18446744073709551615 - i)::UBIGINT AS j, (i / 7)::FLOAT AS k, CASE WHEN i % 5 = 0 THEN 'nan'::DOUBLE WHEN i % 7 > 0 THEN i / 3 END AS l,
  (i / 100)::DECIMAL(5,2) AS m, (i / 7)::DECIMAL(18,4) AS n, (i * 35 / 100)::DECIMAL(38,10) AS o, CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS p,
  DATE '1960-01-01' + i::INTEGER AS q, TIME '10:00:00.123456' AS r, TIMESTAMP '1960-01-01 10:00:00.123456' + INTERVAL (i) SECOND AS s,
  (TIMESTAMP '2020-01-01 10:00:00.1234' + INTERVAL (i) SECOND)::TIMESTAMP_MS AS t, (TIMESTAMP '1960-01-01 10:00:00.123456' + INTERVAL (i) SECOND)::TIMESTAMP_NS AS u,
  TIMESTAMPTZ '2020-01-01 10:00:00+02' + INTERVAL (i) HOUR AS v, CASE WHEN i % 6 > 0 THEN 'w' || (i % 3) END AS w, i::INTEGER AS running,
  ('00000000-0000-0000-0000-00000000000' || (i % 10))::UUID AS y, 'ab'::BLOB AS z, '{"a":1}'::JSON AS aa, INTERVAL (i) DAY AS ab,
  [i] AS ac, {'p': i, 'q q': 'x'} AS ad, MAP {'k': i} AS ae, [[1]] AS af, (i % 3)::DECIMAL(5,2) AS ag, CASE WHEN i % 4 > 0 THEN i END AS ah`;

suite("Parquet", () => {
  const parquet = async (name: string, codec: string): Promise<string> => {
    const path = join(folder, name);
    const database = await (await DuckDBInstance.create(":memory:")).connect();
    await database.run(
      `COPY (SELECT ${TYPES} FROM range(100) AS of_rows(i)) TO '${path}' (FORMAT parquet, COMPRESSION '${codec}', ROW_GROUP_SIZE 40)`,
    );
    return path;
  };
  it.each(["snappy", "zstd", "gzip", "lz4_raw", "brotli", "uncompressed"])("packed by %s", async (codec) => {
    await same(await parquet(`${codec}.parquet`, codec), {}, codec === "snappy");
  });
  it("with columns that are asked to be something else", async () => {
    await same(await parquet("asked.parquet", "snappy"), {
      categorical: ["ag", "e", "j", "o", "c"],
      text: ["q", "p"],
      keep: ["running"],
    });
  });
  it("packed once more, and cut", async () => {
    const packed = gzipSync(readFileSync(await parquet("plain.parquet", "snappy")));
    await same(written("a.parquet.gz", packed));
    expect(await same(written("cut.parquet.gz", packed.subarray(0, -9)))).toEqual(
      saying("FILE is damaged or was cut short; make or copy it again."),
    );
  });
  it("cut short, or something else", async () => {
    const bytes = readFileSync(await parquet("whole.parquet", "snappy"));
    for (const part of [bytes.subarray(0, -100), bytes.subarray(0, 900), Buffer.from("PAR1")]) {
      expect(await same(written("cut.parquet", part))).toEqual(
        saying("FILE is damaged or was cut short; make or copy it again."),
      );
    }
  });
});

function hasZstd(): boolean {
  try {
    execFileSync("zstd", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
