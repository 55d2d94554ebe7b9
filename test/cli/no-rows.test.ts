/** Tables that hold nothing: every command says so of every kind of file, in the same words. */

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describe as look } from "../../src/index.js";
import { sparrowWith } from "./fake-effects.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-no-rows-"));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const files: Readonly<Record<string, readonly [content: string | Buffer, words: RegExp]>> = {
  "header.csv": ["x,g,y\n", /has a header but no rows of data\.$/],
  "unended.csv": ["x,g,y", /has a header but no rows of data\.$/],
  "marked.csv": ["\ufeffx,g,y\r\n", /has a header but no rows of data\.$/],
  "header.tsv": ["x\tg\ty\n", /has a header but no rows of data\.$/],
  "packed.csv.gz": [gzipSync("x,g,y\n"), /has a header but no rows of data\.$/],
  "blank.csv": ["\n\n \n", /has no header: its first lines \(16 at most\) are blank; remove them\.$/],
  "empty.csv": ["", /is empty\.$/],
  "empty.parquet": ["", /is empty\.$/],
  "none.json": ["[]", /is not an array of objects/],
  "blank.jsonl": ["\n\n", /has no rows of data\.$/],
  "blank.svm": ["\n \n", /has no rows of data\.$/],
};

beforeAll(async () => {
  for (const [name, [content]] of Object.entries(files)) writeFileSync(at(name), content);
  const rows = Array.from({ length: 40 }, (_, i) => [Math.sin(7 * i), i % 4, Math.cos(i)].join());
  writeFileSync(at("data.csv"), `x,g,y\n${rows.join("\n")}\n`);
  const { status } = await sparrowWith({}, [
    "fit",
    at("data.csv"),
    ...["--target", "y", "--out", at("run"), "--quiet"],
  ]);
  expect(status).toBe(0);
});

const commands: Readonly<Record<string, (path: string) => readonly string[]>> = {
  describe: (path) => ["describe", path],
  fit: (path) => ["fit", path, "--target", path.endsWith(".svm") ? "label" : "y"],
  import: (path) => [
    "import",
    path,
    ...["--target", path.endsWith(".svm") ? "label" : "y", "--out", at("data.sparrow")],
  ],
  compare: (path) => ["compare", path, "--target", path.endsWith(".svm") ? "label" : "y"],
  clusters: (path) => ["clusters", path],
  states: (path) => ["states", path],
  mixed: (path) => ["mixed", path, "--target", "y", "--group", "g"],
  predict: (path) => ["predict", at("run"), path, "--out", at("predictions.csv")],
};

const cases = Object.entries(commands).flatMap(([command, argv]) =>
  Object.keys(files)
    // Sparse columns are numbers: nothing groups them, and no run of names was fitted to them.
    .filter((name) => !(name.endsWith(".svm") && ["mixed", "predict"].includes(command)))
    .map((name) => [command, name, argv] as const),
);

test.each(cases)("%s %s", async (_, name, argv) => {
  const before = readdirSync(folder).sort();
  const { status, out, err } = await sparrowWith({}, [...argv(at(name)), "--quiet"]);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err.trim()).toMatch(files[name][1]);
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(readdirSync(folder).sort()).toEqual(before);
  expect(existsSync(at("predictions.csv"))).toBe(false);
});

test("arrays without rows are refused, too", async () => {
  await expect(look({ x: [], y: [] })).rejects.toThrow(/no rows of data/);
});
