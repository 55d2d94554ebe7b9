/**
 * A stage for more rows than memory holds. Rows wait in memory until they take up `limit` bytes; then they, and all
 * that follow, go to a file by label (see order.ts), a piece at a time. Given back in order, only the rows of the
 * labels that a block touches are in memory.
 */

import { closeSync, openSync, readSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writingTemporary } from "../../errors.js";
import { type TemporaryFolder, temporaryFolder } from "../../files/temporary.js";
import { LABELS, orderWithin, rowLabels } from "./order.js";
import {
  type Field,
  type RowLayout,
  type RowStage,
  type Shuffled,
  shuffledPile,
  type Trays,
} from "./row-stage.js";
import { writeAll } from "./write-all.js";

export function spillingStage<Chunk, Part>(
  rows: RowLayout<Chunk, Part>,
  seed: number,
  limit: number,
  folder = tmpdir(),
): RowStage<Chunk, Part> {
  const pile = rows.pile();
  let spill: Spill<Chunk, Part> | undefined;
  return {
    get spilled() {
      return spill !== undefined;
    },
    append(chunk) {
      if (spill) {
        spill.append(chunk);
        return;
      }
      pile.add(chunk);
      if (pile.bytes <= limit) return;
      const opened = new Spill(rows, seed, folder);
      spill = opened;
      pile.pour((each) => opened.append(each));
    },
    seal: () => (spill ? spill.seal() : shuffledPile(pile, seed)),
    close() {
      pile.clear();
      spill?.close();
    },
  };
}

/** What a tray held when it was written: where it is, and how many numbers of each field. */
interface Piece {
  readonly at: number;
  readonly lengths: readonly number[];
}

class Spill<Chunk, Part> {
  private readonly folder: TemporaryFolder;
  private readonly file: number;
  private readonly label: () => number;
  /** A tray, a number of rows and the pieces written so far, of every label. */
  private readonly trays: Trays<Chunk>;
  private readonly counts = new Uint32Array(LABELS);
  private readonly pieces: Piece[][] = Array.from({ length: LABELS }, () => []);
  private end = 0;

  constructor(
    private readonly rows: RowLayout<Chunk, Part>,
    private readonly seed: number,
    private readonly parent: string,
  ) {
    this.folder = temporaryFolder(parent);
    this.file = openSync(join(this.folder.path, "rows"), "wx+");
    this.label = rowLabels(seed);
    this.trays = rows.trays(LABELS);
  }

  append(chunk: Chunk): void {
    this.trays.deal(chunk, this.draw, this.write);
  }

  private readonly draw = (): number => {
    const k = this.label();
    this.counts[k] += 1;
    return k;
  };

  private readonly write = (k: number): void => {
    const fields = this.trays.fields(k);
    this.pieces[k].push({ at: this.end, lengths: fields.map(({ length }) => length) });
    for (const field of fields) {
      const bytes = new Uint8Array(field.buffer, field.byteOffset, field.byteLength);
      writingTemporary(this.parent, () => writeAll(this.file, bytes, this.end));
      this.end += bytes.length;
    }
    this.trays.empty(k);
  };

  seal(): Shuffled<Part> {
    const starts = new Float64Array(LABELS + 1);
    for (let k = 0; k < LABELS; k++) starts[k + 1] = starts[k] + this.counts[k];
    const loaded: (Part | undefined)[] = new Array(LABELS).fill(undefined);
    let first = 0;
    return {
      rows: starts[LABELS],
      visit: (from, to, use) => {
        for (; first < LABELS - 1 && starts[first + 1] <= from; first++) loaded[first] = undefined;
        for (let k = first; k < LABELS && starts[k] < to; k++) {
          const begin = Math.max(from, starts[k]) - starts[k];
          const end = Math.min(to, starts[k + 1]) - starts[k];
          if (begin >= end) continue;
          const part = loaded[k] ?? this.load(k);
          loaded[k] = part;
          use(part, begin, end);
        }
      },
    };
  }

  /** All rows of a label: the pieces, and behind them what still waits. */
  private load(k: number): Part {
    const pieces = this.pieces[k];
    const next = pieces.map(({ at }) => at);
    const fields = this.trays.fields(k).map((waiting, f) => {
      const written = pieces.reduce((sum, { lengths }) => sum + lengths[f], 0);
      const field = emptyLike(waiting, written + waiting.length);
      let done = 0;
      pieces.forEach(({ lengths }, i) => {
        const part = field.subarray(done, done + lengths[f]);
        readSync(this.file, part, 0, part.byteLength, next[i]);
        next[i] += part.byteLength;
        done += lengths[f];
      });
      field.set(waiting, done);
      return field;
    });
    return this.rows.joined(fields, orderWithin(this.seed, k, this.counts[k]));
  }

  close(): void {
    closeSync(this.file);
    this.folder.remove();
  }
}

function emptyLike(field: Field, length: number): Field {
  if (field instanceof Float32Array) return new Float32Array(length);
  return field instanceof Float64Array ? new Float64Array(length) : new Uint32Array(length);
}
