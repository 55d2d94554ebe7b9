/** The rows of a text file with a separator, as places in its bytes: nothing is copied or decoded here. */

import { SparrowError } from "../../errors.js";
import { type DataFile, isAboutBytes, joined } from "../packed/data-file.js";
import { damaged, raggedRow } from "../read-errors.js";

const [NEWLINE, RETURN] = [10, 13];
/** The longest line that is taken. */
const LONGEST = 1 << 28;

export interface Cutting {
  /** For messages. */
  readonly name: string;
  /** One byte each; no quote is -1. */
  readonly delimiter: number;
  readonly quote: number;
  readonly columns: number;
  /** Lines before the first row, empty ones among them. */
  readonly skipped: number;
  readonly onRead?: (bytes: number) => void;
}

/** One row; good until the next one is asked for. Cell `c` lies in `bytes` from `starts[c]` to `ends[c]`. */
export interface CutRow {
  bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Whether quotes stand inside the cell, two for one. */
  readonly doubled: Uint8Array;
  /** From 1; that of the header, where there is one, does not count. */
  number: number;
}

/** Some rows at a time: waiting for each by itself would take longer than cutting it. */
export async function* cutRows(file: DataFile, cutting: Cutting): AsyncGenerator<Iterable<CutRow>> {
  const cutter = new Cutter(cutting);
  let waiting: Uint8Array[] = [];
  let held = 0;
  let isFirst = true;
  try {
    for await (const chunk of file.bytes(cutting.onRead)) {
      waiting.push(isFirst ? withoutMark(chunk) : chunk);
      isFirst = false;
      held += chunk.length;
      if (held > LONGEST)
        throw new SparrowError(`${cutting.name} has a line that is too long to be a row.`, "format");
      // A long row comes in many pieces: it is cut once, when its end has come.
      if (!chunk.includes(NEWLINE) && !chunk.includes(RETURN)) continue;
      const bytes = joined(waiting);
      let at = 0;
      // Whoever stops in the midst of them has no use for the rest.
      yield cutter.rows(bytes, false, (end) => {
        at = end;
      });
      waiting = at < bytes.length ? [bytes.subarray(at)] : [];
      held = bytes.length - at;
    }
  } catch (error) {
    throw isAboutBytes(error) ? damaged(cutting.name) : error;
  }
  yield cutter.rows(joined(waiting), true);
}

const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

class Cutter {
  readonly row: CutRow;
  /** Whether what was cut last is a row: neither empty nor one of those to skip. */
  isRow = false;
  private left: number;
  /** Where the cell that was read last ended, before its quote. */
  private end = 0;
  private isDoubled = false;
  /** Whether the first cell that is too many is empty. */
  private isNothing = false;

  constructor(private readonly cutting: Cutting) {
    const { columns, skipped } = cutting;
    this.left = skipped;
    this.row = {
      bytes: new Uint8Array(0),
      starts: new Uint32Array(columns),
      ends: new Uint32Array(columns),
      doubled: new Uint8Array(columns),
      number: 0,
    };
  }

  /** The rows that end in these bytes; `onEnd` hears how far they go. */
  *rows(bytes: Uint8Array, isLast: boolean, onEnd?: (at: number) => void): Generator<CutRow> {
    for (let at = 0; at < bytes.length; ) {
      const next = this.cut(bytes, at, isLast);
      if (next < 0) break;
      at = next;
      onEnd?.(at);
      if (this.isRow) yield this.row;
    }
  }

  /** Cuts the row that starts at `at` and returns where the next one does; -1 where its end has not come. */
  cut(bytes: Uint8Array, at: number, isLast: boolean): number {
    const { delimiter, quote, columns } = this.cutting;
    const { starts, ends, doubled } = this.row;
    const { length } = bytes;
    const from = at;
    let cell = 0;
    for (;;) {
      let start = at;
      let end = at;
      let isDoubled = false;
      if (at < length && bytes[at] === quote) {
        start += 1;
        this.isDoubled = false;
        at = this.quoted(bytes, start);
        if (at < 0 && !isLast) return -1;
        if (at < 0) throw this.unclosed();
        end = this.end;
        isDoubled = this.isDoubled;
      } else {
        for (; at < length; at++) {
          const byte = bytes[at];
          // Most bytes are above both ends of lines.
          if (byte === delimiter || (byte <= RETURN && (byte === NEWLINE || byte === RETURN))) break;
        }
        end = at;
      }
      if (cell < columns) {
        starts[cell] = start;
        ends[cell] = end;
        doubled[cell] = isDoubled ? 1 : 0;
      } else if (cell === columns) this.isNothing = start === end;
      cell += 1;
      if (at < length && bytes[at] === delimiter) at += 1;
      else break;
    }
    // Whether a line ends with one character or two shows with the next byte.
    if (!isLast && (at >= bytes.length || (bytes[at] === RETURN && at + 1 === bytes.length))) return -1;
    this.close(bytes, cell, at === from);
    if (bytes[at] === RETURN && bytes[at + 1] === NEWLINE) at += 1;
    return at + 1;
  }

  /** The end of a quoted cell, behind its quote; -1 where it has not come. */
  private quoted(bytes: Uint8Array, from: number): number {
    const { delimiter, quote } = this.cutting;
    let at = bytes.indexOf(quote, from);
    while (at >= 0 && bytes[at + 1] === quote) {
      this.isDoubled = true;
      at = bytes.indexOf(quote, at + 2);
    }
    if (at < 0) return -1;
    this.end = at;
    const next = bytes[at + 1];
    if (next !== undefined && next !== delimiter && next !== NEWLINE && next !== RETURN)
      throw this.unclosed();
    return at + 1;
  }

  private close(bytes: Uint8Array, cells: number, isEmpty: boolean): void {
    const { name, columns } = this.cutting;
    // Of a single column, an empty line is a missing value.
    this.isRow = this.left === 0 && (!isEmpty || columns === 1);
    if (this.left > 0) this.left -= 1;
    if (!this.isRow) return;
    this.row.bytes = bytes;
    this.row.number += 1;
    // Some programs end a row with a separator: there is no value behind it.
    if (cells === columns || (cells === columns + 1 && this.isNothing)) return;
    throw raggedRow(name, this.row.number, cells, columns);
  }

  private unclosed(): SparrowError {
    const { name } = this.cutting;
    return new SparrowError(
      `${name} has a quoted value in row ${this.row.number + 1} that never ends or is followed by more text; check the quotes.`,
      "format",
    );
  }
}
