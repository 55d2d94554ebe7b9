/**
 * Text files that are not UTF-8, as files that are: UTF-16 knows itself by its first bytes, and what is no UTF-8 is
 * taken for the letters of Western Europe (Windows-1252, which Latin-1 is a part of). That is said, since it is a guess.
 */

import { createWriteStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { temporaryError } from "../../errors.js";
import { temporaryFolder } from "../../files/temporary.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { bytesOf } from "./bytes.js";

type Open = (paths: readonly string[], settings: ReaderSettings) => Promise<ColumnTable>;
type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

export async function asUtf8(
  paths: readonly string[],
  settings: ReaderSettings,
  open: Open,
): Promise<ColumnTable> {
  const encodings: Encoding[] = [];
  for (const path of paths) encodings.push(encodingOf(await firstPart(path), settings.encoding));
  if (encodings.every((encoding) => encoding === "utf-8")) return open(paths, settings);
  const { path: folder, remove } = temporaryFolder();
  try {
    const copies: string[] = [];
    for (const [i, path] of paths.entries()) {
      copies.push(join(folder, `${i}.txt`));
      await transcode(path, encodings[i], copies[i]);
    }
    const table = await open(copies, settings);
    const note = noteOf(settings.name, encodings);
    return {
      ...table,
      remarks: (columns) => [note, ...(table.remarks?.(columns) ?? [])],
      close() {
        table.close?.();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function noteOf(name: string, encodings: readonly Encoding[]): string {
  const wide = encodings.some((encoding) => encoding.startsWith("utf-16"));
  return wide
    ? `${name} is written in UTF-16 and was read as such.`
    : `${name} is not UTF-8: it was read as Windows-1252 (Latin-1), so letters beyond the English ones may be wrong.`;
}

/** Bytes of a file, unpacked, that are looked at. */
const FIRST = 1 << 20;

async function firstPart(path: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of bytesOf(path)) {
      parts.push(chunk);
      length += chunk.length;
      if (length >= FIRST) break;
    }
  } catch {
    // Whoever reads the file in earnest will say what is wrong with it.
  }
  return Buffer.concat(parts).subarray(0, FIRST);
}

export function encodingOf(start: Buffer, known?: "latin1"): Encoding {
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
    // Other bytes that no text has: whoever reads the file will refuse it.
    return zeros[0] + zeros[1] > 0 ? "utf-8" : "windows-1252";
  }
}

async function transcode(from: string, encoding: Encoding, to: string): Promise<void> {
  const decoder = new TextDecoder(encoding);
  const texts = async function* () {
    for await (const chunk of bytesOf(from)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  };
  await pipeline(Readable.from(texts()), createWriteStream(to)).catch((error) => {
    throw temporaryError(tmpdir(), error);
  });
}
