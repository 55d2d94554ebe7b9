/**
 * What a text file is written in. UTF-16 knows itself by its first bytes, and what is no UTF-8 is taken for the letters
 * of Western Europe (Windows-1252, which Latin-1 is a part of). That is said, since it is a guess.
 */

import { SparrowError } from "../../errors.js";
import { type DataFile, firstBytes } from "./data-file.js";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** Bytes of a file, unpacked, that are looked at. */
const FIRST = 1 << 20;

/** What else is wrong with the file whoever reads it in earnest will say. */
export async function encodingOfFile(file: DataFile, known?: "latin1"): Promise<Encoding> {
  const encoding = encodingOf(await firstBytes(file, FIRST).catch(() => new Uint8Array(0)), known);
  if (encoding) return encoding;
  throw new SparrowError(
    `${file.name} is no text file; give it the ending of what it is (.xlsx, .parquet), or save it as text.`,
    "format",
  );
}

/** Undefined for bytes that no text has. */
export function encodingOf(start: Uint8Array, known?: "latin1"): Encoding | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  const looked = Math.min(start.length, 4096) & ~1;
  for (let i = 0; i < looked; i++) if (start[i] === 0) zeros[i % 2] += 1;
  if (looked >= 8 && zeros[1] > looked / 4 && zeros[0] === 0) return "utf-16le";
  if (looked >= 8 && zeros[0] > looked / 4 && zeros[1] === 0) return "utf-16be";
  if (known === "latin1") return "windows-1252";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
    return "utf-8";
  } catch {
    return zeros[0] + zeros[1] > 0 ? undefined : "windows-1252";
  }
}

/** What is to be said of files that are not all UTF-8. */
export function encodingNote(name: string, encodings: readonly Encoding[]): string {
  const wide = encodings.some((encoding) => encoding.startsWith("utf-16"));
  return wide
    ? `${name} is written in UTF-16 and was read as such.`
    : `${name} is not UTF-8: it was read as Windows-1252 (Latin-1), so letters beyond the English ones may be wrong.`;
}

/** The text of a file, a piece at a time. */
export async function* decodedText(file: DataFile, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of file.bytes()) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
