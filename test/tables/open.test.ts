import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fit, open } from "../../src/node.js";
import { open as openPlain } from "../../src/tables/open.js";
import type { Reader } from "../../src/tables/reader.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { readers } from "../../src/tables/readers/register.js";
import type { ColumnTable } from "../../src/tables/table.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-open-"));
const at = (...names: string[]) => join(folder, ...names);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(at("a.csv"), "x,y\n1,2\n3,5\n4,4\n");
mkdirSync(at("nothing"));
symlinkSync("loop", at("loop"));

it("takes a reader for a new kind of source as one more entry of the register", async () => {
  /** One number a line: the square of the line before it. */
  const squares: Reader = {
    name: "squares",
    endings: ["sq"],
    matches: (source) => !source.isFolder && source.start().startsWith("#squares"),
    async open([path], { name }) {
      const x = readFileSync(path, "utf8").trim().split("\n").slice(1).map(Number);
      return arrayTable({ x, y: x.map((value) => value * value) }, name);
    },
  };
  writeFileSync(at("named.sq"), "#squares\n1\n2\n3\n");
  writeFileSync(at("unnamed"), "#squares\n1\n2\n3\n");
  for (const name of ["named.sq", "unnamed"]) {
    const table = (await openPlain(at(name), { readers: [squares, ...readers] })) as ColumnTable;
    expect(table.name).toBe(at(name));
    for await (const { columns } of table.chunks([1])) expect(Array.from(columns[0])).toEqual([1, 4, 9]);
  }
});

it.each([
  [
    "https://example.org/data.csv",
    /^https:\/\/example.org\/data.csv is an address; fetch what is there/,
    "file",
  ],
  [`${at("a.csv")},s3://bucket/b.parquet`, /^s3:\/\/bucket\/b.parquet is an address/, "file"],
  [at("none.csv"), /^There is no file .*none.csv; check the path\.$/, "file"],
  [at("a.csv", "b.csv"), /^There is no file .*b.csv; check the path\.$/, "file"],
  [at("loop"), /^There is no file .*loop; check the path\.$/, "file"],
  ["x".repeat(5000), /^There is no file x+; check the path\.$/, "file"],
  ["[".repeat(5000), /^No file matches \[+; check the pattern\.$/, "file"],
  [at("nothing"), /nothing is a folder without any data that can be read; name a file\.$/, "file"],
] as const)("says of %s what is wrong with it", async (data, message, code) => {
  await expect(open(data)).rejects.toMatchObject({ message: expect.stringMatching(message), code });
});

it("asks for a target where the source knows none, and takes that of the source where it does", async () => {
  await expect(fit(at("a.csv"))).rejects.toMatchObject({
    code: "option",
    commandLine:
      '--target is missing: the column to explain. The columns are "x", "y"; perhaps --target y? The command describe shows what they hold.',
  });
  const rows = Array.from({ length: 20 }, (_, i) => `${i % 5} 1:${i} 2:${(i * 7) % 11}\n`);
  writeFileSync(at("a.svm"), rows.join(""));
  expect((await fit(at("a.svm"), { threads: 1 })).target).toBe("label");
  await expect(fit(at("a.svm"), { target: "2", threads: 1 })).rejects.toThrow(
    `The target of ${at("a.svm")} is "label", not "2".`,
  );
});

it("reads records as rows, in which what is left out is missing", async () => {
  const table = (await open([{ x: 1, kind: "a" }, { kind: "b", late: true }, { x: 3 }])) as ColumnTable;
  expect(table.columns.map(({ name, kind }) => [name, kind])).toEqual([
    ["x", "number"],
    ["kind", "text"],
    ["late", "boolean"],
  ]);
  const read: number[][] = [];
  for await (const { columns } of table.chunks([0, 1, 2]))
    read.push(...columns.map((values) => [...Array.from(values)]));
  expect(read).toEqual([
    [1, Number.NaN, 3],
    [0, 1, Number.NaN],
    [Number.NaN, 1, Number.NaN],
  ]);
  await expect(open([[1, 2] as never])).rejects.toThrow(
    "the data: row 1 is not an object like { x: 1, y: 2 }",
  );
});

it("takes a folder with MovieLens for a table that knows its target and its groups, in the order of the file", async () => {
  mkdirSync(at("films"));
  writeFileSync(at("films/movies.csv"), "movieId,title,genres\n1,One,Comedy\n2,Two,Drama|Action\n");
  const ratings = ["7,2,4.0,30", "5,1,2.0,20", "7,1,5.0,10", "5,2,1.0,40"];
  writeFileSync(at("films/ratings.csv"), `userId,movieId,rating,timestamp\n${ratings.join("\n")}\n`);
  const table = (await open(at("films"))) as ColumnTable;
  expect(table).toMatchObject({ by: "columns", target: "rating", group: "userId" });
  const names = ["userId", "children", "comedy", "drama", "popularity", "previous", "rating"];
  expect(table.columns.map(({ name }) => name)).toEqual(names);
  const rows: number[][] = [];
  for await (const chunk of table.chunks(names.map((_, c) => c))) {
    for (let i = 0; i < chunk.rows; i++)
      rows.push(chunk.columns.map((values) => Number(values[i].toFixed(12))));
  }
  table.close?.();
  expect(rows).toEqual([
    [7, -0.5, -0.5, 0, 0, 1, 4],
    [5, 0, 1, 0, Number(Math.log(3).toFixed(12)), 0, 2],
    [7, 0, 1, 0, 0, 0, 5],
    [5, -0.5, -0.5, 0, Number(Math.log(3).toFixed(12)), 0, 1],
  ]);
});

it("separators in quoted names do not separate, however many they are", async () => {
  const names = ["p;-1", "q;é;", "r;{;"];
  const quoted = names.map((name) => `"${name}"`);
  for (const [file, delimiter] of [
    ["quoted.csv", ","],
    ["bars.csv", "|"],
  ]) {
    writeFileSync(at(file), [quoted, [1, 2, 3], [4, 5, 7]].map((row) => row.join(delimiter)).join("\n"));
    const table = (await open(at(file))) as ColumnTable;
    expect(table.columns.map(({ name }) => name)).toEqual(names);
    table.close?.();
  }
});
