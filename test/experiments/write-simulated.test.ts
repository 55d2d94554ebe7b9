import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SimulateOptions, writeSimulated } from "../../src/experiments/simulate/write-simulated.js";
import { readIntoStore } from "../../src/experiments/simulate/write-store.js";
import { type Simulation, type SimulationKind, simulatedTable } from "../../src/experiments/simulated.js";
import { claiming } from "../../src/files/claim.js";
import { crew } from "../../src/node/threads.js";
import { fit, open } from "../../src/node.js";
import type { ColumnTable } from "../../src/tables/table.js";
import { writeTable } from "../../src/tables/write.js";
import { type Crew, callingThread } from "../../src/workers/crew.js";

let folder: string;
let made = 0;
const at = (name: string) => join(folder, name);
const fresh = (ending: string) => at(`${made++}.${ending}`);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "simulate-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (simulation: Simulation, path: string, by: Crew = callingThread, how: SimulateOptions = {}) =>
  claiming(path, {}, (claimed) => writeSimulated(simulation, claimed, by, how));

async function bytesBy(
  simulation: Simulation,
  ending: string,
  by?: Crew,
  how?: SimulateOptions,
): Promise<Buffer> {
  const path = fresh(ending);
  await write(simulation, path, by, how);
  return readFileSync(path);
}

/** So many threads, however little there is to do. */
async function withThreads<T>(size: number, use: (threads: Crew) => Promise<T>): Promise<T> {
  const pool = await crew.pool(size);
  const kept = { ...pool, close: async () => {} };
  try {
    return await use({ threads: size, pool: async () => kept, alone: () => kept });
  } finally {
    await pool.close();
  }
}

async function columnsOf(table: ColumnTable): Promise<Float32Array[]> {
  const columns = table.columns.map(() => new Float32Array(table.rows!));
  let first = 0;
  for await (const chunk of table.chunks(table.columns.map((_, c) => c))) {
    for (const [c, values] of chunk.columns.entries())
      for (let i = 0; i < chunk.rows; i++) columns[c][first + i] = values[i];
    first += chunk.rows;
  }
  expect(first).toBe(table.rows);
  return columns;
}

const KINDS: SimulationKind[] = ["linear", "logistic", "poisson"];
const SHAPES: [number, number][] = [
  [1, 1],
  [2500, 40],
  [999, 5],
  [64, 300],
];
const each = KINDS.flatMap((kind) => SHAPES.map(([rows, columns]) => ({ kind, rows, columns, seed: 7 })));

describe("simulated data in a file are those of the table", () => {
  test.each(each)("CSV: $kind, $rows × $columns", async (simulation) => {
    const path = fresh("csv");
    await writeTable(simulatedTable(simulation), path);
    const expected = readFileSync(path);
    expect((await bytesBy(simulation, "csv")).equals(expected)).toBe(true);
    // With too little memory for a chunk, its rows are drawn in several turns, and lines go out in several pieces.
    expect((await bytesBy(simulation, "csv", undefined, { memory: 30_000 })).equals(expected)).toBe(true);
  });

  test.each([...each, { kind: "logistic" as const, rows: 250_400, columns: 3, seed: 2 }])(
    "Parquet: $kind, $rows × $columns",
    async (simulation) => {
      const path = fresh("parquet");
      await write(simulation, path);
      const written = (await open(path)) as ColumnTable;
      expect(written.columns.map(({ name }) => name)).toEqual(
        simulatedTable(simulation).columns.map(({ name }) => name),
      );
      const expected = await columnsOf(simulatedTable(simulation));
      for (const [c, values] of (await columnsOf(written)).entries())
        expect(Buffer.from(values.buffer).equals(Buffer.from(expected[c].buffer))).toBe(true);
    },
  );

  test.each(each.filter(({ rows }) => rows > 1))("store: $kind, $rows × $columns", async (simulation) => {
    const path = fresh("sparrow");
    await claiming(path, {}, async (claimed) => {
      await readIntoStore(simulation, claimed, 1e8, {});
      claimed.publish();
    });
    const expected = readFileSync(path);
    expect((await bytesBy(simulation, "sparrow")).equals(expected)).toBe(true);
    // A few columns of all rows at a time; and, with less than that, the rows wait in a temporary file.
    for (const memory of [100 * simulation.rows, 1000])
      expect((await bytesBy(simulation, "sparrow", undefined, { memory })).equals(expected)).toBe(true);
  });
});

test.each(["csv", "parquet", "sparrow"])("%s: the bytes do not depend on the threads", async (ending) => {
  const simulation: Simulation = { kind: "logistic", rows: 21_300, columns: 30, seed: 4 };
  const expected = await bytesBy(simulation, ending);
  for (const size of [2, 5]) {
    await withThreads(size, async (threads) => {
      expect((await bytesBy(simulation, ending, threads)).equals(expected)).toBe(true);
      const little = { memory: 2.5e6 };
      expect((await bytesBy(simulation, ending, threads, little)).equals(expected)).toBe(true);
    });
  }
});

test("columns have mean 0, variance 1 and mutual correlation ½, and the target its effects and noise", async () => {
  const [rows, columns] = [200_000, 10];
  const path = fresh("parquet");
  await write({ kind: "linear", rows, columns, seed: 3 }, path);
  const z = await columnsOf((await open(path)) as ColumnTable);
  const y = z[columns];
  const beta = [1, 1, 1, 1, 1, -1, -1, -1, 0, 0];
  const noise = y.map((value, i) => value - beta.reduce((sum, b, j) => sum + b * z[j][i], 0));
  const mean = (of: (i: number) => number) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += of(i);
    return sum / rows;
  };
  // Means within five standard errors: for all of them together a false alarm in 10⁴ seeds.
  const near = (value: number, expected: number, variance: number) =>
    expect(Math.abs(value - expected)).toBeLessThan(5 * Math.sqrt(variance / rows));
  for (const [j, a] of [...z.slice(0, columns), noise].entries()) {
    near(
      mean((i) => a[i]),
      0,
      1,
    );
    near(
      mean((i) => a[i] ** 2),
      1,
      2,
    );
    near(
      mean((i) => a[i] ** 3),
      0,
      15,
    );
    near(
      mean((i) => a[i] ** 4),
      3,
      96,
    );
    const other = z[(j + 1) % columns];
    if (j < columns)
      near(
        mean((i) => a[i] * other[i]),
        0.5,
        1.25,
      );
    else
      near(
        mean((i) => a[i] * other[i]),
        0,
        1,
      );
    // Rows of neighbouring chunks have streams of their own.
    near(
      mean((i) => a[i] * a[(i + 1000) % rows]),
      0,
      1,
    );
  }
});

test("a store can be fitted at once, and the answer is that of the Parquet file", async () => {
  const simulation: Simulation = { kind: "linear", rows: 3000, columns: 12, seed: 5 };
  const [store, parquet] = [fresh("sparrow"), fresh("parquet")];
  await write(simulation, store);
  await write(simulation, parquet);
  const [a, b] = [await fit(store, { seed: 5 }), await fit(parquet, { target: "y", seed: 5 })];
  const told = ({ variables }: typeof a) => variables.map(({ name, pip, mean }) => [name, pip, mean]);
  expect(told(a)).toEqual(told(b));
});

test.each(["csv", "parquet", "sparrow"])("%s: what is stopped leaves nothing behind", async (ending) => {
  await withThreads(2, async (threads) => {
    const stop = new AbortController();
    const before = readdirSync(folder);
    // The first word of progress comes when a tenth of a second has gone into writing.
    const onProgress = () => stop.abort(new Error("stopped"));
    const path = fresh(ending);
    const simulation: Simulation = { kind: "linear", rows: 400_000, columns: 200, seed: 1 };
    await expect(write(simulation, path, threads, { signal: stop.signal, onProgress })).rejects.toThrow(
      "stopped",
    );
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(folder)).toEqual(before);
  });
});

/** Most bytes that the command ever held. */
function heldBy(rows: number, ending: string): number {
  const tell = 'process.on("exit",()=>process.stderr.write("held "+process.resourceUsage().maxRSS))';
  const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  const path = fresh(ending);
  const asked = [
    "--rows",
    `${rows}`,
    "--columns",
    "400",
    "--memory",
    "40MB",
    "--threads",
    "2",
    "--out",
    path,
  ];
  const { stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${tell}`, command, "simulate", "linear", "--quiet", ...asked],
    { encoding: "utf8" },
  );
  rmSync(path);
  return 1024 * Number(/held (\d+)/.exec(stderr)![1]);
}

test.each(["csv", "parquet", "sparrow"])("%s: memory does not grow with the file", (ending) => {
  // 320 MB of numbers, of which 40 may wait; and three threads of an engine, two of which the small one does without.
  const THREAD = 25e6;
  expect(heldBy(200_000, ending) - heldBy(10, ending)).toBeLessThan(1.3 * 40e6 + 2 * THREAD);
});
