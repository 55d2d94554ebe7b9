/** Reads a sparse table row by row and turns it into blocks. Columns that are mostly filled become dense. */

import { SparrowError } from "../../errors.js";
import type { SparseChunk, EntryTable, TableColumn } from "../../tables/table.js";
import type { Blocks } from "./blocks.js";
import type { Imported } from "./build.js";
import { encodeTarget } from "./encode.js";
import type { Family } from "../layout/encoding.js";
import { firstRow, layout, rowsIn } from "../layout/layout.js";
import { emptyFacts, HEAD_ROWS, Shift, TargetNotes } from "./reading.js";
import { sparseBlock } from "../layout/sparse-block.js";
import type { ShuffledRows, SparseRow, SparseStage } from "./sparse-stage.js";

/** A column with entries in more than this share of the rows is dense: eight bytes an entry against four a row. */
const DENSE_SHARE = 0.5;

export interface SparseReadSettings {
  readonly table: EntryTable;
  /** Which of the columns, given by name, are wanted; called once all have been seen. */
  readonly choose: (columns: readonly TableColumn[]) => readonly number[];
  readonly blockRows: (rows: number) => number;
  readonly seed: number;
  readonly family?: Family | "auto" | undefined;
  readonly onProgress?: ((rows: number, share?: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Close the stage when the blocks have been laid out. */
export async function readSparse(settings: SparseReadSettings, stage: SparseStage): Promise<Imported> {
  const { table } = settings;
  const rows = new SparseRows();
  const notes = new TargetNotes();
  for await (const chunk of table.chunks()) {
    settings.signal?.throwIfAborted();
    rows.look(chunk);
    stage.append(chunk);
    notes.look(chunk.target, undefined, chunk.rows);
    settings.onProgress?.(rows.count, chunk.share);
  }
  if (rows.count === 0) throw new SparrowError(`${table.name} has no rows of data.`);
  if (rows.count < 3) {
    throw new SparrowError(
      `${table.name} has ${rows.count} rows of data that can be used; at least 3 are needed.`,
    );
  }
  const sentences: string[] = [];
  const { encoding, family, success } = encodeTarget(
    { target: notes, facts: [{ ...emptyFacts(), only: onlyOf(notes) }] },
    {
      table: { name: table.name, columns: [{ name: table.target }] },
      columns: [0],
      family: settings.family ?? "auto",
    },
    sentences,
  );
  const all = Array.from({ length: rows.columns }, (_, j): TableColumn => ({ name: String(j + 1) }));
  const wanted = settings.choose([...all, { name: table.target }]);
  const columns = wanted.filter((j) => !rows.constant(j));
  if (columns.length < wanted.length) {
    const gone = wanted.length - columns.length;
    sentences.push(
      `${gone} ${gone === 1 ? "column has" : "columns have"} the same value in every row: left out.`,
    );
  }
  if (columns.length === 0) {
    throw new SparrowError(
      `${table.name}: every column besides the target is constant; there is nothing to select.`,
    );
  }
  return {
    blocks: sparseBlocks(rows, stage.seal(), columns, settings.blockRows(rows.count), success),
    record: {
      source: table.name,
      encoding: {
        target: encoding,
        columns: columns.map((j) => ({ column: all[j].name, kind: "number" as const })),
        missing: "error",
      },
      family,
      seed: settings.seed,
      checksum: "",
      notes: sentences,
    },
  };
}

function onlyOf({ values }: TargetNotes): number | undefined {
  return values.length === 1 ? values[0] : undefined;
}

/** What there is to know of the rows and their columns besides the numbers. */
class SparseRows {
  /** Chunks with the first rows, by which shifts are decided. */
  readonly head: SparseChunk[] = [];
  count = 0;
  columns = 0;
  private entries = new Uint32Array(1024);
  private first = new Float64Array(1024);
  private varies = new Uint8Array(1024);

  look(chunk: SparseChunk): void {
    if (this.count < HEAD_ROWS) this.head.push(chunk);
    this.count += chunk.rows;
    for (let i = 0; i < chunk.columns.length; i++) {
      const j = chunk.columns[i];
      if (j >= this.columns) this.reach(j);
      const value = chunk.values[i];
      if (this.entries[j]++ === 0) this.first[j] = value;
      else if (value !== this.first[j]) this.varies[j] = 1;
    }
  }

  entriesOf(j: number): number {
    return this.entries[j];
  }

  constant(j: number): boolean {
    return this.entries[j] === 0 || (this.entries[j] === this.count && this.varies[j] === 0);
  }

  private reach(j: number): void {
    this.columns = j + 1;
    if (j < this.entries.length) return;
    const size = Math.max(j + 1, 2 * this.entries.length);
    const grown = <T extends Uint32Array | Float64Array | Uint8Array>(to: T, from: T): T => {
      to.set(from as never);
      return to;
    };
    this.entries = grown(new Uint32Array(size), this.entries);
    this.first = grown(new Float64Array(size), this.first);
    this.varies = grown(new Uint8Array(size), this.varies);
  }
}

function sparseBlocks(
  rows: SparseRows,
  shuffled: ShuffledRows,
  columns: readonly number[],
  blockRows: number,
  success: number | undefined,
): Blocks {
  const slots = new Int32Array(columns.length + 1);
  /** Of every column of the table: 0 if unused, 1 + its run if dense, −1 − its number if sparse. */
  const places = new Int32Array(rows.columns);
  let dense = 0;
  let sparse = 0;
  columns.forEach((j, i) => {
    const isDense = rows.entriesOf(j) > DENSE_SHARE * rows.count;
    slots[i] = isDense ? dense++ : -1 - sparse++;
    places[j] = isDense ? slots[i] + 1 : slots[i];
  });
  slots[columns.length] = dense;
  const plan = layout(rows.count, columns.length, blockRows, dense);
  const runShift = denseShifts(rows, places, dense, success);
  const shift = Float64Array.from(slots, (slot) => (slot >= 0 ? runShift[slot] : 0));
  const tally = new Uint32Array(sparse);
  const matrix = new Float32Array((dense + 1) * plan.stride);
  let entries = {
    rows: new Uint32Array(0),
    columns: new Uint32Array(0),
    values: new Float32Array(0),
    count: 0,
  };
  let at = -1;

  /** Spells a block out: its dense columns in `matrix`, its sparse entries in `entries`. */
  const load = (block: number): void => {
    if (block === at) return;
    at = block;
    const from = firstRow(plan, block);
    const count = rowsIn(plan, block);
    for (let run = 0; run < dense; run++) {
      matrix.fill(0 - runShift[run], run * plan.stride, run * plan.stride + count);
    }
    let needed = 0;
    const found: SparseRow[] = [];
    for (let i = 0; i < count; i++) {
      const entry = shuffled.find(from + i);
      needed += entry.chunk.starts[entry.row + 1] - entry.chunk.starts[entry.row];
      found.push(entry);
    }
    if (needed > entries.rows.length) {
      const room = Math.ceil(1.2 * needed);
      entries = {
        rows: new Uint32Array(room),
        columns: new Uint32Array(room),
        values: new Float32Array(room),
        count: 0,
      };
    }
    const { rows: outRows, columns: outColumns, values: outValues } = entries;
    const { stride } = plan;
    let filled = 0;
    for (let i = 0; i < count; i++) {
      const { chunk, row } = found[i];
      const { columns: ids, values, starts } = chunk;
      const y = chunk.target[row];
      matrix[dense * stride + i] = success === undefined ? y - runShift[dense] : y === success ? 1 : 0;
      const end = starts[row + 1];
      for (let e = starts[row]; e < end; e++) {
        const place = places[ids[e]];
        if (place < 0) {
          outRows[filled] = i;
          outColumns[filled] = -1 - place;
          outValues[filled++] = values[e];
        } else if (place > 0) matrix[(place - 1) * stride + i] = values[e] - runShift[place - 1];
      }
    }
    entries.count = filled;
  };
  return {
    layout: plan,
    names: columns.map((j) => String(j + 1)),
    shift,
    slots: sparse > 0 ? slots : undefined,
    byBlock: true,
    run(block, run, out, to) {
      load(block);
      out.set(matrix.subarray(run * plan.stride, run * plan.stride + rowsIn(plan, block)), to);
    },
    sparse(block) {
      load(block);
      return sparseBlock(entries, tally);
    },
  };
}

/** As for dense tables: decided on the first rows. The target's comes last. */
function denseShifts(
  rows: SparseRows,
  places: Int32Array,
  dense: number,
  success: number | undefined,
): Float64Array {
  const shifts = Array.from({ length: dense + 1 }, () => new Shift());
  const row = new Float64Array(dense + 1);
  for (const { rows: count, starts, columns, values, target } of rows.head) {
    // A shift takes no more than its share of rows.
    for (let i = 0; i < count; i++) {
      row.fill(0);
      row[dense] = target[i];
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        if (places[columns[e]] > 0) row[places[columns[e]] - 1] = values[e];
      }
      shifts.forEach((shift, run) => {
        shift.look(row[run]);
      });
    }
  }
  const values = Float64Array.from(shifts, ({ value }) => value);
  if (success !== undefined) values[dense] = 0;
  return values;
}
