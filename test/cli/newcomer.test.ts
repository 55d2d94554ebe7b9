/** What people who had never seen the program stumbled over. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Effects } from "../../src/cli/effects.js";
import { progressLine } from "../../src/cli/progress.js";
import { commands } from "../../src/cli/run.js";
import { fit } from "../../src/index.js";
import { sparrowWith } from "./fake-effects.js";

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-newcomer-"));
  const rows = Array.from({ length: 40 }, (_, i) => {
    const [a, b] = [Math.sin(7 * i), Math.cos(3 * i * i)];
    return [
      a,
      b,
      ["x", "y", "z"][i % 3],
      Math.round(Math.exp(1 + b)),
      a > 0 ? "yes" : "no",
      2 * a + 0.1 * b,
      5,
    ];
  });
  const header = '"a, in m",b,kind,count,agreed,y,same';
  writeFileSync(at("data.csv"), `${header}\n${rows.map((row) => row.join(",")).join("\n")}\n`);
  writeFileSync(at("empty.csv"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sparrow = (argv: readonly string[], more: Partial<Effects> = {}) => sparrowWith(more, argv);

describe("the help", () => {
  test.each(["--help", ...commands.map(({ name }) => name)])("of %s fits into 100 columns", async (name) => {
    const { out } = await sparrow(name === "--help" ? [name] : [name, "--help"]);
    for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  });
});

describe("an analyst", () => {
  test("may name a column with a comma, in double quotes", async () => {
    const { status, out } = await sparrow([
      "fit",
      at("data.csv"),
      "--target",
      "y",
      "--exclude",
      '"a, in m",kind',
      "--json",
    ]);
    expect(status).toBe(0);
    const names = JSON.parse(out).variables.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(["agreed", "b", "count"]);
  });

  test("reads each note on the data once", async () => {
    const { out } = await sparrow(["fit", at("data.csv"), "--target", "y"]);
    expect(out.split('"same" has the same value in every row').length).toBe(2);
  });

  test("is told which of two values the probability is of, and that counts could be counts", async () => {
    const notes = async (target: string) =>
      JSON.parse((await sparrow(["fit", at("data.csv"), "--target", target, "--json"])).out).notes.join(" ");
    expect(await notes("agreed")).toMatch(/the probability of true \(or yes\)/);
    expect(await notes("count")).toMatch(/--family poisson/);
  });

  test("is told that a search was not needed, where settings of one were given", async () => {
    const { out } = await sparrow([
      "fit",
      at("data.csv"),
      "--target",
      "y",
      "--iterations",
      "50",
      "--step-size",
      "1",
    ]);
    expect(out.replaceAll("\n", " ")).toMatch(
      /without a search, so --iterations, --step-size changed nothing/,
    );
  });
});

describe("an option that would change nothing is refused", () => {
  test.each<[string[], RegExp]>([
    [["fit", "data.csv", "--target", "y", "--g", "10"], /--g is of the zellner prior/],
    [
      ["fit", "data.csv", "--target", "y", "--slab", "zellner", "--slab-variance", "2"],
      /--slab-variance has no/,
    ],
    [["fit", "data.csv", "--target", "y", "--prior-c0", "10"], /--prior-c0 is of the paper's settings/],
    [["fit", "data.csv", "--target", "y", "--preset", "paper", "--fdr", "0.1"], /--fdr has no meaning/],
    [
      ["simulate", "linear", "--rows", "9", "--columns", "9", "--users", "9", "--out", "x.csv"],
      /--users has no meaning for linear/,
    ],
    [["simulate", "ratings", "--rows", "9", "--out", "x"], /--rows has no meaning for ratings/],
    [["reproduce", "table1", "--seed", "3"], /--seed has no meaning for table1/],
    [["reproduce", "figure-s1", "--datasets", "3"], /--datasets has no meaning for figure-s1/],
  ])("%s", async (argv, words) => {
    const { status, err } = await sparrow(argv.map((word) => (word === "data.csv" ? at(word) : word)));
    expect(err).toMatch(words);
    expect(status).toBe(2);
  });
});

describe("files", () => {
  test.each<[string, string[], RegExp]>([
    [
      "an ending that tells no format",
      ["simulate", "linear", "--rows", "9", "--columns", "9", "--out", "x.txt"],
      /x\.txt must end in \.csv, \.parquet or \.sparrow/,
    ],
    [
      "a folder that is not there",
      ["simulate", "linear", "--rows", "9", "--columns", "9", "--out", "no/x.csv"],
      /its folder does not exist/,
    ],
    [
      "a folder for ratings that is not there",
      ["simulate", "ratings", "--users", "9", "--out", "no/x"],
      /its folder does not exist/,
    ],
    [
      "an empty file for mixed",
      ["mixed", "empty.csv", "--target", "y", "--group", "g"],
      /empty\.csv is empty/,
    ],
    [
      "a folder of all sorts for mixed",
      ["mixed", ".", "--target", "y", "--group", "g"],
      /all files must be of one kind|does not have the same columns|is empty/,
    ],
    [
      "a size that is none",
      ["mixed", "data.csv", "--target", "y", "--group", "kind", "--memory", "lots"],
      /--memory must be a size/,
    ],
  ])("%s: one sentence, and nothing is left behind", async (_, argv, words) => {
    const before = readdirSync(folder);
    const isPath = (i: number) => argv[i - 1] === "--out" || (argv[0] === "mixed" && i === 1);
    const { err, out } = await sparrow(argv.map((word, i) => (isPath(i) ? at(word) : word)));
    expect(err).toMatch(words);
    expect(err).toMatch(/^sparrow: .*\.\n$/);
    expect(out).toBe("");
    expect(readdirSync(folder)).toEqual(before);
  });

  test("Ctrl-C is heard while simulated data are written, and no part of them stays", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 0);
    const simulate = ["simulate", "linear", "--rows", "100000", "--columns", "50", "--out", at("cut.csv")];
    expect((await sparrow(simulate, { signal: stop.signal })).status).toBe(1);
    expect(existsSync(at("cut.csv"))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes("cut"))).toEqual([]);
  });

  test("a run of mixed has its page, and report writes the same one", async () => {
    const mixed = [
      "mixed",
      at("data.csv"),
      "--target",
      "y",
      "--group",
      "kind",
      "--fixed",
      "b",
      "--iterations",
      "200",
    ];
    expect((await sparrow([...mixed, "--out", at("groups")])).status).toBe(0);
    const page = readFileSync(at("groups/report.html"), "utf8");
    expect(page).toMatch(/<html/);
    expect((await sparrow(["report", at("groups"), "--out", at("again.html")])).status).toBe(0);
    expect(readFileSync(at("again.html"), "utf8")).toBe(page);
  });
});

test("mixed leaves out the words yes and no among the columns that it takes by itself, and says so", async () => {
  const { status, err } = await sparrow([
    "mixed",
    at("data.csv"),
    "--target",
    "y",
    "--group",
    "kind",
    "--iterations",
    "200",
  ]);
  expect(err).toMatch(/Not columns of numbers, so left out: "agreed"/);
  // What stops it is the column that is the same in every row, by name.
  expect(err).toMatch(/Column "same" has the same value in every row/);
  expect(status).toBe(1);
});

test("progress of a stage without a known end is the time it has taken", () => {
  expect(progressLine({ stage: "polish", done: 7, total: 0 }, 12.3, 80)).toBe("Polishing  13s");
});

test("progress never wraps: what wraps could not be redrawn", () => {
  const progress = { stage: "search", done: 123_456, total: 1_000_000 } as const;
  for (const width of [10, 30, 50, 80, 200])
    expect(progressLine(progress, 7, width).length).toBeLessThan(width);
});

describe("an engineer who calls fit wrongly reads a sentence", () => {
  const columns = { x: [1, 2, 4, 3, 5, 6], y: [1, 2, 3, 5, 4, 6] };
  const wrong = fit as (data: unknown, options?: unknown) => Promise<unknown>;
  test.each<[string, unknown, unknown, RegExp]>([
    ["no options", columns, undefined, /^target is missing/],
    ["no target", columns, {}, /^target is missing/],
    [
      "a misspelt option",
      columns,
      { target: "y", itterations: 5 },
      /no option itterations; did you mean iterations\?/,
    ],
    [
      "a choice that does not exist",
      columns,
      { target: "y", modelPrior: "flat" },
      /^modelPrior must be one of/,
    ],
    ["a text for a list", columns, { target: "y", exclude: "x" }, /^exclude must be a list/],
    ["rows that are none", [1, 2], { target: "y" }, /row 1 is not an object like/],
    ["a path", "data.csv", { target: "y" }, /an array for each column/],
    ["a number for a column", { x: 3, y: [1, 2] }, { target: "y" }, /Column "x" must be an array/],
    [
      "big integers",
      { x: BigInt64Array.of(1n, 2n), y: [1, 2] },
      { target: "y" },
      /Column "x" must be an array/,
    ],
  ])("%s", async (_, data, options, words) => {
    await expect(wrong(data, options)).rejects.toThrow(words);
    await expect(wrong(data, options)).rejects.toHaveProperty("name", "SparrowError");
  });
});

describe("a wrong file", () => {
  test("of another kind under the name of a text is said to be one", async () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 31 + 137 * i) % 251);
    writeFileSync(at("picture.csv"), Buffer.concat([Buffer.from([0x89, 0x50, 0, 0xff]), bytes]));
    for (const command of [
      ["fit", at("picture.csv"), "--target", "y"],
      ["describe", at("picture.csv")],
    ]) {
      const { status, err } = await sparrow(command);
      expect(err).toBe(
        `sparrow: ${at("picture.csv")} is no text file; give it the ending of what it is (.xlsx, .parquet), or save it as text.\n`,
      );
      expect(status).toBe(1);
    }
  });

  test("with a row too short is told in words that fit the numbers", async () => {
    writeFileSync(at("short.csv"), "a,b\n1,2\n3\n4,5\n");
    const { err } = await sparrow(["fit", at("short.csv"), "--target", "b"]);
    expect(err).toBe(
      `sparrow: ${at("short.csv")} has 1 value in row 2 but 2 columns; every row needs a value for every column.\n`,
    );
  });

  test("in the place of a run folder is no run folder", async () => {
    for (const command of [
      ["report", at("data.csv")],
      ["predict", at("data.csv"), at("data.csv")],
    ]) {
      const { status, err } = await sparrow(command);
      expect(err).toMatch(
        /^sparrow: \S+data\.csv is not a run folder: it has no manifest\.json, [^\n]*\.\n$/,
      );
      expect(status).toBe(1);
    }
  });
});
