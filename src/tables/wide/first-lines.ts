import { HEADER_LINES, type Header, headerOf } from "../duckdb/csv-header.js";
import type { Dialect } from "../duckdb/dialect.js";
import { type DataFile, isAboutBytes, joined } from "../packed/data-file.js";
import { damaged } from "../read-errors.js";
import { endlessLine } from "./too-wide.js";

/** Bytes that the first line may take up, and those of the lines that follow it, which only tell how long they are. */
const [FIRST, NEXT] = [1 << 26, 1 << 22];

/** The header of a file, packed or not, without DuckDB. */
export async function firstLines(file: DataFile, dialect: Dialect): Promise<Header> {
  const parts: Uint8Array[] = [];
  let [length, ends] = [0, 0];
  for await (const chunk of wholeBytes(file)) {
    parts.push(chunk);
    length += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0 && ends < HEADER_LINES; at = chunk.indexOf(10, at + 1))
      ends += 1;
    if (length > FIRST && ends === 0 && !parts.some((part) => part.includes(13)))
      throw endlessLine(file.name);
    if (ends >= HEADER_LINES || length > (ends === 0 ? FIRST : NEXT)) break;
  }
  const text = new TextDecoder().decode(joined(parts));
  // A return that is followed by no new line may stand in a name, unless it is what ends the lines.
  const lines = text.split(text.includes("\n") ? "\n" : "\r");
  // The last one may be cut.
  if (lines.length > 1) lines.pop();
  return headerOf(lines.slice(0, HEADER_LINES), file.name, dialect);
}

async function* wholeBytes(file: DataFile): AsyncIterable<Uint8Array> {
  try {
    yield* file.bytes();
  } catch (error) {
    throw isAboutBytes(error) ? damaged(file.name) : error;
  }
}
