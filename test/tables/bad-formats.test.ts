import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { Field, Float64, RecordBatch, Schema, Table, tableFromArrays, tableToIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SparrowError } from "../../src/errors.js";
import { fit } from "../../src/node.js";

// What goes wrong in CSV and LIBSVM files has its folder, test/cases/bad. The same in the formats that are not text,
// or not only: 20 rows of a, b and y, where the fourth value of a is bad.

let folder = "";
const at = (name: string) => join(folder, name);
const rows = Array.from({ length: 20 }, (_, i) => ({ a: i, b: Math.sin(i), y: Math.cos(3 * i) }));

const lines = (line: (row: (typeof rows)[0], i: number) => object | string) =>
  rows.map((row, i) => line(row, i)).map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
const json = (value: string) =>
  lines((row, i) => (i === 3 ? JSON.stringify(row).replace('"a":3', `"a":${value}`) : row)).join("\n");

const columns = (a4 = 3) => ({
  a: Float64Array.from(rows, ({ a }) => (a === 3 ? a4 : a)),
  b: Float64Array.from(rows, ({ b }) => b),
  y: Float64Array.from(rows, ({ y }) => y),
});
const arrow = (table: Table, kind: "file" | "stream" = "file") => Buffer.from(tableToIPC(table, kind));
const cut = (bytes: Buffer, share: number) => bytes.subarray(0, share * bytes.length);

function sameNames(): Table {
  const schema = new Schema(["a", "a", "y"].map((name) => new Field(name, new Float64())));
  const [{ data }] = tableFromArrays(columns()).batches;
  return new Table(schema, [new RecordBatch(schema, data as never)]);
}

const written = (select: string) => async (path: string) => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
};
/** With the value of a in the fourth row as SQL. */
const parquet = (value: string) =>
  written(
    `SELECT CASE WHEN i = 3 THEN ${value} ELSE i END AS a, sin(i) AS b, cos(3 * i) AS y FROM range(20) AS t(i)`,
  );
const whole = async () => {
  await parquet("3")(at("whole.parquet"));
  return readFileSync(at("whole.parquet"));
};

const infinite =
  'column "a" is infinite in row 4; remove or replace it, or leave the column out with --exclude a.';
const large =
  'column "a" is 1e+308, beyond what single precision holds, in row 4; remove or replace it, or leave the column out with --exclude a.';
const missing =
  'has missing values in "a" (row 4); sparrow fit can draw them along with the model (--missing impute), --missing drop leaves such rows out, --missing mean puts the column\'s mean in their place, and --exclude leaves columns out.';
const damaged = "is damaged or was cut short; make or copy it again.";
const unnamed = 'is not JSON lines: every line must be an object like {"x": 1, "y": 2}.';

type Content = string | Buffer | ((path: string) => Promise<void>);
const cases: Record<string, readonly [Content | (() => Content), string]> = {
  "infinite.parquet": [parquet("'inf'::DOUBLE"), `infinite.parquet: ${infinite}`],
  "large.parquet": [parquet("1e308"), `large.parquet: ${large}`],
  "nan.parquet": [parquet("'nan'::DOUBLE"), `nan.parquet ${missing}`],
  "null.parquet": [parquet("NULL"), `null.parquet ${missing}`],
  "lists.parquet": [
    written("SELECT [i] AS a, sin(i) AS y FROM range(20) AS t(i)"),
    'lists.parquet: column "a" holds values of type bigint[], not numbers; leave it out with --exclude a.',
  ],
  "footless.parquet": [
    async (path) => writeFileSync(path, (await whole()).subarray(0, -9)),
    `footless.parquet ${damaged}`,
  ],
  "no-rows.parquet": [
    written("SELECT 1.0 AS a, 2.0 AS y WHERE false"),
    "no-rows.parquet has a header but no rows of data.",
  ],
  "no-rows.arrow": [
    arrow(tableFromArrays({ a: new Float64Array(0), y: new Float64Array(0) })),
    "no-rows.arrow has a header but no rows of data.",
  ],
  "infinite.jsonl": [json("1e999"), `infinite.jsonl: ${infinite}`],
  "large.jsonl": [json("1e308"), `large.jsonl: ${large}`],
  "nan.jsonl": [json("NaN"), `nan.jsonl ${missing}`],
  "null.jsonl": [json("null"), `null.jsonl ${missing}`],
  "cut.jsonl": [
    lines((row) => row)
      .join("\n")
      .slice(0, -15),
    "cut.jsonl holds malformed JSON in line 20; correct the line.",
  ],
  "numbers.jsonl": ["1\n2\n3\n", `numbers.jsonl ${unnamed}`],
  "blank.jsonl": ["\n\n", "blank.jsonl has no rows of data."],
  "twice.jsonl": [
    lines((row) => JSON.stringify(row).replace('"b"', '"a"')).join("\n"),
    'twice.jsonl, line 1, has two columns called "a"; give every column a name of its own.',
  ],
  "late.jsonl": [
    () =>
      Array.from({ length: 50_000 }, (_, i) => `{"a":${i === 40_000 ? '"oops"' : i},"y":${i % 7}}`).join(
        "\n",
      ),
    'late.jsonl: column "a" holds "oops" in row 40001, where 49999 of 50000 cells are numbers; correct it, or use --na oops if that means a missing value, --text a if all of them are words, or leave the column out with --exclude a.',
  ],
  "infinite.arrow": [
    arrow(tableFromArrays(columns(Number.POSITIVE_INFINITY))),
    `infinite.arrow: ${infinite}`,
  ],
  "large.arrow": [arrow(tableFromArrays(columns(1e308))), `large.arrow: ${large}`],
  "nan.arrow": [arrow(tableFromArrays(columns(Number.NaN))), `nan.arrow ${missing}`],
  "half.arrow": [cut(arrow(tableFromArrays(columns())), 0.5), `half.arrow ${damaged}`],
  "footless.arrow": [cut(arrow(tableFromArrays(columns())), 0.99), `footless.arrow ${damaged}`],
  "half-stream.arrow": [
    cut(arrow(tableFromArrays(columns()), "stream"), 0.7),
    `half-stream.arrow ${damaged}`,
  ],
  "other.arrow": ["hello, this is no Arrow file at all", `other.arrow ${damaged}`],
  "twice.arrow": [
    arrow(sameNames()),
    'twice.arrow has two columns called "a"; give every column a name of its own.',
  ],
  "empty.svm": ["\n# nothing\n", "empty.svm has no rows of data."],
  "infinite.svm": [
    "1 1:2\n0 1:inf\n1 2:3\n",
    "infinite.svm: in line 2 index 1 has the value inf, which is not a number that single precision holds; correct the line.",
  ],
  "nan-label.svm": [
    "1 1:2\nnan 2:1\n1 2:3\n",
    'nan-label.svm: in line 2 the label "nan" is not a number; correct the line.',
  ],
  "huge-index.svm": [
    "1 1:2\n0 99999999999:1\n1 2:3\n",
    'huge-index.svm: in line 2 "99999999999:1" is not of the form index:value; correct the line.',
  ],
};
describe("a bad file", () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "sparrow-formats-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const [name, [content, message]] of Object.entries(cases)) {
    it(`${name}: ${message}`, async () => {
      const given = typeof content === "function" ? await content(at(name)) : content;
      if (given !== undefined) writeFileSync(at(name), given as string | Buffer);
      const sparse = name.endsWith(".svm");
      const options = { target: sparse ? "label" : "y", threads: 1 } as const;
      const failure = fit(at(name), sparse ? options : { ...options, missing: "error" }).then(
        () => "(it gave an answer)",
        (error: SparrowError) => `${error.name}: ${error.commandLine.replaceAll(`${folder}/`, "")}`,
      );
      expect(await failure).toBe(`SparrowError: ${message}`);
    });
  }

  describe("that fails late, when most of it has been handed over, gives no answer", () => {
    // DuckDB ends a stream that failed as if it were exhausted.
    const [rows, late] = [1_300_000, 1_200_000];
    const pieces = (row: (i: number) => string) =>
      Array.from({ length: rows / 50_000 }, (_, k) =>
        Array.from({ length: 50_000 }, (__, i) => `${row(50_000 * k + i)}\n`).join(""),
      ).join("");
    const said = async (name: string) => {
      const options = { target: "y", threads: 1, missing: "error" } as const;
      return fit(at(name), options).then(
        () => "(it gave an answer)",
        (error: SparrowError) => error.commandLine.replaceAll(`${folder}/`, ""),
      );
    };

    it("text among the numbers of a CSV file", async () => {
      const value = (i: number) => (i === late ? "oops" : i % 1000);
      writeFileSync(at("text.csv"), `a,y\n${pieces((i) => `${value(i)},${i % 7}`)}`);
      expect(await said("text.csv")).toBe(
        'text.csv: column "a" holds "oops" in row 1200001, where 1299999 of 1300000 cells are numbers; correct it, or use --na oops if that means a missing value, --text a if all of them are words, or leave the column out with --exclude a.',
      );
    });

    it("a row of a CSV file that is too short", async () => {
      writeFileSync(at("short.csv"), `a,y\n${pieces((i) => (i === late ? "1" : `${i % 1000},${i % 7}`))}`);
      expect(await said("short.csv")).toBe(
        "short.csv has 1 value in row 1200001 but 2 columns; every row needs a value for every column.",
      );
    });

    it("a broken line of JSON", async () => {
      writeFileSync(
        at("broken.jsonl"),
        pieces((i) => (i === late ? '{"a":1,' : `{"a":${i % 1000},"y":${i % 7}}`)),
      );
      expect(await said("broken.jsonl")).toMatch(
        /^broken.jsonl holds malformed JSON in line 1200001; correct the line\.$/,
      );
    });

    it("a damaged page of Parquet", async () => {
      await written(
        "SELECT hash(i)::DOUBLE / 1e19 AS a, (hash(i + 1) % 1000)::DOUBLE AS y FROM range(1000000) AS t(i)",
      )(at("page.parquet"));
      const bytes = readFileSync(at("page.parquet"));
      const place = Math.floor(0.9 * bytes.length);
      bytes.fill(0xff, place, place + 4000);
      writeFileSync(at("page.parquet"), bytes);
      expect(await said("page.parquet")).toBe(
        "page.parquet is damaged or was cut short; make or copy it again.",
      );
    });
  });
});
