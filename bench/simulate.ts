/**
 * How fast simulated data are written: node --import tsx bench/simulate.ts [rows] [columns] [ending,…]. Every way in a
 * process of its own, from its start to the file on the disk: seconds of clock and of processor, the most memory held,
 * and MB/s of the numbers as doubles and of the file. The ways take turns, and the best of three counts: a busy machine
 * only makes them slower. `DuckDB` (once) is the way by a table of DuckDB's own, by which other tables are written; the
 * last line is what the disk takes, as many bytes of nothing. TMPDIR says which disk.
 *
 * `stages` instead of numbers: nanoseconds that each stage takes for a number, the least of many short stretches.
 */

import { spawnSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { ChunkDraws, DRAWS_END } from "../src/experiments/simulate/chunk-draws.js";
import { gather } from "../src/experiments/simulate/store-jobs.js";
import { type Simulation, simulatedTable } from "../src/experiments/simulated.js";
import { simulationRoom } from "../src/kernels/simulation.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { rowOrder } from "../src/store/build/order.js";
import { columnLanes } from "../src/tables/checksum.js";
import { writeTable } from "../src/tables/write.js";

const ROUNDS = 3;
const command = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const own = fileURLToPath(import.meta.url);
const tell =
  'process.on("exit",()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS}=process.resourceUsage();process.stderr.write("used "+(u+s)/1e6+" "+maxRSS/1024)})';

interface Way {
  readonly name: string;
  readonly ending: string;
  /** Measured once. */
  readonly isSlow?: true;
  readonly arguments: (path: string) => readonly string[];
}

interface Measured {
  readonly clock: number;
  readonly processor: number;
  readonly memory: number;
  readonly bytes: number;
}

function measured(way: Way, folder: string): Measured {
  const path = join(folder, `data.${way.ending}`);
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${tell}`, ...way.arguments(path)],
    { encoding: "utf8" },
  );
  const clock = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(stderr);
  const [, processor, memory] = /used (\S+) (\S+)/.exec(stderr)!.map(Number);
  const { size: bytes } = statSync(path);
  rmSync(path);
  return { clock, processor, memory, bytes };
}

/** Seconds for the disk to take so many bytes. */
function diskTime(bytes: number, folder: string): number {
  const piece = Buffer.alloc(1 << 22, 1);
  const path = join(folder, "nothing");
  const start = performance.now();
  const file = openSync(path, "wx");
  for (let at = 0; at < bytes; at += piece.length) writeSync(file, piece);
  fsyncSync(file);
  closeSync(file);
  const time = (performance.now() - start) / 1000;
  rmSync(path);
  return time;
}

function bench({ rows, columns, seed, kind }: Simulation, endings: readonly string[]): void {
  const asked = ["--rows", `${rows}`, "--columns", `${columns}`, "--seed", `${seed}`, "--quiet"];
  const ours = (ending: string, threads: number): Way => ({
    name: `${ending}, ${threads} ${threads === 1 ? "thread" : "threads"}`,
    ending,
    arguments: (path) => [command, "simulate", kind, ...asked, "--threads", `${threads}`, "--out", path],
  });
  const theirs = (ending: string): Way => ({
    name: `${ending}, DuckDB`,
    ending,
    isSlow: true,
    arguments: (path) => ["--import", "tsx", own, "duckdb", `${rows}`, `${columns}`, path],
  });
  const ways = [
    ...endings.flatMap((ending) => [ours(ending, 1), ours(ending, 2)]),
    ...endings.filter((ending) => ending !== "sparrow").map(theirs),
  ];
  const folder = mkdtempSync(join(tmpdir(), "sparrow-bench-"));
  try {
    const found = ways.map((): Measured[] => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [w, way] of ways.entries())
        if (round === 0 || !way.isSlow) found[w].push(measured(way, folder));
    const doubles = (8 * rows * (columns + 1)) / 1e6;
    for (const [w, { name }] of ways.entries()) {
      const least = (of: (each: Measured) => number) => Math.min(...found[w].map(of));
      const [clock, processor] = [least((each) => each.clock), least((each) => each.processor)];
      const memory = Math.max(...found[w].map((each) => each.memory));
      const megabytes = found[w][0].bytes / 1e6;
      console.log(
        `${name.padEnd(20)} ${clock.toFixed(2)} s, ${processor.toFixed(2)} s of processor, ${memory.toFixed(0)} MB held; ` +
          `${(doubles / clock).toFixed(0)} MB/s as doubles, ${(megabytes / clock).toFixed(0)} MB/s of file (${megabytes.toFixed(0)} MB)`,
      );
    }
    const size = found[0][0].bytes;
    console.log(`the disk alone       ${(size / 1e6 / diskTime(size, folder)).toFixed(0)} MB/s`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One thread, in memory: what is left is writing. */
function stages(): void {
  const [rows, columns] = [1000, 64];
  const count = rows * columns;
  const least = (name: string, numbers: number, work: () => void): void => {
    let time = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 400; round++) {
      const start = performance.now();
      work();
      time = Math.min(time, performance.now() - start);
    }
    console.log(`${name.padEnd(36)} ${((1e6 * time) / numbers).toFixed(2)} ns`);
  };
  const room = simulationRoom();
  const drawn = room.free + DRAWS_END;
  const turned = drawn + 4 * count;
  const text = turned + 4 * count;
  room.buffer(text + 20 * count + 64 - room.free);
  const draws = new ChunkDraws({ kind: "linear", rows, columns: Number.MAX_SAFE_INTEGER, seed: 1 });
  draws.begin(0);
  const rng = Rng.seeded(1);
  const plain = new Float32Array(count);
  least("a normal, in plain TypeScript", count, () => {
    for (let i = 0; i < count; i++) plain[i] = 0.5 + Math.SQRT1_2 * normal(rng);
  });
  least("a normal", count, () => draws.next(drawn, 4 * rows, columns));
  least("from columns to rows", count, () =>
    room.kernels.turnRows(turned, 4 * columns, drawn, 4 * rows, columns, 0, rows),
  );
  least("text", count, () => {
    room.kernels.writeLines(text, turned, rows, columns, room.powers);
  });
  const all = 50_000;
  const column = new Float32Array(new SharedArrayBuffer(4 * all)).map(() => normal(rng));
  const order = rowOrder(1, all);
  const placed = new Float32Array(all);
  least("the checksum of the data", all, () => {
    columnLanes(column);
  });
  least("the order of a store", all, () => gather(placed, column, order, 0));
  least("the checksums of runs", all, () => {
    crc32(new Uint8Array(placed.buffer));
  });
}

const [first, second, third, fourth] = process.argv.slice(2);
if (first === "stages") stages();
else if (first === "duckdb") {
  const simulation: Simulation = { kind: "linear", rows: Number(second), columns: Number(third), seed: 1 };
  await writeTable(simulatedTable(simulation), fourth);
} else {
  const [rows, columns] = [Number(first ?? 50_000), Number(second ?? 500)];
  bench({ kind: "linear", rows, columns, seed: 1 }, (third ?? "parquet,csv,sparrow").split(","));
}
