/**
 * LIBSVM and SVMlight files: `label [qid:q] index:value …  # comment`, indices from 1 and rising. Read byte by byte,
 * never as strings; numbers by an exact fast path (up to 15 digits and a power of ten that doubles hold exactly), by
 * `Number` otherwise.
 */

import { SparrowError } from "../../errors.js";
import { type DataFile, isAboutBytes, joined, sizeOf } from "../packed/data-file.js";
import type { EntryTable, SparseChunk } from "../table.js";

/** Entries handed over at a time. */
const CHUNK_ENTRIES = 1 << 18;
const MAX_INDEX = 2 ** 31;
const LONGEST_LINE = 2 ** 28;

export function libsvmTable(files: readonly DataFile[], name: string): EntryTable {
  const total = sizeOf(files);
  return {
    by: "entries",
    name,
    target: "label",
    bytes: total,
    async *chunks(): AsyncIterable<SparseChunk> {
      let read = 0;
      for (const file of files) {
        const called = files.length === 1 ? name : file.name;
        const parser = new LineParser(called);
        const bytes = file.bytes((count) => {
          read += count;
        });
        try {
          for await (const chunk of bytes) {
            parser.feed(chunk);
            if (parser.full) yield { ...parser.take(), share: read / total };
          }
        } catch (error) {
          if (!isAboutBytes(error)) throw error;
          throw new SparrowError(
            `${called} is damaged or was cut short: ${(error as Error).message}.`,
            "format",
          );
        }
        parser.end();
        if (parser.rows > 0) yield { ...parser.take(), share: read / total };
      }
    },
  };
}

const NEWLINE = 10;
const RETURN = 13;
const TAB = 9;
const SPACE = 32;
const HASH = 35;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const COLON = 58;

/** 10⁰ … 10²²: the powers of ten that are exact in a double. */
const POWERS = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$|^[+-]?infinity$/i;

export class LineParser {
  rows = 0;
  private line = 1;
  private target = new Float64Array(4096);
  private starts = new Uint32Array(4097);
  private columns = new Uint32Array(CHUNK_ENTRIES);
  private values = new Float64Array(CHUNK_ENTRIES);
  private entries = 0;
  /** The line that has begun but not ended. */
  private rest: Uint8Array[] = [];
  private waiting = 0;
  /** Where the number that was read last ended. */
  private at = 0;

  constructor(private readonly name: string) {}

  get full(): boolean {
    return this.entries >= CHUNK_ENTRIES / 2 || this.rows >= 65_536;
  }

  take(): SparseChunk {
    const { rows, entries } = this;
    const chunk = {
      rows,
      target: this.target.slice(0, rows),
      starts: this.starts.slice(0, rows + 1),
      columns: this.columns.slice(0, entries),
      values: this.values.slice(0, entries),
    };
    this.rows = 0;
    this.entries = 0;
    return chunk;
  }

  feed(chunk: Uint8Array): void {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.wait(chunk);
      return;
    }
    const bytes = this.rest.length > 0 ? joined([...this.rest, chunk]) : chunk;
    const end = bytes.length - chunk.length + last + 1;
    this.rest = [];
    this.waiting = 0;
    if (end < bytes.length) this.wait(bytes.subarray(end));
    for (let at = 0; at < end; ) at = this.readLine(bytes, at, end);
  }

  private wait(part: Uint8Array): void {
    this.rest.push(part);
    this.waiting += part.length;
    if (this.waiting > LONGEST_LINE) throw this.problem("there are 256 MB without the end of a line");
  }

  /** The last line may lack its newline. */
  end(): void {
    const { rest, waiting } = this;
    this.rest = [];
    this.waiting = 0;
    if (waiting > 0) this.readLine(joined([...rest, Uint8Array.of(NEWLINE)]), 0, waiting + 1);
  }

  /** Reads the line that starts at `at` and returns where the next one does. */
  private readLine(bytes: Uint8Array, at: number, end: number): number {
    at = skipBlanks(bytes, at);
    if (bytes[at] === NEWLINE || bytes[at] === HASH) return this.nextLine(bytes, at);
    const label = this.number(bytes, at);
    if (!Number.isFinite(label) || !isBlank(bytes[this.at])) {
      throw this.problem(`the label "${word(bytes, at)}" is not a number`);
    }
    let previous = 0;
    const first = this.entries;
    at = skipBlanks(bytes, this.at);
    while (bytes[at] !== NEWLINE && bytes[at] !== HASH) {
      let index = 0;
      let digit = bytes[at] - ZERO;
      const from = at;
      while (digit >= 0 && digit <= 9) {
        index = 10 * index + digit;
        digit = bytes[++at] - ZERO;
      }
      if (at === from || bytes[at] !== COLON || index > MAX_INDEX) {
        if (/^qid:-?\d+$/.test(word(bytes, from))) {
          at = skipBlanks(bytes, from + word(bytes, from).length);
          continue;
        }
        throw this.badPair(word(bytes, from));
      }
      if (index <= previous) throw this.badIndex(index, previous);
      const value = this.number(bytes, at + 1);
      if (this.at === at + 1 || !isBlank(bytes[this.at])) throw this.badPair(word(bytes, from));
      if (!(Math.abs(value) <= 3.4028234663852886e38)) {
        throw this.problem(
          `index ${index} has the value ${word(bytes, at + 1)}, which is not a number that single precision holds`,
        );
      }
      previous = index;
      if (this.entries === this.columns.length) this.grow();
      if (value !== 0) {
        this.columns[this.entries] = index - 1;
        this.values[this.entries++] = value;
      }
      at = skipBlanks(bytes, this.at);
      if (at >= end) break;
    }
    if (this.rows + 1 >= this.starts.length) this.growRows();
    this.target[this.rows] = label;
    this.starts[this.rows] = first;
    this.starts[++this.rows] = this.entries;
    return this.nextLine(bytes, at);
  }

  private nextLine(bytes: Uint8Array, at: number): number {
    this.line += 1;
    return bytes.indexOf(NEWLINE, at) + 1;
  }

  /** The number at `from`; `this.at` is where it ends. NaN if there is none. */
  private number(bytes: Uint8Array, from: number): number {
    let at = from;
    const sign = bytes[at] === MINUS ? -1 : 1;
    if (bytes[at] === MINUS || bytes[at] === PLUS) at += 1;
    let digits = 0;
    let count = 0;
    let scale = 0;
    const start = at;
    let digit = bytes[at] - ZERO;
    while (digit >= 0 && digit <= 9) {
      digits = 10 * digits + digit;
      if (digits > 0) count += 1;
      digit = bytes[++at] - ZERO;
    }
    let seen = at - start;
    if (bytes[at] === DOT) {
      const point = ++at;
      digit = bytes[at] - ZERO;
      while (digit >= 0 && digit <= 9) {
        digits = 10 * digits + digit;
        if (digits > 0) count += 1;
        digit = bytes[++at] - ZERO;
      }
      scale = at - point;
      seen += scale;
    }
    this.at = at;
    if (seen > 0 && count <= 15 && scale <= 22 && (isBlank(bytes[at]) || bytes[at] === COLON)) {
      return (sign * digits) / POWERS[scale];
    }
    const text = word(bytes, from);
    this.at = from + text.length;
    return DECIMAL.test(text) ? Number(text) : Number.NaN;
  }

  private grow(): void {
    const columns = new Uint32Array(2 * this.columns.length);
    columns.set(this.columns);
    this.columns = columns;
    const values = new Float64Array(columns.length);
    values.set(this.values);
    this.values = values;
  }

  private growRows(): void {
    const target = new Float64Array(2 * this.target.length);
    target.set(this.target);
    this.target = target;
    const starts = new Uint32Array(target.length + 1);
    starts.set(this.starts);
    this.starts = starts;
  }

  private badIndex(index: number, previous: number): SparrowError {
    if (index === 0) return this.problem("an index is 0, but indices start at 1");
    if (index === previous) return this.problem(`index ${index} comes twice`);
    return this.problem(`index ${index} comes after ${previous}, but indices must rise`);
  }

  private badPair(text: string): SparrowError {
    if (/^-\d+:/.test(text))
      return this.problem(`index ${text.split(":")[0]} is negative, but indices start at 1`);
    return this.problem(`"${text.slice(0, 40)}" is not of the form index:value`);
  }

  private problem(what: string): SparrowError {
    return new SparrowError(`${this.name}: in line ${this.line} ${what}; correct the line.`, "format");
  }
}

function skipBlanks(bytes: Uint8Array, at: number): number {
  let c = bytes[at];
  while (c === SPACE || c === TAB || c === RETURN) c = bytes[++at];
  return at;
}

function isBlank(c: number): boolean {
  return c === SPACE || c === NEWLINE || c === RETURN || c === TAB || c === HASH;
}

const utf8 = new TextDecoder();

/** Longer words than this are no numbers. */
const LONGEST_WORD = 4096;

function word(bytes: Uint8Array, from: number): string {
  let to = from;
  const most = Math.min(bytes.length, from + LONGEST_WORD);
  while (to < most && !isBlank(bytes[to])) to += 1;
  return utf8.decode(bytes.subarray(from, to));
}
