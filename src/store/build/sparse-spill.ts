/**
 * A stage for more rows of entries than memory holds, as spill.ts is for dense ones: once they take up `limit` bytes
 * they go to a file by label (see order.ts), and only the rows of the labels that a block touches come back.
 */

import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writingTemporary } from "../../errors.js";
import type { SparseChunk } from "../../tables/table.js";
import { LABELS, orderWithin, rowLabels } from "./order.js";
import { memorySparseStage, type ShuffledRows, type SparseStage } from "./sparse-stage.js";
import { writeAll } from "./write-all.js";

export interface SpillingSparseStage extends SparseStage {
  readonly spilled: boolean;
}

export function spillingSparseStage(seed: number, limit: number, folder = tmpdir()): SpillingSparseStage {
  let early: SparseChunk[] = [];
  let bytes = 0;
  let disk: SparseSpill | undefined;
  const memory = memorySparseStage(seed);
  return {
    get spilled() {
      return disk !== undefined;
    },
    append(chunk) {
      bytes += sizeOf(chunk);
      if (!disk && bytes > limit) {
        disk = new SparseSpill(seed, folder);
        for (const each of early) disk.append(each);
        early = [];
      }
      if (disk) disk.append(chunk);
      else early.push(chunk);
    },
    seal() {
      if (disk) return disk.seal();
      for (const chunk of early) memory.append(chunk);
      return memory.seal();
    },
    close() {
      early = [];
      memory.close();
      disk?.close();
    },
  };
}

function sizeOf({ rows, values }: SparseChunk): number {
  return 12 * (rows + values.length);
}

/** Entries that wait for a label before they are written. */
const PIECE = 8192;

/** Rows that wait together. */
class Rows implements SparseChunk {
  rows = 0;
  entries = 0;
  target = new Float64Array(64);
  starts = new Uint32Array(65);
  columns = new Uint32Array(PIECE);
  values = new Float64Array(PIECE);

  add({ target, starts, columns, values }: SparseChunk, row: number): void {
    const [from, to] = [starts[row], starts[row + 1]];
    const end = this.entries + to - from;
    if (this.rows === this.target.length) {
      this.target = grown(new Float64Array(2 * this.rows), this.target);
      this.starts = grown(new Uint32Array(2 * this.rows + 1), this.starts);
    }
    if (end > this.columns.length) {
      this.columns = grown(new Uint32Array(2 * end), this.columns);
      this.values = grown(new Float64Array(2 * end), this.values);
    }
    this.columns.set(columns.subarray(from, to), this.entries);
    this.values.set(values.subarray(from, to), this.entries);
    this.target[this.rows] = target[row];
    this.entries = end;
    this.starts[++this.rows] = end;
  }

  clear(): void {
    this.rows = 0;
    this.entries = 0;
  }

  /** What there is to write, part by part. */
  parts(): Uint8Array[] {
    const { rows, entries } = this;
    return [
      this.target.subarray(0, rows),
      this.starts.subarray(0, rows + 1),
      this.columns.subarray(0, entries),
      this.values.subarray(0, entries),
    ].map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  }
}

function grown<T extends Float64Array | Uint32Array>(to: T, from: T): T {
  to.set(from as never);
  return to;
}

class SparseSpill {
  private readonly folder: string;
  private readonly file: number;
  private readonly label: () => number;
  private readonly waiting = Array.from({ length: LABELS }, () => new Rows());
  private readonly counts = new Uint32Array(LABELS);
  /** Where in the file the pieces of each label are, and how large they are. */
  private readonly pieces: { at: number; rows: number; entries: number }[][] = Array.from(
    { length: LABELS },
    () => [],
  );
  private end = 0;

  constructor(
    private readonly seed: number,
    private readonly parent: string,
  ) {
    this.folder = writingTemporary(parent, () => mkdtempSync(join(parent, "sparrow-rows-")));
    this.file = openSync(join(this.folder, "rows"), "w+");
    this.label = rowLabels(seed);
  }

  append(chunk: SparseChunk): void {
    for (let row = 0; row < chunk.rows; row++) {
      const k = this.label();
      this.counts[k] += 1;
      this.waiting[k].add(chunk, row);
      if (this.waiting[k].entries >= PIECE || this.waiting[k].rows >= PIECE) this.flush(k);
    }
  }

  private flush(k: number): void {
    const rows = this.waiting[k];
    this.pieces[k].push({ at: this.end, rows: rows.rows, entries: rows.entries });
    for (const part of rows.parts()) {
      writingTemporary(this.parent, () => writeAll(this.file, part, this.end));
      this.end += part.length;
    }
    rows.clear();
  }

  seal(): ShuffledRows {
    const starts = new Float64Array(LABELS + 1);
    for (let k = 0; k < LABELS; k++) starts[k + 1] = starts[k] + this.counts[k];
    let k = 0;
    let held: { label: number; chunk: SparseChunk; order: Uint32Array } | undefined;
    return {
      rows: starts[LABELS],
      find: (place) => {
        while (starts[k + 1] <= place) k += 1;
        while (starts[k] > place) k -= 1;
        if (held?.label !== k) {
          held = { label: k, chunk: this.load(k), order: orderWithin(this.seed, k, this.counts[k]) };
        }
        return { chunk: held.chunk, row: held.order[place - starts[k]] };
      },
    };
  }

  /** All rows of a label, in the order of arrival. */
  private load(k: number): SparseChunk {
    const waiting = this.waiting[k];
    const rows = this.counts[k];
    const entries = this.pieces[k].reduce((sum, piece) => sum + piece.entries, waiting.entries);
    const target = new Float64Array(rows);
    const starts = new Uint32Array(rows + 1);
    const columns = new Uint32Array(entries);
    const values = new Float64Array(entries);
    let [row, entry] = [0, 0];
    const moved = (count: number, size: number): void => {
      for (let i = row; i <= row + count; i++) starts[i] += entry;
      row += count;
      entry += size;
    };
    for (const piece of this.pieces[k]) {
      let { at } = piece;
      for (const part of [
        target.subarray(row, row + piece.rows),
        starts.subarray(row, row + piece.rows + 1),
        columns.subarray(entry, entry + piece.entries),
        values.subarray(entry, entry + piece.entries),
      ]) {
        readSync(this.file, part, 0, part.byteLength, at);
        at += part.byteLength;
      }
      moved(piece.rows, piece.entries);
    }
    target.set(waiting.target.subarray(0, waiting.rows), row);
    starts.set(waiting.starts.subarray(0, waiting.rows + 1), row);
    columns.set(waiting.columns.subarray(0, waiting.entries), entry);
    values.set(waiting.values.subarray(0, waiting.entries), entry);
    moved(waiting.rows, waiting.entries);
    return { rows, target, starts, columns, values };
  }

  close(): void {
    closeSync(this.file);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
