import { HEADER_LINES, type Header, headerOf } from "../duckdb/csv-header.js";
import type { Dialect } from "../duckdb/dialect.js";
import { bytesOf } from "../packed/bytes.js";
import { damaged } from "../read-errors.js";

/** Bytes that the first line may take up, and those of the lines that follow it, which only tell how long they are. */
const [FIRST, NEXT] = [1 << 26, 1 << 22];

/** The header of a file, packed or not, without DuckDB. */
export async function firstLines(path: string, dialect: Dialect): Promise<Header> {
  const parts: Buffer[] = [];
  let [length, ends] = [0, 0];
  for await (const chunk of wholeBytes(path)) {
    parts.push(chunk);
    length += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0 && ends < HEADER_LINES; at = chunk.indexOf(10, at + 1))
      ends += 1;
    if (ends >= HEADER_LINES || length > (ends === 0 ? FIRST : NEXT)) break;
  }
  const lines = Buffer.concat(parts)
    .toString()
    .split(/\r\n|\n|\r/);
  // The last one may be cut.
  if (lines.length > 1) lines.pop();
  return headerOf(lines.slice(0, HEADER_LINES), path, dialect);
}

async function* wholeBytes(path: string): AsyncIterable<Buffer> {
  try {
    yield* bytesOf(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? damaged(path) : error;
  }
}
