import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sparrow } from "../cli/fake-effects.js";
import { read } from "./blocks.js";

const page = read("docs/run-folder.md");
/** What stands in the first column of the table under these words. */
function firstColumn(head: string): string[] {
  const [, table] = new RegExp(`\\| ${head} \\|[^\\n]*\\n\\|[^\\n]*\\n((?:\\|[^\\n]*\\n)+)`).exec(page)!;
  return table
    .trimEnd()
    .split("\n")
    .flatMap((line) => line.split("|")[1].match(/(?<=`)[\w.]+(?=`)/g) ?? []);
}

let folder: string;
const runs = ["exact", "classes", "paper", "asked"];
const model = (run: string) => JSON.parse(readFileSync(join(folder, run, "model.json"), "utf8"));

/** One column has holes, and the target is a number or a class; the paper's settings search. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-run-folder-"));
  const rows = Array.from({ length: 60 }, (_, i) => {
    const x = Math.sin(1 + 7 * i);
    const y = x + Math.sin(3 + 11 * i * i);
    return { x, hole: i % 9 === 0 ? "" : Math.cos(5 * i), y, class: y > 0 ? "yes" : "no" };
  });
  const lines = [Object.keys(rows[0]), ...rows.map((row) => Object.values(row))];
  const data = join(folder, "data.csv");
  writeFileSync(data, `${lines.map((line) => line.join(",")).join("\n")}\n`);
  for (const [run, words] of [
    ["exact", "--target y --exclude class,hole"],
    ["classes", "--target class --exclude y --iterations 40"],
    ["paper", "--target y --exclude class,hole --preset paper --batch 20 --iterations 200"],
  ]) {
    const { status, err } = await sparrow("fit", data, ...words.split(" "), "--out", join(folder, run));
    expect(status, err).toBe(0);
  }
  const draws = [
    "fit",
    join(folder, "exact/draws.parquet"),
    "--target",
    "sigma2",
    "--columns",
    "intercept,b_x",
  ];
  const asked = await sparrow(...draws, "--engine", "duckdb", "--out", join(folder, "asked"));
  expect(asked.status, asked.err).toBe(0);
  expect((await sparrow("report", join(folder, "exact"))).status).toBe(0);
  const mixed = ["mixed", data, "--target", "y", "--group", "class", "--fixed", "x", "--iterations", "100"];
  expect((await sparrow(...mixed, "--out", join(folder, "mixed"))).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("docs/run-folder.md", () => {
  it("lists the files that runs write, and no other", () => {
    const written = runs.flatMap((run) => readdirSync(join(folder, run)));
    expect([...new Set(written)].sort()).toEqual(firstColumn("file").sort());
  });

  it("lists the fields of model.json, and no other", () => {
    const fields = runs.flatMap((run) => Object.keys(model(run)));
    expect([...new Set(fields)].sort()).toEqual(firstColumn("field").sort());
  });

  it("lists the files of the run of a mixed model, and the fields of its model.json", () => {
    expect(firstColumn("file of a mixed model").sort()).toEqual(readdirSync(join(folder, "mixed")).sort());
    expect(firstColumn("field of a mixed model").sort()).toEqual(Object.keys(model("mixed")).sort());
    const nested = ["fixed", "random", "groups"].flatMap((part) => Object.keys(model("mixed")[part]));
    expect(nested.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it("names the fields of a model", () => {
    const [, sentence] = /\nA model has ([\s\S]*?)\. /.exec(page)!;
    const named = sentence.match(/(?<=`)\w+(?=`)/g)!.filter((name) => name !== "variables");
    const fields = runs.flatMap((run) => model(run).average.flatMap((each: object) => Object.keys(each)));
    expect([...new Set(fields)].sort()).toEqual([...new Set(named)].sort());
  });
});
