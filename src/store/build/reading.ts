/** Reads a table front to back into a stage, once, and learns what the encoding needs to know of every column. */

import { SparrowError } from "../../errors.js";
import type { Chunk, ColumnTable } from "../../tables/table.js";
import type { Stage } from "./stage.js";

export interface ReadingSettings {
  readonly table: ColumnTable;
  /** Table columns to read; the target comes last. */
  readonly columns: readonly number[];
  /** Whether rows in which a predictor is missing are left out. */
  readonly dropMissing: boolean;
  readonly stage: Stage;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((rows: number, share?: number) => void) | undefined;
}

export interface Reading {
  /** Rows in the table, and how many of them were left out because the target or a predictor was missing. */
  readonly rows: number;
  readonly withoutTarget: number;
  readonly withoutPredictor: number;
  readonly facts: readonly ColumnFacts[];
  readonly target: TargetFacts;
}

/** Of the stored numbers of a column: what was read, less the shift. */
export interface ColumnFacts {
  shift: number;
  missing: number;
  /** Row of the table, from 1, of the first missing value; 0 if there is none. */
  firstMissing: number;
  /** Sum of the values that are not missing. */
  sum: number;
  /** The one value so far, or undefined once there are two; NaN before the first. */
  only: number | undefined;
  /** Rows of each level of a text. */
  readonly counts: number[];
}

export function emptyFacts(): ColumnFacts {
  return { shift: 0, missing: 0, firstMissing: 0, sum: 0, only: Number.NaN, counts: [] };
}

export interface TargetFacts {
  /** Up to three different values as they were read. */
  readonly values: readonly number[];
}

/** The shift of a column is decided on this many rows, whatever the size of chunks, so that it is the same for the same data. */
export const HEAD_ROWS = 1024;
const FLOAT32_MAX = 3.4028234663852886e38;

export async function readTable(settings: ReadingSettings): Promise<Reading> {
  const { table, columns, stage } = settings;
  const facts = columns.map(emptyFacts);
  const target = new TargetNotes();
  const texts = columns.map((c) => table.columns[c].kind === "text");
  let head: Kept[] | undefined = [];
  let headRows = 0;
  let rows = 0;
  let withoutPredictor = 0;
  let withoutTarget = 0;

  const store = ({ chunk, first, keep }: Kept): void => {
    const count = keep ? keep.length : chunk.rows;
    for (let from = 0; from < count; ) {
      const { rows, column } = stage.lend(count - from);
      for (let c = 0; c < columns.length; c++) {
        const out = column(c);
        const bad = convert(out, chunk.columns[c], keep, from, facts[c], first);
        if (bad >= 0) throw badValue(table, columns[c], first + bad, chunk.columns[c][bad]);
        if (texts[c]) countLevels(facts[c].counts, out);
      }
      stage.keep();
      from += rows;
    }
  };
  const settle = (): void => {
    if (!head) return;
    for (let c = 0; c < columns.length; c++) if (!texts[c]) facts[c].shift = shiftFor(head, c);
    for (const kept of head) store(kept);
    head = undefined;
  };

  for await (const chunk of table.chunks(columns)) {
    settings.signal?.throwIfAborted();
    const selection = choose(chunk, settings.dropMissing);
    withoutTarget += selection.withoutTarget;
    withoutPredictor += selection.withoutPredictor;
    const kept: Kept = { chunk, first: rows, keep: selection.keep };
    target.look(chunk.columns[columns.length - 1], kept.keep, chunk.rows);
    rows += chunk.rows;
    if (head) {
      // A chunk is good only until the next one comes.
      const columns = chunk.columns.map((values) => Float64Array.from(values).subarray(0, chunk.rows));
      head.push({ ...kept, chunk: { rows: chunk.rows, columns } });
      headRows += kept.keep?.length ?? chunk.rows;
      if (headRows >= HEAD_ROWS) settle();
    } else store(kept);
    settings.onProgress?.(rows, chunk.share);
  }
  settle();
  if (table.rows !== undefined && rows !== table.rows) {
    throw new SparrowError(`${table.name} changed while it was being read.`);
  }
  return { rows, withoutTarget, withoutPredictor, facts, target };
}

interface Kept {
  readonly chunk: Chunk;
  /** Row of the table at which the chunk starts. */
  readonly first: number;
  /** The rows of the chunk that stay; undefined when all do. */
  readonly keep: Uint32Array | undefined;
}

function choose({ rows, columns }: Chunk, dropMissing: boolean) {
  const gone = new Uint8Array(rows);
  let withoutTarget = 0;
  let withoutPredictor = 0;
  const target = columns[columns.length - 1];
  for (let i = 0; i < rows; i++) if (Number.isNaN(target[i])) gone[i] = 1;
  for (const mark of gone) withoutTarget += mark;
  if (dropMissing) {
    for (let c = 0; c < columns.length - 1; c++) {
      const values = columns[c];
      for (let i = 0; i < rows; i++) {
        if (Number.isNaN(values[i]) && gone[i] === 0) {
          gone[i] = 1;
          withoutPredictor += 1;
        }
      }
    }
  }
  if (withoutTarget + withoutPredictor === 0) return { keep: undefined, withoutTarget, withoutPredictor };
  const keep = new Uint32Array(rows - withoutTarget - withoutPredictor);
  let at = 0;
  for (let i = 0; i < rows; i++) if (gone[i] === 0) keep[at++] = i;
  return { keep, withoutTarget, withoutPredictor };
}

/**
 * out = values − shift in float32 from the value at `from` on, missing values as NaN. Returns the row of a value that
 * float32 cannot hold, or −1.
 */
function convert(
  out: Float32Array,
  values: ArrayLike<number>,
  keep: Uint32Array | undefined,
  from: number,
  facts: ColumnFacts,
  first: number,
): number {
  const by = facts.shift;
  // Nearly always every value is a number: then the sum is one, and that is all there is to know.
  const plain = keep ? Number.NaN : sumOfConverted(out, values, from, by, facts.sum);
  if (Number.isFinite(plain)) facts.sum = plain;
  else {
    for (let i = 0; i < out.length; i++) {
      const row = keep ? keep[from + i] : from + i;
      // Adding 0 turns −0 into 0: equal numbers become equal bytes.
      const value = values[row] - by + 0;
      out[i] = value;
      if (Math.abs(value) <= FLOAT32_MAX) facts.sum += out[i];
      else if (Number.isNaN(value)) {
        if (facts.missing === 0) facts.firstMissing = first + row + 1;
        facts.missing += 1;
      } else return row;
    }
  }
  if (facts.only !== undefined) facts.only = onlyValue(facts.only, out);
  return -1;
}

/** out = values − shift in float32; returns sum + Σout: not finite where a value is missing or too large. */
function sumOfConverted(
  out: Float32Array,
  values: ArrayLike<number>,
  from: number,
  by: number,
  sum: number,
): number {
  const count = out.length;
  for (let i = 0; i < count; i++) {
    const value = Math.fround(values[from + i] - by + 0);
    out[i] = value;
    sum += value;
  }
  return sum;
}

function onlyValue(known: number, values: Float32Array): number | undefined {
  let only = known;
  for (const value of values) {
    if (value === only || Number.isNaN(value)) continue;
    if (!Number.isNaN(only)) return undefined;
    only = value;
  }
  return only;
}

function countLevels(counts: number[], codes: Float32Array): void {
  for (const code of codes) if (!Number.isNaN(code)) counts[code] = (counts[code] ?? 0) + 1;
}

function shiftFor(head: readonly Kept[], column: number): number {
  const shift = new Shift();
  for (const { chunk, keep } of head) {
    const values = chunk.columns[column];
    const count = keep ? keep.length : chunk.rows;
    for (let i = 0; i < count; i++) shift.look(values[keep ? keep[i] : i]);
  }
  return shift.value;
}

/** Float32 keeps seven digits: a column that lies far from zero is moved near it first. */
export class Shift {
  private n = 0;
  private mean = 0;
  private m2 = 0;

  look(value: number): void {
    if (this.n === HEAD_ROWS || Number.isNaN(value)) return;
    this.n += 1;
    const delta = value - this.mean;
    this.mean += delta / this.n;
    this.m2 += delta * (value - this.mean);
  }

  /** The mean, rounded to a power of two far below the standard deviation: short numbers stay short, and exact. */
  get value(): number {
    const variance = this.m2 / this.n;
    if (!Number.isFinite(this.mean) || !(this.mean * this.mean > variance)) return 0;
    const unit = 2 ** (Math.floor(Math.log2(variance) / 2) - 8);
    const rounded = Math.round(this.mean / unit) * unit;
    return Number.isFinite(rounded) ? rounded : this.mean;
  }
}

/** What tells two-valued targets from others. */
export class TargetNotes implements TargetFacts {
  readonly values: number[] = [];

  look(target: ArrayLike<number>, keep: Uint32Array | undefined, rows: number): void {
    const count = keep ? keep.length : rows;
    for (let i = 0; i < count && this.values.length < 3; i++) {
      const value = target[keep ? keep[i] : i];
      if (!this.values.includes(value)) this.values.push(value);
    }
  }
}

function badValue(table: ColumnTable, column: number, row: number, value: number): SparrowError {
  const what =
    Math.abs(value) === Number.POSITIVE_INFINITY
      ? "is infinite"
      : `is ${value}, beyond what single precision holds,`;
  return new SparrowError(
    `${table.name}: column "${table.columns[column].name}" ${what} in row ${row + 1}; remove or replace it, or leave the column out with --exclude.`,
  );
}
