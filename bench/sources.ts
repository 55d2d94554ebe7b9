/**
 * How fast data come in, as ratios within one run: node --import tsx bench/sources.ts [parquet] [csv] [libsvm]
 * [search] [large] [sparse]. DuckDB's time is that of one query for the sum of every column. `large` makes 8 GB on
 * disk and takes minutes.
 */

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { simulatedTable } from "../src/experiments/simulated.js";
import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { threads } from "../src/node/threads.js";
import { fit, importFiles } from "../src/node.js";
import { readStore } from "../src/selection/data/read.js";
import { runTable } from "../src/selection/fit-table.js";
import { libsvmTable } from "../src/tables/libsvm/libsvm-table.js";
import { open } from "../src/tables/open.js";
import { fileOnDisk } from "../src/tables/packed/on-disk.js";
import { writeTable } from "../src/tables/write.js";

const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "sparrow-bench-"));
const at = (name: string) => join(folder, name);

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Both in turn, five times after a first one that does not count: medians, of clock and of processor time. */
async function compared(theirs: () => Promise<void>, ours: () => Promise<void>) {
  const clock: number[][] = [[], []];
  const processor: number[][] = [[], []];
  for (let round = 0; round <= 5; round++) {
    for (const [which, work] of [theirs, ours].entries()) {
      const before = process.cpuUsage();
      const time = await seconds(work);
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      clock[which].push(time);
      processor[which].push((user + system) / 1e6);
    }
  }
  const [[a, b], [c, d]] = [clock, processor].map((both) => both.map(median));
  return { duckdb: a, store: b, ratio: b / a, "CPU of duckdb": c, "of the store": d, "CPU ratio": d / c };
}

const show = (name: string, values: Record<string, number | string>) =>
  console.log(
    `${name}: ${Object.entries(values)
      .map(([key, value]) => `${key} ${typeof value === "number" ? Number(value.toPrecision(3)) : value}`)
      .join(", ")}`,
  );

async function query(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.runAndReadAll(sql);
  connection.closeSync();
  instance.closeSync();
}

const kernels = (bytes: number) => wasmKernels(kernelMemory(bytes, true));

async function read(path: string): Promise<void> {
  const table = await open(path);
  const room = { kernels, threads: 1, scratch: 2 ** 20 };
  await readStore(table, { target: "y" }, () => 1000, room);
  table.close?.();
}

const benches: Record<string, () => Promise<void>> = {
  async parquet() {
    await writeTable(
      simulatedTable({ kind: "linear", rows: 50_000, columns: 2000, seed: 1 }),
      at("t.parquet"),
    );
    const sums = Array.from({ length: 2000 }, (_, j) => `sum(z${j + 1})`).join(", ");
    const duckdb = () => query(`SELECT ${sums}, sum(y) FROM read_parquet('${at("t.parquet")}')`);
    show("parquet 50,000 x 2,001", {
      ...(await compared(duckdb, () => read(at("t.parquet")))),
      goal: "3",
    });
  },
  async csv() {
    await writeTable(simulatedTable({ kind: "linear", rows: 20_000, columns: 1000, seed: 1 }), at("t.csv"));
    const sums = Array.from({ length: 1000 }, (_, j) => `sum(z${j + 1})`).join(", ");
    const duckdb = () => query(`SELECT ${sums}, sum(y) FROM read_csv('${at("t.csv")}')`);
    show("csv 20,000 x 1,001", { ...(await compared(duckdb, () => read(at("t.csv")))), goal: "1.5" });
  },
  async libsvm() {
    writeSparse(at("t.svm"), 50_000, 100_000, 100);
    const size = statSync(at("t.svm")).size / 1e6;
    const parse = async () => {
      for await (const chunk of libsvmTable([fileOnDisk(at("t.svm"))], "t.svm").chunks()) void chunk.rows;
    };
    await parse();
    const before = process.cpuUsage();
    const wall = await seconds(parse);
    const { user, system } = process.cpuUsage(before);
    show("libsvm", {
      MB: size,
      "MB/s of wall clock": size / wall,
      "MB/s of CPU": size / ((user + system) / 1e6),
      goal: "100",
    });
  },
  async search() {
    const table = simulatedTable({ kind: "linear", rows: 50_000, columns: 1000, seed: 1 });
    await writeTable(table, at("s.parquet"));
    await importFiles(at("s.parquet"), at("s.sparrow"), { target: "y", blockRows: 1000 });
    const options = { target: "y", preset: "paper", threads: 1, seed: 1 } as const;
    const searchTime = async (memory: number) => {
      const times: number[] = [];
      for (const iterations of [2000, 12_000]) {
        times.push((await fit(at("s.sparrow"), { ...options, memory, iterations })).timing.search!);
      }
      return ((times[1] - times[0]) / 10_000) * 1e3;
    };
    const resident = await searchTime(4e9);
    const disk = await searchTime(3e8);
    show("search, ms an iteration", { resident, "on disk": disk, ratio: disk / resident, goal: "3" });
  },
  async large() {
    const table = simulatedTable({ kind: "linear", rows: 1_000_000, columns: 2000, seed: 1 });
    let result: Awaited<ReturnType<typeof runTable>> | undefined;
    const time = await seconds(async () => {
      result = await runTable(table, { target: "y", memory: 1e9, seed: 1 }, threads);
    });
    const peak = process.resourceUsage().maxRSS / 1e6;
    const selected = result!.result.variables.filter((variable) => variable.selected).length;
    show("1,000,000 x 2,000 with --memory 1GB", { seconds: time, "peak GB": peak, goal: "1.5", selected });
    console.log(result!.result.timing);
  },
  async sparse() {
    const iteration: number[] = [];
    for (const columns of [10_000, 1_000_000]) {
      writeSparse(at("p.svm"), 100_000, columns, 100);
      await importFiles(at("p.svm"), at(`${columns}.sparrow`), { target: "label", blockRows: 2000 });
      const times: number[] = [];
      // Setting a chain up takes longer than a thousand iterations: long runs tell them apart.
      for (const iterations of [5000, 45_000]) {
        const options = { preset: "paper", threads: 1, seed: 1, iterations } as const;
        times.push((await fit(at(`${columns}.sparrow`), options)).timing.search!);
      }
      iteration.push(((times[1] - times[0]) / 40_000) * 1e3);
    }
    const peak = process.resourceUsage().maxRSS / 1e6;
    show("sparse, ms an iteration", {
      "10,000 columns": iteration[0],
      "1,000,000": iteration[1],
      ratio: iteration[1] / iteration[0],
      goal: "2",
      "peak GB": peak,
    });
  },
};

/** Random entries, and eight columns in a third of the rows that make the label. */
function writeSparse(path: string, rows: number, columns: number, entries: number): void {
  const rng = Rng.seeded(1);
  let text: string[] = [];
  writeFileSync(path, "");
  for (let i = 0; i < rows; i++) {
    const ids = new Set<number>();
    for (let j = 1; j <= 8; j++) if (rng.below(3) === 0) ids.add(j);
    let label = normal(rng);
    for (const j of ids) label += j <= 5 ? 1 : -1;
    while (ids.size < entries) ids.add(9 + rng.below(columns - 9));
    const pairs = [...ids].sort((a, b) => a - b).map((j) => `${j}:${j <= 8 ? 1 : normal(rng).toFixed(4)}`);
    text.push(`${label.toFixed(5)} ${pairs.join(" ")}\n`);
    if (text.length < 5000 && i < rows - 1) continue;
    writeFileSync(path, text.join(""), { flag: "a" });
    text = [];
  }
}

try {
  for (const name of wanted.length > 0 ? wanted : ["parquet", "csv", "libsvm", "search", "sparse"])
    await benches[name]();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
