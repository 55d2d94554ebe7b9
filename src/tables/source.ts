import { closeSync, openSync, readSync } from "node:fs";
import { packingOf } from "./packed/data-file.js";
import { statsOf } from "./paths.js";
import { readError } from "./read-errors.js";
import type { Reader, Source } from "./reader.js";
import { kindByName } from "./readers/kinds.js";

/** Who reads a file or folder: by the ending of its name or, where that says nothing, by what is in it. */
export function readerOf(path: string, readers: readonly Reader[]): Reader | undefined {
  const isFolder = statsOf(path)?.isDirectory() === true;
  const known = isFolder ? undefined : kindByName(path, readers);
  if (known) return known;
  let start: string | undefined;
  const source: Source = {
    path,
    isFolder,
    packing: packingOf(path),
    start() {
      start ??= firstBytes(path, 4096).toString("latin1");
      return start;
    },
  };
  return readers.find((reader) => reader.matches(source));
}

export function firstBytes(path: string, most: number): Buffer {
  const bytes = Buffer.alloc(most);
  const file = opened(path);
  const length = readSync(file, bytes, 0, most, 0);
  closeSync(file);
  return bytes.subarray(0, length);
}

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw readError(path, error);
  }
}
