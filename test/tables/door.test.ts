import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { Bool, DateDay, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { compare, fit, importFiles, mixed, predict, run } from "../../src/node.js";
import type { Predictor } from "../../src/prediction/predictor.js";
import type { Data } from "../../src/tables/open.js";

// Every kind of source through every command: each must give the answer of the plain CSV file of the same data. The
// numbers are short binary fractions, which single precision holds, so that stores need no tolerance.

const folder = mkdtempSync(join(tmpdir(), "sparrow-door-"));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = 240;
const GROUPS = 12;
const short = (x: number) => Math.round(64 * x) / 64;

/** Columns by number, as LIBSVM has them; the second is mostly zero, the third says which group. */
function numbered(): Record<string, number[]> {
  const rng = Rng.seeded(31);
  const columns: Record<string, number[]> = { 1: [], 2: [], 3: [], label: [] };
  for (let i = 0; i < ROWS; i++) {
    const [x, z] = [short(normal(rng)), rng.uniform() < 0.3 ? short(1 + rng.uniform()) : 0];
    const group = 1 + (i % GROUPS);
    columns[1].push(x);
    columns[2].push(z);
    columns[3].push(group);
    columns.label.push(short(1 + x * (1 + 0.1 * (group % 3)) - 0.7 * z + 0.2 * group + 0.5 * normal(rng)));
  }
  return columns;
}

/** A text, a boolean, a date, a number, and groups called by words. */
function worded(): Record<string, (string | number | boolean | Date)[]> {
  const rng = Rng.seeded(32);
  const columns: Record<string, (string | number | boolean | Date)[]> = {
    ...{ region: [], open: [], day: [], x: [], who: [], y: [] },
  };
  for (let i = 0; i < ROWS; i++) {
    const region = ["north", "south", "south", "west"][rng.below(4)];
    const [open, day, x] = [rng.uniform() < 0.4, rng.below(60), short(normal(rng))];
    const group = rng.below(GROUPS);
    columns.region.push(region);
    columns.open.push(open);
    columns.day.push(new Date(Date.UTC(2024, 0, 1 + day)));
    columns.x.push(x);
    columns.who.push(`w${group}`);
    const effect = (region === "west" ? 1 : 0) - (open ? 0.5 : 0) + day / 64 + x + 0.3 * (group % 4);
    columns.y.push(short(effect + 0.5 * normal(rng)));
  }
  return columns;
}

type Columns = Record<string, readonly (string | number | boolean | Date)[]>;
const written = (value: string | number | boolean | Date) =>
  value instanceof Date ? value.toISOString().slice(0, 10) : value;
const lines = (columns: Columns, separator: string, from = 0, to = ROWS): string => {
  const names = Object.keys(columns);
  const rows = Array.from({ length: to - from }, (_, i) =>
    names.map((name) => written(columns[name][from + i])),
  );
  return [names, ...rows].map((row) => `${row.join(separator)}\n`).join("");
};
const records = (columns: Columns) =>
  Array.from({ length: ROWS }, (_, i) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]])),
  );
const json = (columns: Columns) =>
  records(columns)
    .map((record) => `${JSON.stringify(record, (_, v) => (typeof v === "string" ? v.slice(0, 10) : v))}\n`)
    .join("");
const arrow = (columns: Columns) => {
  const vectors = Object.entries(columns).map(([name, values]) => {
    const type =
      typeof values[0] === "string"
        ? new Utf8()
        : typeof values[0] === "boolean"
          ? new Bool()
          : values[0] instanceof Date && new DateDay();
    return [name, type ? vectorFromArray(values, type as Utf8) : vectorFromArray(values as number[])];
  });
  return Buffer.from(tableToIPC(new Table(Object.fromEntries(vectors)), "file"));
};

/** The same data in all the ways in which they can be named. `-` stands for what comes through standard input. */
function sources(columns: Columns, kind: string): Record<string, Data> {
  const name = (ending: string) => at(`${kind}${ending}`);
  mkdirSync(name("-parts"));
  writeFileSync(name(".csv"), lines(columns, ","));
  writeFileSync(name(""), lines(columns, ","));
  writeFileSync(name(".tab"), lines(columns, "\t"));
  writeFileSync(name(".csv.gz"), gzipSync(readFileSync(name(".csv"))));
  writeFileSync(name(".ndjson"), json(columns));
  writeFileSync(name(".arrow"), arrow(columns));
  const parts = [0, 1, 2].map((part) => join(name("-parts"), `part${part}.csv`));
  parts.forEach((path, part) => {
    writeFileSync(path, lines(columns, ",", 80 * part, 80 * (part + 1)));
  });
  return {
    "a file without an ending": name(""),
    ".tab": name(".tab"),
    ".csv.gz": name(".csv.gz"),
    ".csv.zst": name(".csv.zst"),
    ".ndjson": name(".ndjson"),
    ".parquet": name(".parquet"),
    ".arrow": name(".arrow"),
    "a pattern": join(name("-parts"), "part?.csv"),
    "a list with commas": parts.join(", "),
    "a list": parts,
    "standard input": `-${name(".csv")}`,
    "packed standard input": `-${name(".csv.gz")}`,
    "a store": name(".sparrow"),
    "a store through standard input": `-${name(".sparrow")}`,
    arrays: columns,
    records: records(columns),
  };
}

const numbers = numbered();
const words = worded();
const ofNumbers: Record<string, Data> = {
  ...sources(numbers, "numbers"),
  LIBSVM: at("numbers.svm"),
  "LIBSVM through standard input": `-${at("numbers.svm")}`,
  "a store of LIBSVM": at("entries.sparrow"),
};
const {
  ".tab": _,
  "a list with commas": __,
  "packed standard input": ___,
  ...ofWords
} = sources(words, "words");

beforeAll(async () => {
  const line = (i: number) =>
    [1, 2, 3].flatMap((j) => (numbers[j][i] === 0 ? [] : [`${j}:${numbers[j][i]}`])).join(" ");
  const rows = numbers.label.map((y, i) => `${y} ${line(i)}\n`);
  writeFileSync(at("numbers.svm"), rows.join(""));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const kind of ["numbers", "words"]) {
    const from = `COPY (FROM read_csv('${at(kind)}.csv')) TO '${at(kind)}`;
    await connection.run(`${from}.csv.zst' (FORMAT csv, HEADER, COMPRESSION zstd)`);
    await connection.run(`${from}.parquet' (FORMAT parquet)`);
  }
  connection.closeSync();
  await importFiles(at("numbers.csv"), at("numbers.sparrow"), { target: "label", seed: 7 });
  await importFiles(at("words.csv"), at("words.sparrow"), { target: "y", seed: 7 });
  await importFiles(at("numbers.svm"), at("entries.sparrow"), { seed: 7 });
});

/** Does something to a source, with standard input in its place where that is the source. */
async function through<T>(source: Data, command: (data: never) => Promise<T>): Promise<T> {
  if (typeof source !== "string" || !source.startsWith("-")) return command(source as never);
  const own = Object.getOwnPropertyDescriptor(process, "stdin")!;
  Object.defineProperty(process, "stdin", { configurable: true, value: createReadStream(source.slice(1)) });
  try {
    return await command("-" as never);
  } finally {
    Object.defineProperty(process, "stdin", own);
  }
}

const untimed = <T extends object>(result: T) =>
  JSON.parse(
    JSON.stringify(result, (key, value) => (/^(timing|seconds|memory)$/.test(key) ? undefined : value)),
  );

/** What every command makes of a source: all but the time it took. */
function commands(plain: string, target: string, group: string, fixed: readonly string[]) {
  let predictor: Promise<Predictor> | undefined;
  return {
    async fit(source: Data) {
      const { variables, modelSize, intercept } = await through(source, (data) =>
        fit(data, { target, seed: 7, threads: 1 }),
      );
      return untimed({ variables, modelSize, intercept });
    },
    async mixed(source: Data) {
      const options = { target, group, fixed, random: fixed.slice(0, 1), iterations: 60 };
      const { result, effects } = await through(source, (data) => mixed(data, options));
      return untimed({ ...result, groupNames: effects().groups });
    },
    async compare(source: Data) {
      return untimed(
        await through(source, (data) =>
          compare(data, { target, methods: ["lasso"], holdout: 0, threads: 1 }),
        ),
      );
    },
    async predict(source: Data) {
      predictor ??= run(plain, { target, threads: 1 }).then(({ details }) => details.predictor());
      const known = await predictor;
      const { mean, meanLower, median, scores } = await through(source, (data) => predict(known, data));
      return untimed({ mean: [...mean], lower: [...meanLower], median: [...median], scores });
    },
  };
}

const [plainNumbers, plainWords] = [at("numbers.csv"), at("words.csv")];

describe.each([
  ["numbers", plainNumbers, ofNumbers, commands(plainNumbers, "label", "3", ["1", "2"])],
  ["words", plainWords, ofWords, commands(plainWords, "y", "who", ["region", "open", "day", "x"])],
] as const)("%s", (_, plain, all, todo) => {
  describe.each(Object.keys(todo) as (keyof typeof todo)[])("%s", (command) => {
    let expected: unknown;
    beforeAll(async () => {
      expected = await todo[command](plain);
    });

    it.each(Object.keys(all))("reads %s as it reads the plain file", async (name) => {
      expect(await todo[command](all[name])).toEqual(expected);
      expect(JSON.stringify(expected)).not.toMatch(/"failure"|:null/);
    });
  });
});

it("names categories as fit does, against the most frequent", async () => {
  const { result } = await mixed(at("words.csv"), {
    ...{ target: "y", group: "who", fixed: ["region", "open"], random: ["region"], iterations: 60 },
  });
  const names = ["(intercept)", "region=north", "region=west"];
  expect(result.fixed.map(({ name }) => name)).toEqual([...names, "open"]);
  expect(result.random.names).toEqual(names);
  expect(result.notes).toEqual(['"region" is text with 3 values: compared with "south", the most frequent.']);
});
