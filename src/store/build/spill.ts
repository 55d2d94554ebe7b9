/**
 * A stage for more rows than memory holds. Rows wait in memory until they take up `limit` bytes; then they, and all
 * that follow, go to a file by label (see order.ts), a piece at a time. Given back in order, only the rows of the
 * labels that a block touches are in memory.
 */

import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writingTemporary } from "../../errors.js";
import { LABELS, orderWithin, rowLabels } from "./order.js";
import { memoryStage, type Shuffled, type Stage } from "./stage.js";
import { writeAll } from "./write-all.js";

export interface SpillingStage extends Stage {
  /** Whether the rows are on disk. */
  readonly spilled: boolean;
}

export function spillingStage(
  columns: number,
  seed: number,
  limit: number,
  folder = tmpdir(),
): SpillingStage {
  const memory = memoryStage(columns, seed);
  let disk: Spill | undefined;
  let rows = 0;
  let space = { values: new Float32Array(0), rows: 0 };
  const early: (typeof space)[] = [];
  return {
    get spilled() {
      return disk !== undefined;
    },
    lend(most) {
      const size = columns * most;
      // What waits in memory stays there; what is on disk leaves its space to the next rows.
      const reused = disk && space.values.length >= size;
      space = { values: reused ? space.values : new Float32Array(size), rows: most };
      const { values } = space;
      return { rows: most, column: (c) => values.subarray(c * most, (c + 1) * most) };
    },
    keep() {
      rows += space.rows;
      if (!disk && 4 * columns * rows > limit) {
        disk = new Spill(columns, seed, folder);
        for (let chunk = early.shift(); chunk; chunk = early.shift()) disk.append(chunk.values, chunk.rows);
      }
      if (disk) disk.append(space.values, space.rows);
      else early.push(space);
    },
    seal() {
      if (disk) return disk.seal();
      for (let chunk = early.shift(); chunk; chunk = early.shift()) {
        for (let from = 0; from < chunk.rows; ) {
          const { rows, column } = memory.lend(chunk.rows - from);
          for (let c = 0; c < columns; c++) {
            const start = c * chunk.rows + from;
            column(c).set(chunk.values.subarray(start, start + rows));
          }
          memory.keep();
          from += rows;
        }
      }
      return memory.seal();
    },
    close() {
      early.length = 0;
      memory.close();
      disk?.close();
    },
  };
}

/** Bytes that wait for a label before they are written. */
const PIECE = 1 << 17;

class Spill {
  private readonly folder: string;
  private readonly file: number;
  private readonly label: () => number;
  private readonly perPiece: number;
  private readonly waiting: Float32Array[];
  /** Rows that wait, and all rows, of each label. */
  private readonly held = new Uint32Array(LABELS);
  private readonly counts = new Uint32Array(LABELS);
  /** Where in the file the full pieces of each label are. */
  private readonly pieces: number[][] = Array.from({ length: LABELS }, () => []);
  private end = 0;

  constructor(
    private readonly columns: number,
    private readonly seed: number,
    private readonly parent: string,
  ) {
    this.folder = writingTemporary(parent, () => mkdtempSync(join(parent, "sparrow-rows-")));
    this.file = openSync(join(this.folder, "rows"), "w+");
    this.label = rowLabels(seed);
    this.perPiece = Math.max(1, Math.floor(PIECE / (4 * columns)));
    this.waiting = Array.from({ length: LABELS }, () => new Float32Array(this.perPiece * columns));
  }

  append(values: Float32Array, rows: number): void {
    const { columns } = this;
    // Rows go out one by one, columns came one by one: turn them in tiles that stay in the cache.
    const targets: Float32Array[] = new Array(TILE);
    const offsets = new Uint32Array(TILE);
    for (let from = 0; from < rows; ) {
      let count = 0;
      const full: number[] = [];
      while (count < TILE && from + count < rows && full.length === 0) {
        const k = this.label();
        targets[count] = this.waiting[k];
        offsets[count] = columns * this.held[k];
        this.held[k] += 1;
        this.counts[k] += 1;
        count += 1;
        if (this.held[k] === this.perPiece) full.push(k);
      }
      for (let c = 0; c < columns; c += TILE) {
        const end = Math.min(columns, c + TILE);
        for (let i = 0; i < count; i++) {
          const out = targets[i];
          let to = offsets[i] + c;
          for (let k = c; k < end; k++) out[to++] = values[k * rows + from + i];
        }
      }
      from += count;
      for (const k of full) this.flush(k);
    }
  }

  private flush(k: number): void {
    const bytes = 4 * this.columns * this.perPiece;
    writingTemporary(this.parent, () =>
      writeAll(this.file, new Uint8Array(this.waiting[k].buffer), this.end),
    );
    this.pieces[k].push(this.end);
    this.end += bytes;
    this.held[k] = 0;
  }

  seal(): Shuffled {
    const { columns } = this;
    const starts = new Float64Array(LABELS + 1);
    for (let k = 0; k < LABELS; k++) starts[k + 1] = starts[k] + this.counts[k];
    const loaded = new Map<number, { rows: Float32Array; order: Uint32Array }>();
    const rowsOf = (k: number) => {
      const known = loaded.get(k);
      if (known) return known;
      const part = { rows: this.load(k), order: orderWithin(this.seed, k, this.counts[k]) };
      loaded.set(k, part);
      return part;
    };
    let first = 0;
    return {
      rows: starts[LABELS],
      gather(column, from, to, out, at) {
        while (starts[first + 1] <= from && first < LABELS - 1) loaded.delete(first++);
        for (let k = first; k < LABELS && starts[k] < to; k++) {
          const { rows, order } = rowsOf(k);
          const begin = Math.max(from, starts[k]);
          const end = Math.min(to, starts[k + 1]);
          for (let place = begin; place < end; place++) {
            out[at + place - from] = rows[columns * order[place - starts[k]] + column];
          }
        }
      },
    };
  }

  private load(k: number): Float32Array {
    const rows = new Float32Array(this.columns * this.counts[k]);
    const bytes = new Uint8Array(rows.buffer);
    const size = 4 * this.columns * this.perPiece;
    this.pieces[k].forEach((offset, i) => {
      readSync(this.file, bytes, i * size, size, offset);
    });
    rows.set(
      this.waiting[k].subarray(0, this.columns * this.held[k]),
      this.pieces[k].length * this.columns * this.perPiece,
    );
    return rows;
  }

  close(): void {
    closeSync(this.file);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const TILE = 32;
