import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { database } from "../../src/tables/duckdb/database.js";
import { type NarrowFiles, narrowFiles } from "../../src/tables/parquet/narrow-files.js";
import { readParquet } from "../../src/tables/readers/parquet.js";

const SOME = { beyond: 20, columns: 7 };
let folder: string;
let asked: (sql: string) => Promise<string>;
let close: () => void;
const at = (name: string) => join(folder, name);

/** Thirty columns and a few of every kind that has more than one part, or holes; two row groups. */
const numbers = (order: readonly number[]) => order.map((j) => `i * 100 + ${j} AS n${j}`).join(", ");
const ALL = Array.from({ length: 30 }, (_, j) => j);
const others = `CASE WHEN i % 3 = 0 THEN NULL ELSE 'word ' || (i % 5) END AS word, {'a': i, 'b': [i, i + 1]} AS nested,
  [i, NULL] AS list, (i / 7)::DECIMAL(12, 3) AS exact, DATE '2020-01-01' + (i % 900)::INTEGER AS day,
  CASE WHEN i % 2 = 0 THEN NULL ELSE sin(i) END AS holes`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "narrow-"));
  const opened = await database();
  asked = async (sql) => {
    const rows = (await opened.connection.runAndReadAll(sql)).getRows();
    return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
  };
  close = opened.close;
  const from = "FROM range(2100) AS t(i)";
  for (const codec of ["zstd", "snappy"]) {
    const how = `(FORMAT parquet, ROW_GROUP_SIZE 2048, COMPRESSION ${codec})`;
    await asked(`COPY (SELECT ${numbers(ALL)}, ${others} ${from}) TO '${at(`${codec}.parquet`)}' ${how}`);
  }
  const turned = `SELECT ${others}, ${numbers([...ALL].reverse())} FROM range(9000, 9010) AS t(i)`;
  await asked(`COPY (${turned}) TO '${at("turned.parquet")}'`);
});
afterAll(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

async function expectSame({ groups }: NarrowFiles, paths: readonly string[]): Promise<void> {
  expect(groups.map(({ names }) => names.length)).toEqual([7, 7, 7, 7, 7, 1]);
  for (const { names, paths: copies } of groups) {
    const found = await asked(`SELECT * FROM ${readParquet(copies)}`);
    expect(found).toBe(await asked(`SELECT ${names.join(", ")} FROM ${readParquet(paths)}`));
  }
}

it.each(["zstd", "snappy"])("some columns of a %s file hold what they held", async (codec) => {
  const paths = [at(`${codec}.parquet`)];
  const narrow = narrowFiles(paths, SOME)!;
  await expectSame(narrow, paths);
  narrow.remove();
});

it("columns of several files are found by their names", async () => {
  const paths = [at("zstd.parquet"), at("turned.parquet")];
  const narrow = narrowFiles(paths, SOME)!;
  await expectSame(narrow, paths);
  narrow.remove();
});

it("files of few columns, and files that differ in them, are left as they are", async () => {
  await asked(`COPY (SELECT ${numbers(ALL)} FROM range(3) AS t(i)) TO '${at("fewer.parquet")}'`);
  expect(narrowFiles([at("zstd.parquet")], { beyond: 36 })).toBeUndefined();
  expect(narrowFiles([at("fewer.parquet"), at("turned.parquet")], SOME)).toBeUndefined();
});

it("what a damaged file says of its columns is not followed out of the file, and leaves nothing behind", () => {
  const whole = readFileSync(at("turned.parquet"));
  const length = whole.readUInt32LE(whole.length - 8);
  const rng = Rng.seeded(1);
  vi.stubEnv("TMPDIR", at("tmp"));
  mkdirSync(at("tmp"));
  let copied = 0;
  for (let i = 0; i < 100; i++) {
    const bytes = Buffer.from(whole);
    bytes[whole.length - 8 - Math.floor(rng.uniform() * (length + 4))] = Math.floor(256 * rng.uniform());
    writeFileSync(at("flipped.parquet"), bytes);
    const narrow = narrowFiles([at("flipped.parquet")], SOME);
    if (narrow) copied += 1;
    narrow?.remove();
  }
  expect(copied).toBeGreaterThan(0);
  expect(copied).toBeLessThan(100);
  expect(readdirSync(at("tmp"))).toEqual([]);
  vi.unstubAllEnvs();
});
