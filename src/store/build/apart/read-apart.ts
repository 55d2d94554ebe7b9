/** Reads columns that lie apart straight into their places in the memory of a store, by all threads at once. */

import { TargetEvidence } from "../../../families/evidence.js";
import type { Kernels } from "../../../kernels/interface.js";
import { span } from "../../../profile.js";
import { combined } from "../../../tables/checksum.js";
import type { ColumnsApart } from "../../../tables/parquet/columns/apart.js";
import { ParquetColumns, roomFor } from "../../../tables/parquet/columns/read-column.js";
import { firstRow, type Layout, rowsIn, runOffset } from "../../layout/layout.js";
import { dataEnd, residentStore } from "../../open/resident.js";
import { type ApartRoom, alone } from "../../open/room.js";
import { DATA_START, type Store } from "../../store.js";
import { columnBlocks } from "../column-blocks.js";
import type { ColumnPart } from "../column-rows.js";
import { rowOrder } from "../order.js";
import type { ColumnSettings } from "../read-columns.js";
import { concluded, type Imported } from "../read-table.js";
import type { Shuffled } from "../row-stage.js";
import { type ColumnRead, type ColumnsPiece, columnsJob, roomForColumn } from "./columns-job.js";
import { type KeptColumns, keptColumns } from "./kept-columns.js";

export interface ReadApart {
  readonly imported: Imported;
  readonly checksum: string;
  /** The store of what was read, or undefined when columns or rows are not those that were read, or not in memory. */
  adopt(imported: Imported): Store | undefined;
  /** Gives up what is on disk. */
  close(): void;
}

/** Undefined where rows have to be left out, or numbers are not what they should be: then they are read row by row. */
export async function readApart(
  settings: ColumnSettings,
  apart: ColumnsApart,
  layout: Layout,
  room: ApartRoom,
): Promise<ReadApart | undefined> {
  const kept = room.isLarge ? keptColumns(layout.rows) : undefined;
  try {
    const read = await readPlaced(settings, apart, layout, room, kept);
    if (!read) kept?.close();
    return read;
  } catch (error) {
    kept?.close();
    throw error;
  }
}

async function readPlaced(
  settings: ColumnSettings,
  { index, check, met }: ColumnsApart,
  layout: Layout,
  { kernels: kernelsOf, hands, scratch }: ApartRoom,
  kept: KeptColumns | undefined,
): Promise<ReadApart | undefined> {
  const { table, predictors, seed, missing = "error", plain = false, signal, onProgress } = settings;
  const { rows } = layout;
  const columns = [...predictors, settings.target];
  const target = targetEvidence(index, settings.target);
  if (!target) return undefined;
  const { size, run } = (await hands?.()) ?? alone;
  const end = kept ? DATA_START : 64 * Math.ceil(dataEnd({ layout, sparse: undefined }) / 64);
  const [next, order] = [end, end + 64];
  const room = order + 64 * Math.ceil(rows / 16);
  const needed = room + size * roomForColumn(rows) - end;
  const kernels = await kernelsOf(end + Math.max(kept ? 0 : scratch, needed));
  const { memory } = kernels;
  new Uint32Array(memory.buffer, order, rows).set(span("reading: shuffling", () => rowOrder(seed, rows)));
  const pieces = Array.from({ length: size }, (_, slot): ColumnsPiece => {
    const own = room + slot * roomForColumn(rows);
    return { memory, layout, index, columns, order, next, room: own, file: kept?.path };
  });
  const progress = onProgress && ((done: number) => onProgress(Math.floor((rows * done) / columns.length)));
  const found = await span("reading: columns in threads", () =>
    run(columnsJob, pieces, { signal, onProgress: progress }),
  );
  signal?.throwIfAborted();
  check();
  if (found.includes(undefined)) return undefined;
  const read = found.flatMap((some) => some ?? []).sort((a, b) => a.run - b.run);
  const hasHoles = read.slice(0, -1).some((facts) => facts.missing > 0);
  if (read.length < columns.length || (missing === "drop" && hasHoles)) return undefined;
  // What threads will find there is nothing.
  new Uint8Array(memory.buffer, end, needed).fill(0);
  met(read.filter(({ hasNaN }) => hasNaN).map(({ run }) => columns[run]));
  onProgress?.(rows);
  const facts = read.map((each) => ({ ...each, counts: [] }));
  const imported = concluded(
    {
      table,
      missing,
      plain,
      end: () => ({
        table,
        columns,
        numbered: false,
        reading: { rows, withoutTarget: 0, withoutPredictor: 0, facts, target },
      }),
      blocks: (shuffled: Shuffled<ColumnPart>, encoded, plan) => columnBlocks(shuffled, facts, encoded, plan),
    },
    rows,
    () => kept?.shuffled() ?? inPlace(layout, memory),
    settings,
  );
  const checksum = checksumOf(read, columns, settings);
  const adopt = kept ? () => undefined : adopting(layout, kernels);
  return { imported, checksum, adopt, close: () => kept?.close() };
}

/** Undefined where rows have no target. */
function targetEvidence(index: ColumnsApart["index"], column: number): TargetEvidence | undefined {
  const reader = new ParquetColumns(index);
  try {
    const values = roomFor(index.columns[column]!.kind, index.rows);
    reader.read(column, values);
    const evidence = new TargetEvidence();
    for (const value of values) {
      if (Number.isNaN(value)) return undefined;
      evidence.look(value);
    }
    return evidence;
  } catch {
    return undefined;
  } finally {
    reader.close();
  }
}

/** Rows that are where they belong. */
function inPlace(layout: Layout, memory: WebAssembly.Memory): Shuffled<ColumnPart> {
  const part: ColumnPart = {
    gather(column, from, to, out, at) {
      for (let b = 0; b < layout.blocks; b++) {
        const first = firstRow(layout, b);
        const [start, last] = [Math.max(from, first), Math.min(to, first + rowsIn(layout, b))];
        if (start >= last) continue;
        const pointer = DATA_START + runOffset(layout, b, column) + 4 * (start - first);
        out.set(new Float32Array(memory.buffer, pointer, last - start), at + start - from);
      }
    },
  };
  return { rows: layout.rows, visit: (from, to, use) => use(part, from, to) };
}

function adopting(layout: Layout, kernels: Kernels) {
  return ({ blocks, record }: Imported): Store | undefined => {
    const { rows, blocks: count } = blocks.layout;
    if (!blocks.asRead || rows !== layout.rows || count !== layout.blocks) return undefined;
    const { names, shift } = blocks;
    return residentStore({ layout, names, shift, sparse: undefined }, kernels, () => record);
  };
}

function checksumOf(
  read: readonly ColumnRead[],
  columns: readonly number[],
  { table }: ColumnSettings,
): string {
  return combined(
    read.map(({ lanes }) => lanes),
    columns.map((c) => table.columns[c].name),
    read.length === 0 ? 0 : (table.rows ?? 0),
  );
}
