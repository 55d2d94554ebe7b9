/** Files and folders that are there whole or not at all. */

import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { writing } from "../errors.js";
import type { Claim } from "./claim.js";
import { settle } from "./durable.js";

/** Writes a new file, never over another and never through a link, and sees to it that it is on the disk. */
export function writeNew(path: string, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const file = openSync(path, "wx");
  try {
    writeAll(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function writeWhole(claimed: Claim, content: string | Uint8Array): void {
  writing(claimed.path, () => writeNew(claimed.partial, content));
  claimed.publish();
}

/** The same piece by piece, for a file that is too long for one text; a signal is heard in between. */
export async function writePieces(
  claimed: Claim,
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const { path, partial } = claimed;
  const file = writing(path, () => openSync(partial, "wx"));
  try {
    for await (const piece of pieces) {
      const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
      writing(path, () => writeAll(file, bytes));
      await setImmediate();
      signal?.throwIfAborted();
    }
  } finally {
    closeSync(file);
  }
  claimed.publish();
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** A file's content, or what writes it to a path. */
export type FileContent = string | Uint8Array | ((path: string) => Promise<void>);

export interface FolderOptions {
  /** Written when all other files are there, from the folder that holds them. */
  readonly last?: (folder: string) => Readonly<Record<string, string>>;
  /** Hears how many files are there. */
  readonly onFile?: ((written: number) => void) | undefined;
}

export async function writeFolder(
  claimed: Claim,
  files: Readonly<Record<string, FileContent>>,
  { last, onFile }: FolderOptions = {},
): Promise<void> {
  const { path, partial } = claimed;
  writing(path, () => mkdirSync(partial));
  for (const [i, [name, content]] of Object.entries(files).entries()) {
    onFile?.(i);
    const file = join(partial, name);
    if (typeof content !== "function") writing(path, () => writeNew(file, content));
    else {
      await content(file);
      writing(path, () => settle(file));
    }
  }
  for (const [name, content] of Object.entries(last?.(partial) ?? {})) {
    writing(path, () => writeNew(join(partial, name), content));
  }
  claimed.publish();
}
