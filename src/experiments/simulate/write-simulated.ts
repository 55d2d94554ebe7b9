/**
 * Simulated data, straight to a file: threads draw chunks of rows, each from its own stream, and write them where they
 * belong, so the bytes are the same whoever drew them. What is held in memory does not grow with the file.
 */

import { closeSync, openSync } from "node:fs";
import { writing } from "../../errors.js";
import { type Claim, checkSpace } from "../../files/claim.js";
import { footer, GROUP_ROWS, MAGIC } from "../../tables/parquet/float-layout.js";
import { PARQUET } from "../../tables/write.js";
import { type Crew, withPool } from "../../workers/crew.js";
import type { Pool } from "../../workers/pool.js";
import { CHUNK_ROWS, type Simulation } from "../simulated.js";
import { csvJob, lineBytes, newTurns } from "./csv-job.js";
import { parquetJob } from "./parquet-job.js";
import { chunksOf, columnName, pieces, put, type SimulatedFile, told } from "./simulated-file.js";
import { isPlaceable, readIntoStore, STORE, STORE_COST, writeSimulatedStore } from "./write-store.js";

export interface SimulateOptions {
  /** Bytes for what waits to be written. */
  readonly memory?: number | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the rows written so far. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** What a way of writing is given: the file, the threads, and bytes of memory for all of them. */
export interface Writing extends SimulatedFile {
  readonly pool: Pool<undefined>;
  readonly memory: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((rows: number) => void) | undefined;
}

interface Format {
  /** Seconds for a number, about, in one thread. */
  readonly cost: number;
  write(writing: Writing): Promise<void>;
}

export const SIMULATE_MEMORY = 256e6;

/** The file appears whole or not at all; its ending tells what it is. */
export async function writeSimulated(
  simulation: Simulation,
  claimed: Claim,
  crew: Crew,
  options: SimulateOptions = {},
): Promise<void> {
  const { path, partial } = claimed;
  const { threads, signal, onProgress, memory = SIMULATE_MEMORY } = options;
  if (STORE.test(path) && !isPlaceable(simulation, memory)) {
    await readIntoStore(simulation, claimed, memory, options);
    claimed.publish();
    return;
  }
  const { cost, write } = formatOf(path);
  const work = cost * simulation.rows * (simulation.columns + 1);
  const file = writing(path, () => openSync(partial, "wx+"));
  try {
    await withPool(crew, { chains: chunksOf(simulation), threads, work }, (pool) =>
      write({ simulation, file, called: path, pool, memory, signal, onProgress }),
    );
  } finally {
    // Threads that wrote to it have ended.
    closeSync(file);
  }
  claimed.publish();
}

function formatOf(path: string): Format {
  if (STORE.test(path)) return { cost: STORE_COST, write: writeSimulatedStore };
  return PARQUET.test(path) ? { cost: 1e-8, write: writeParquet } : { cost: 4e-8, write: writeCsv };
}

/** Chunks of a job: long runs are written faster, short jobs keep all threads busy to the end. */
const MOST_CHUNKS = 8;
const LEAST_JOBS = 16;

async function writeParquet(writing: Writing): Promise<void> {
  const { simulation, pool, signal, onProgress } = writing;
  const target = told(writing);
  const end = footer({ rows: simulation.rows, columns: simulation.columns + 1 }, (c) =>
    columnName(simulation, c),
  );
  checkSpace(writing.called, end.at + end.bytes.length);
  put(writing, MAGIC, 0);
  const chunks = chunksOf(simulation);
  const most = Math.min(MOST_CHUNKS, Math.ceil(chunks / LEAST_JOBS));
  const inputs = pieces(chunks, GROUP_ROWS / CHUNK_ROWS).flatMap((group) =>
    pieces(group.last - group.first, most).map(({ first, last }) => ({
      ...target,
      first: group.first + first,
      last: group.first + last,
    })),
  );
  await pool.run(parquetJob, inputs, { signal, onProgress });
  signal?.throwIfAborted();
  put(writing, end.bytes, end.at);
}

/** Kernels address places below 2 GiB. */
const MOST_MEMORY = 1e9;

async function writeCsv(writing: Writing): Promise<void> {
  const { simulation, pool, signal, onProgress } = writing;
  const { columns } = simulation;
  const target = told(writing);
  const names = Array.from({ length: columns + 1 }, (_, c) => columnName(simulation, c));
  const header = new TextEncoder().encode(`${names.join(",")}\n`);
  put(writing, header, 0);
  // Half of the memory is for numbers, half for lines; a chunk that does not fit is drawn several times.
  const share = Math.min(MOST_MEMORY, writing.memory / pool.size) / 2;
  const most = Math.max(1, Math.min(CHUNK_ROWS, Math.floor(share / (4 * (columns + 1)))));
  const text = Math.ceil(Math.min(share, most * lineBytes(columns)));
  const turns = newTurns(header.length);
  let index = 0;
  const inputs = pieces(simulation.rows, CHUNK_ROWS).flatMap(({ first: from, last: to }) =>
    pieces(to - from, most).map(({ first, last }) => ({
      ...target,
      index: index++,
      chunk: from / CHUNK_ROWS,
      first,
      last,
      text,
      turns,
    })),
  );
  await pool.run(csvJob, inputs, { signal, onProgress });
  signal?.throwIfAborted();
}
