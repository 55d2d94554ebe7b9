import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { threads } from "../../src/node/threads.js";
import { fit, importFiles } from "../../src/node.js";
import { type ReadOptions, readStore } from "../../src/selection/data/read.js";
import { rowsIn } from "../../src/store/layout/layout.js";
import { openStoreFile } from "../../src/store/open/disk.js";
import type { Surroundings } from "../../src/store/open/room.js";
import type { Store } from "../../src/store/store.js";
import { database } from "../../src/tables/duckdb/database.js";
import { open } from "../../src/tables/open.js";
import type { ApartTable } from "../../src/tables/parquet/columns/apart.js";
import type { ColumnTable } from "../../src/tables/table.js";

let folder: string;
const at = (name: string) => join(folder, name);
let written: (name: string, select: string, how?: string) => Promise<string>;
let close: () => void;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "apart-"));
  const opened = await database();
  close = opened.close;
  written = async (name, select, how = "") => {
    await opened.connection.run(`COPY (${select}) TO '${at(name)}' (FORMAT parquet${how})`);
    return at(name);
  };
});
afterAll(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

/** Numbers of every kind: many and few different ones, far from zero, with both zeros. */
const NUMBERS = `(sin(i * 12.9898) * 3 + 1000)::FLOAT AS far, cos(i * 78.233) AS double, (i % 7)::FLOAT AS few,
  (CASE WHEN i % 2 = 0 THEN -0.0 ELSE 0.5 END)::DOUBLE AS zeros, (i * 7919 % 65521)::INTEGER AS whole,
  (i % 200)::UTINYINT AS tiny, (i % 3 - 1)::SMALLINT AS signed, (4294967295 - i)::UINTEGER AS large,
  9007199254740993 - i * 1000003 AS long, (18446744073709551615 - i)::UBIGINT AS longest,
  sin(i * 0.37)::FLOAT AS y`;
const HOLES = `CASE WHEN i % 5 = 0 THEN NULL ELSE cos(i * 3.1) END AS holes,
  CASE WHEN i % 3 = 1 THEN NULL ELSE (i % 4)::INTEGER END AS gaps`;

/** All that a store holds. */
function content(store: Store) {
  const { kernels, layout, record, shift, names, handle } = store;
  const runs = Array.from({ length: layout.blocks * (layout.columns + 1) }, (_, i) => {
    const [block, column] = [Math.floor(i / (layout.columns + 1)), i % (layout.columns + 1)];
    return [...new Float32Array(kernels.memory.buffer, store.run(block, column), rowsIn(layout, block))];
  });
  store.close?.();
  return { kind: handle.kind, layout, record, shift, names, runs };
}

async function stores(
  paths: string | string[],
  options: Partial<ReadOptions> = {},
  room: Partial<Surroundings> = {},
) {
  const table: ApartTable = (await open(paths, {})) as ColumnTable;
  const { apart: _, ...rowByRow } = table;
  const begun = threads.begin!(2);
  const surroundings = { ...threads, threads: 2, scratch: 1 << 20, hands: begun.hands, ...room };
  const asked = { target: "y", seed: 3, missing: "impute" as const, ...options };
  const blocks = (rows: number) => Math.ceil(rows / 7);
  let isApart = false;
  const disk = {
    ...threads.disk!,
    apart: async (...given: Parameters<NonNullable<typeof threads.disk>["apart"]>) => {
      const read = await threads.disk!.apart(...given);
      isApart = read !== undefined;
      return read;
    },
  };
  const outcome = (opened: ReturnType<typeof readStore>) =>
    opened.then(
      ({ store, target }) => ({ ...content(store), target }),
      (error: Error) => error.message,
    );
  try {
    const direct = await outcome(readStore(table, asked, blocks, { ...surroundings, disk }));
    const usual = await outcome(readStore(rowByRow, asked, blocks, surroundings));
    return { direct, usual, isApart };
  } finally {
    table.close?.();
    await begun.end();
  }
}

describe("columns that are read apart from each other make the store that rows make", () => {
  it.each([
    ["packed by Snappy", ", COMPRESSION snappy"],
    ["not packed", ", COMPRESSION uncompressed"],
    ["packed by gzip", ", COMPRESSION gzip"],
    ["in many row groups", ", COMPRESSION snappy, ROW_GROUP_SIZE 2048"],
    ["in pages of the second version", ", COMPRESSION snappy, PARQUET_VERSION v2, ROW_GROUP_SIZE 2048"],
  ])("%s", async (_, how) => {
    const path = await written("numbers.parquet", `SELECT ${NUMBERS} FROM range(9001) AS t(i)`, how);
    const { direct, usual, isApart } = await stores(path);
    expect(direct).toEqual(usual);
    // Its numbers are encoded in ways that are DuckDB's to read.
    expect(isApart).toBe(!how.includes("v2"));
  });

  it("with holes, which are no values", async () => {
    const path = await written(
      "holes.parquet",
      `SELECT ${HOLES}, ${NUMBERS} FROM range(5000) AS t(i)`,
      ", ROW_GROUP_SIZE 2048",
    );
    for (const missing of ["impute", "mean"] as const) {
      const { direct, usual, isApart } = await stores(path, { missing });
      expect(direct).toEqual(usual);
      expect(isApart).toBe(true);
    }
    const { direct, usual, isApart } = await stores(path, { missing: "drop" });
    expect(direct).toEqual(usual);
    expect(isApart).toBe(false);
  });

  it("of several files, with constants, columns left out and a text among those", async () => {
    const from = (first: number) =>
      `SELECT ${NUMBERS}, 5 AS same, 'word' || (i % 3) AS text FROM range(${first}, ${first + 700}) AS t(i)`;
    const paths = [await written("one.parquet", from(0)), await written("two.parquet", from(9000))];
    const { direct, usual, isApart } = await stores(paths, { exclude: ["text", "tiny"] });
    expect(direct).toEqual(usual);
    expect(isApart).toBe(true);
    const withText = await stores(paths);
    expect(withText.direct).toEqual(withText.usual);
    expect(withText.isApart).toBe(false);
  });

  it("in this thread alone", async () => {
    const path = await written("alone.parquet", `SELECT ${NUMBERS} FROM range(3000) AS t(i)`);
    const { direct, usual, isApart } = await stores(path, {}, { hands: undefined });
    expect(direct).toEqual(usual);
    expect(isApart).toBe(true);
  });

  it("on disk, where they do not fit into memory", async () => {
    const path = await written("large.parquet", `SELECT ${NUMBERS} FROM range(3000) AS t(i)`);
    const alone = { hands: undefined, threads: 1 };
    const { direct, usual, isApart } = await stores(path, { memory: 100_000 }, alone);
    expect(direct).toEqual(usual);
    expect(direct).toMatchObject({ kind: "file" });
    expect(isApart).toBe(true);
  });

  it("or fail with the same words", async () => {
    const bad = `SELECT ${NUMBERS}, CASE WHEN i = 4321 THEN 'inf'::DOUBLE ELSE i END AS bad FROM range(5000) AS t(i)`;
    const infinite = await stores(await written("infinite.parquet", bad));
    expect(infinite.direct).toMatch(/"bad" is infinite in row 4322/);
    expect(infinite.direct).toEqual(infinite.usual);
    const gone = `SELECT ${NUMBERS.replace("sin(i * 0.37)::FLOAT", "nullif(i, 17)::FLOAT")} FROM range(50) AS t(i)`;
    const untold = await stores(await written("untold.parquet", gone));
    expect(untold.direct).toEqual(untold.usual);
    expect(untold.isApart).toBe(false);
  });
});

it("an import of columns that lie apart is that of the same numbers in rows", async () => {
  const path = await written("imported.parquet", `SELECT ${NUMBERS} FROM range(2500) AS t(i)`);
  const table = (await open(path, {})) as ColumnTable;
  const all = [...table.columns.keys()];
  const numbers = all.map((): number[] => []);
  for await (const chunk of table.chunks(all))
    for (const c of all) for (let i = 0; i < chunk.rows; i++) numbers[c].push(chunk.columns[c][i]);
  table.close?.();
  const arrays = Object.fromEntries(all.map((c) => [table.columns[c].name, Float64Array.from(numbers[c])]));
  const stored = async (data: Parameters<typeof importFiles>[0], name: string) => {
    await importFiles(data, at(name), { target: "y", seed: 5, blockRows: 300 });
    const { kernels } = threads;
    const { record, ...rest } = content(
      await openStoreFile(at(name), { kernels, threads: 1, scratch: 1 << 20, memory: 1e9 }),
    );
    return { ...rest, record: { ...record, source: "" } };
  };
  expect(await stored(path, "apart.sparrow")).toEqual(await stored(arrays, "rows.sparrow"));
});

it("a file with any byte changed gives what DuckDB gives, or is refused as by DuckDB, and never hangs", async () => {
  const path = await written(
    "whole.parquet",
    `SELECT (i % 50)::INTEGER AS a, sin(i)::FLOAT AS y, CASE WHEN i % 9 = 0 THEN NULL ELSE cos(i) END AS b FROM range(400) AS t(i)`,
  );
  const whole = readFileSync(path);
  const damaged = at("damaged.parquet");
  for (let k = 0; k < 60; k++) {
    const bytes = Buffer.from(whole);
    const place = 4 + Math.floor((k * (whole.length - 12)) / 60);
    bytes[place] ^= 1 << (k % 8);
    writeFileSync(damaged, bytes);
    let found: Awaited<ReturnType<typeof stores>> | undefined;
    try {
      found = await stores(damaged, {}, { hands: undefined });
    } catch {
      continue;
    }
    if (found.isApart && typeof found.usual !== "string") expect(found.direct).toEqual(found.usual);
  }
});

it("tells NaN from what is missing, as DuckDB does", async () => {
  const select = (value: string) =>
    `SELECT sin(i) AS y, CASE WHEN i % 11 = 3 THEN ${value} ELSE cos(i * 1.7) END AS x, sin(i * 7.3) AS z FROM range(300) AS t(i)`;
  const nan = await written("nan.parquet", select("'nan'::DOUBLE"));
  await expect(fit(nan, { target: "y" })).rejects.toThrow(/holds NaN in "?x/);
  const hole = await written("hole.parquet", select("NULL"));
  expect((await fit(hole, { target: "y" })).missing).toBeDefined();
});
