/** Answers in ClickHouse's RowBinary: a row is its values, one after the other; nothing says where it ends but the types. */

import type { RawChunk } from "../../tables/judge/raw-table.js";
import type { AnswerType } from "../engine.js";

/** Rows handed over at a time. */
const CHUNK_ROWS = 4096;

/** Chunks of whole rows; bytes that make no row at the end are returned, for they are what went wrong. */
export async function* rowBinary(
  stream: AsyncIterable<Uint8Array>,
  types: readonly AnswerType[],
): AsyncGenerator<RawChunk, Uint8Array> {
  let left: Buffer = Buffer.alloc(0);
  let page = emptyPage(types);
  for await (const bytes of stream) {
    left = left.length === 0 ? Buffer.from(bytes) : Buffer.concat([left, bytes]);
    let at = 0;
    for (;;) {
      const end = readRow(left, at, types, page);
      if (end < 0) break;
      at = end;
      page.rows += 1;
      if (page.rows === CHUNK_ROWS) {
        yield page;
        page = emptyPage(types);
      }
    }
    left = left.subarray(at);
  }
  if (page.rows > 0) yield page;
  return left;
}

interface Page {
  rows: number;
  readonly columns: (Float64Array | (string | null)[])[];
}

function emptyPage(types: readonly AnswerType[]): Page {
  return { rows: 0, columns: types.map((type) => (type === "number" ? new Float64Array(CHUNK_ROWS) : [])) };
}

/** Where the row ends that begins here, or −1 where it is not all there. */
function readRow(bytes: Buffer, from: number, types: readonly AnswerType[], page: Page): number {
  let at = from;
  for (let c = 0; c < types.length; c++) {
    const column = page.columns[c];
    if (types[c] === "number") {
      if (at + 8 > bytes.length) return -1;
      column[page.rows] = bytes.readDoubleLE(at);
      at += 8;
      continue;
    }
    // A text that may be missing has a byte in front that says whether it is, then its length and its bytes.
    if (at >= bytes.length) return -1;
    if (bytes[at++] === 1) {
      column[page.rows] = null;
      continue;
    }
    let [length, scale] = [0, 1];
    for (;;) {
      if (at >= bytes.length) return -1;
      const byte = bytes[at++];
      length += (byte & 127) * scale;
      scale *= 128;
      if (byte < 128) break;
    }
    if (at + length > bytes.length) return -1;
    column[page.rows] = bytes.toString("utf8", at, at + length);
    at += length;
  }
  return at;
}

/** Rows as ClickHouse reads them: numbers as float64, texts with their length in front. */
export function written(
  columns: readonly (ArrayLike<number> | readonly string[])[],
  from: number,
  to: number,
): Buffer {
  const pieces: Buffer[] = [];
  for (let i = from; i < to; i++) {
    for (const values of columns) {
      const value = values[i];
      if (typeof value === "number") {
        const bytes = Buffer.alloc(8);
        bytes.writeDoubleLE(value);
        pieces.push(bytes);
      } else {
        const text = Buffer.from(value, "utf8");
        pieces.push(lengthOf(text.length), text);
      }
    }
  }
  return Buffer.concat(pieces);
}

/** Seven bits a byte, the lowest first. */
function lengthOf(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return Buffer.from([...bytes, rest]);
}
