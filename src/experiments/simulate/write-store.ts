/**
 * Simulated data as a store: byte for byte what reading them into one would make of them. All rows of some columns are
 * drawn, put into their order and written, and then those of the next; the target is known with the first.
 */

import { fsyncSync } from "node:fs";
import { writing } from "../../errors.js";
import { TargetEvidence } from "../../families/evidence.js";
import { nameOf } from "../../families/register.js";
import { type Claim, checkSpace } from "../../files/claim.js";
import { spokenRecord } from "../../report/spoken.js";
import { boundedBlock, importedBlock } from "../../selection/data/read.js";
import { emptyFacts, shiftOf } from "../../store/build/column-facts.js";
import { columnRows } from "../../store/build/column-rows.js";
import { encode } from "../../store/build/encode.js";
import { rowOrder } from "../../store/build/order.js";
import { readColumns } from "../../store/build/read-columns.js";
import { type Description, dataStart, endsOf, HEADER_BYTES } from "../../store/layout/format.js";
import { type Layout, layout } from "../../store/layout/layout.js";
import { disk, writeImported } from "../../store/open/disk.js";
import { residentLimit } from "../../store/open/room.js";
import type { StoreRecord } from "../../store/store.js";
import { checksummed, combined } from "../../tables/checksum.js";
import type { Chunk, ColumnTable } from "../../tables/table.js";
import { asFlag } from "../../wording.js";
import { type Simulation, simulatedTable, TRUE_COLUMNS } from "../simulated.js";
import { chunksOf, columnName, pieces, put, told } from "./simulated-file.js";
import { drawJob, type Placed, placeJob, type SharedRows } from "./store-jobs.js";
import type { SimulateOptions, Writing } from "./write-simulated.js";

export const STORE = /\.sparrow$/i;

/** Seconds for a number, about, in one thread. */
export const STORE_COST = 2e-8;

/** Bytes that every row takes up, whatever the columns: its order, while that is made, its target and its share. */
const ROW_BYTES = 4 + 5 + 4 + 8;
/** The columns of all rows may take this share of the memory; blocks and threads need some, too. */
const SHARE = 0.6;
/** A column of fewer rows may well be constant; and a store of them is made at once. */
const FEWEST = 64;
/** By which blocks are bounded, whatever memory there is: the bytes of a store do not depend on it. */
const BLOCK_MEMORY = 8e9;

/** More than this at a time gains nothing: memory that is touched for the first time is dear. */
const GROUP_BYTES = 64e6;
const LEAST_COLUMNS = 64;

/** How many columns of all rows fit into memory at a time. */
const fitting = (rows: number, memory: number): number =>
  Math.floor((SHARE * memory - ROW_BYTES * rows) / (4 * rows));

/** Whether the rows are few enough to be held one column beside the other, and enough to be worth it. */
export const isPlaceable = ({ rows }: Simulation, memory: number): boolean =>
  rows >= FEWEST && fitting(rows, memory) >= TRUE_COLUMNS;

const blockRows = ({ columns }: Simulation, rows: number): number =>
  boundedBlock(importedBlock(rows), columns + 1, BLOCK_MEMORY);

export async function writeSimulatedStore(work: Writing): Promise<void> {
  const { simulation, pool, signal, called } = work;
  const { rows, columns, seed } = simulation;
  const of = layout(rows, columns, blockRows(simulation, rows));
  checkSpace(called, of.bytes);
  const enough = Math.max(LEAST_COLUMNS, Math.floor(GROUP_BYTES / (4 * rows)));
  const perGroup = Math.min(columns, enough, fitting(rows, work.memory));
  const held = sharedRows(simulation, perGroup);
  const order = new Uint32Array(held.order);
  order.set(rowOrder(seed, rows));
  const tables = {
    shift: new Float64Array(columns + 1),
    checksums: new Uint32Array(of.blocks * (columns + 1)),
  };
  const lanes: Int32Array[] = [];
  const keep = (first: number, placed: Placed): void => {
    const { length } = placed.shift;
    tables.shift.set(placed.shift, first);
    lanes.push(...placed.lanes);
    for (let b = 0; b < of.blocks; b++)
      tables.checksums.set(
        placed.checksums.subarray(b * length, (b + 1) * length),
        b * (columns + 1) + first,
      );
  };
  let description: Description | undefined;
  let data = 0;
  let before = 0;
  const runs = of.blocks * (columns + 1);
  const onProgress =
    work.onProgress && ((done: number) => work.onProgress?.(Math.floor((rows * (before + done)) / runs)));
  /** Columns of the buffer, as the runs from `first` on. */
  const place = async (buffer: SharedArrayBuffer, first: number, count: number): Promise<void> => {
    const each = pieces(count, Math.max(1, Math.min(PER_PIECE, Math.floor(PIECE / (4 * rows)))));
    const common = { ...told(work), layout: of, data, order: held.order, columns: buffer };
    const inputs = each.map((piece) => ({ ...common, ...piece, run: first + piece.first }));
    const placed = await pool.run(placeJob, inputs, { signal, onProgress });
    signal?.throwIfAborted();
    placed.forEach((part, i) => {
      keep(first + each[i].first, part);
    });
    before += of.blocks * count;
  };
  for (const { first, last } of pieces(columns, perGroup)) {
    const chunks = pieces(chunksOf(simulation), Math.ceil(chunksOf(simulation) / DRAW_JOBS));
    const inputs = chunks.map((each) => ({
      simulation,
      rows: held,
      first,
      last,
      from: each.first,
      to: each.last,
    }));
    await pool.run(drawJob, inputs, { signal });
    signal?.throwIfAborted();
    description ??= describe(simulation, of, new Float32Array(held.target));
    data = dataStart(bytesOf(description).length);
    await place(held.columns, first, last - first);
  }
  await place(held.target, columns, 1);
  const names = Array.from({ length: columns + 1 }, (_, c) => columnName(simulation, c));
  const record = { ...description!.record, checksum: combined(lanes, names, rows) };
  finish(work, { ...description!, record }, tables);
}

/** Columns of a job that puts them in order, and bytes of them; and jobs among which the chunks are shared out. */
const PER_PIECE = 16;
const PIECE = 1 << 22;
const DRAW_JOBS = 32;

const bytesOf = (description: Description): Buffer => Buffer.from(JSON.stringify(description));

function finish(
  work: Writing,
  description: Description,
  { shift, checksums }: { readonly shift: Float64Array; readonly checksums: Uint32Array },
): void {
  const text = bytesOf(description);
  const none = { starts: new Float64Array(0), slots: new Int32Array(0), sparseChecksums: new Uint32Array(0) };
  const ends = endsOf(text, description.layout.bytes, { shift, runChecksums: checksums, ...none });
  put(work, text, HEADER_BYTES);
  put(work, ends.tables, ends.at);
  put(work, ends.header, 0);
  writing(work.called, () => fsyncSync(work.file));
}

function sharedRows(simulation: Simulation, columns: number): SharedRows {
  const { rows } = simulation;
  return {
    columns: new SharedArrayBuffer(4 * rows * columns),
    target: new SharedArrayBuffer(4 * rows),
    states: new SharedArrayBuffer(16 * chunksOf(simulation)),
    shared: new SharedArrayBuffer(8 * rows),
    order: new SharedArrayBuffer(4 * rows),
  };
}

/** What a reader would learn of the data; all but the checksum, for which there is room. */
function describe(simulation: Simulation, of: Layout, y: Float32Array): Description {
  const { rows, columns } = simulation;
  const target = new TargetEvidence();
  for (const value of y) target.look(value);
  const facts = Array.from({ length: columns + 1 }, () => ({
    ...emptyFacts(),
    only: undefined as number | undefined,
  }));
  const isConstant = y.every((value) => value === y[0]);
  facts[columns] = {
    ...emptyFacts(),
    shift: shiftOf([{ values: y, count: y.length }]),
    only: isConstant ? y[0] : undefined,
  };
  const table = simulatedTable(simulation);
  const encoded = encode(
    { rows, withoutTarget: 0, withoutPredictor: 0, facts, target },
    {
      table,
      columns: Array.from({ length: columns + 1 }, (_, c) => c),
      numbered: false,
      missing: "error",
      family: "auto",
      plain: false,
    },
  );
  return {
    layout: of,
    names: Array.from({ length: columns }, (_, c) => columnName(simulation, c)),
    sparse: false,
    record: spoken({
      source: table.name,
      encoding: encoded.encoding,
      family: nameOf(encoded.target.family),
      seed: simulation.seed,
      checksum: "0".repeat(16),
      notes: encoded.notes,
    }),
  };
}

const spoken = (record: StoreRecord): StoreRecord => spokenRecord(record, asFlag);

/** The same for rows that are too many to be held, or very few: they are read like any other table. */
export async function readIntoStore(
  simulation: Simulation,
  { path, partial }: Claim,
  memory: number,
  { signal, onProgress }: SimulateOptions,
): Promise<void> {
  const { rows, columns, seed } = simulation;
  checkSpace(path, layout(rows, columns, blockRows(simulation, rows)).bytes);
  const stage = disk.stage(columnRows(columns + 1), seed, residentLimit(memory));
  try {
    const { table, checksum } = checksummed(asWritten(simulation));
    const imported = await readColumns(
      {
        table,
        predictors: Array.from({ length: columns }, (_, c) => c),
        target: columns,
        seed,
        family: "auto",
        signal,
        onProgress: (read) => onProgress?.(Math.floor(read / 2)),
        blockRows: (kept) => blockRows(simulation, kept),
      },
      stage,
    );
    const record = spoken({ ...imported.record, checksum: checksum() });
    await writeImported(
      { ...imported, record },
      partial,
      {
        signal,
        onProgress: ({ done }) => onProgress?.(Math.floor((rows + done) / 2)),
      },
      (action) => writing(path, action),
    );
  } finally {
    stage.close();
  }
}

/** The table as files have it: targets are float32 numbers, too. Between chunks, Ctrl-C is heard. */
function asWritten(simulation: Simulation): ColumnTable {
  const table = simulatedTable(simulation);
  return {
    ...table,
    async *chunks(wanted): AsyncIterable<Chunk> {
      for await (const { rows, columns } of table.chunks(wanted)) {
        yield { rows, columns: columns.map((values) => Float32Array.from(values)) };
        await new Promise((resume) => setImmediate(resume));
      }
    },
  };
}
