/**
 * Writes a store to disk, block by block: a new file, removed where it does not come to its end, unless somebody keeps
 * how far it has come, so that another process can go on.
 */

import { closeSync, constants, existsSync, fsyncSync, openSync, readSync, rmSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { writing } from "../../errors.js";
import { type Description, dataStart, endsOf, HEADER_BYTES } from "../layout/format.js";
import type { Blocks } from "./blocks.js";
import type { Imported } from "./read-table.js";
import { writeAll } from "./write-all.js";

export interface WriteStoreOptions {
  /** Does what writes and, where it fails, says why; names the file unless told otherwise. */
  readonly attempt?: (<T>(action: () => T) => T) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the rows written so far. */
  readonly onProgress?: ((rows: number) => void) | undefined;
  readonly keeping?: StoreKeeping | undefined;
}

export interface StoreKeeping {
  /** How far the file had come in a process that is gone. */
  readonly saved: unknown;
  /** Keeps how far it has come, where it is time to, or at once. */
  keep(state: () => WrittenSoFar, now?: boolean): void;
}

/** What tells whether a file goes on to be this store, and which of its blocks are there. */
export interface WrittenSoFar {
  readonly description: string;
  readonly blocks: number;
  readonly tables: Tables;
}

interface Tables {
  readonly runChecksums: Uint32Array;
  readonly sparseChecksums: Uint32Array;
  /** Where the sparse part of each block begins behind the start of the data, and where the last one ends. */
  readonly starts: Float64Array;
}

/** Bytes gathered before they are written. */
const PIECE = 1 << 23;
/** Milliseconds between two turns of the event loop, in which signals are heard. */
const TURN = 50;

export async function writeStore(
  { blocks, record }: Imported,
  path: string,
  options: WriteStoreOptions = {},
): Promise<void> {
  const { keeping, signal } = options;
  const { layout, names, shift, slots } = blocks;
  const attempt = options.attempt ?? ((action) => writing(path, action));
  const description: Description = { layout, names, sparse: slots !== undefined, record };
  const text = Buffer.from(JSON.stringify(description));
  const before = existsSync(path) ? begunBefore(keeping?.saved, text, blocks) : undefined;
  const file = attempt(() => opened(path, keeping, before));
  let open = true;
  try {
    const data = dataStart(text.length);
    const put = (bytes: Uint8Array, at: number) => attempt(() => writeAll(file, bytes, at));
    put(text, HEADER_BYTES);
    const tables = before?.tables ?? emptyTables(blocks);
    const writer = blockWriter(blocks, tables, put, data);
    let paused = performance.now();
    for (let b = 0; b < layout.blocks; b++) {
      const soFar = (): WrittenSoFar => {
        attempt(() => fsyncSync(file));
        return { description: text.toString(), blocks: b, tables };
      };
      keeping?.keep(soFar, signal?.aborted);
      signal?.throwIfAborted();
      if (!(before && b < before.blocks && writer.isThere(b, file))) writer.write(b);
      options.onProgress?.(Math.round(((b + 1) / layout.blocks) * layout.rows));
      if (performance.now() - paused < TURN) continue;
      await setImmediate();
      paused = performance.now();
    }
    const bytes = slots ? tables.starts[layout.blocks] : layout.bytes;
    const ends = endsOf(text, bytes, { shift, slots: slots ?? new Int32Array(0), ...tables });
    put(ends.tables, ends.at);
    put(ends.header, 0);
    attempt(() => fsyncSync(file));
    closeSync(file);
    open = false;
  } catch (error) {
    if (open) closeSync(file);
    if (!keeping) rmSync(path, { force: true });
    throw error;
  }
}

/** Never through a link, and never over anything but what this store had come to. */
function opened(path: string, keeping: StoreKeeping | undefined, before: WrittenSoFar | undefined): number {
  if (before) return openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  if (keeping) rmSync(path, { force: true });
  return openSync(path, "wx+");
}

function emptyTables({ layout, slots }: Blocks): Tables {
  const starts = new Float64Array(slots ? layout.blocks + 1 : 0);
  if (slots) starts[0] = layout.bytes;
  return {
    runChecksums: new Uint32Array(layout.blocks * (layout.dense + 1)),
    sparseChecksums: new Uint32Array(slots ? layout.blocks : 0),
    starts,
  };
}

/** Undefined where it is not this store that was begun. The description tells the data: it has their checksum. */
function begunBefore(saved: unknown, text: Buffer, blocks: Blocks): WrittenSoFar | undefined {
  const { description, tables } = (saved ?? {}) as Partial<WrittenSoFar>;
  if (description !== text.toString() || tables === undefined) return undefined;
  const same = Object.entries(emptyTables(blocks)).every(([name, table]) => {
    const found = tables[name as keyof Tables];
    return found?.length === table.length && found.constructor === table.constructor;
  });
  return same ? (saved as WrittenSoFar) : undefined;
}

/** `data` is where the blocks begin in the file. */
function blockWriter(
  blocks: Blocks,
  { runChecksums, sparseChecksums, starts }: Tables,
  put: (bytes: Uint8Array, at: number) => void,
  data: number,
) {
  const { layout, slots } = blocks;
  const runs = layout.dense + 1;
  const runBytes = 4 * layout.stride;
  const perPiece = Math.max(1, Math.floor(PIECE / runBytes));
  const piece = new Float32Array(Math.min(runs, perPiece) * layout.stride);
  const bytes = new Uint8Array(piece.buffer);
  const checksumOf = (i: number) => crc32(bytes.subarray(i * runBytes, (i + 1) * runBytes));
  const isRead = (file: number, into: Uint8Array, at: number) =>
    readSync(file, into, 0, into.length, at) === into.length;
  return {
    write(b: number): void {
      for (let first = 0; first < runs; first += perPiece) {
        const count = Math.min(runs - first, perPiece);
        piece.fill(0);
        for (let i = 0; i < count; i++) {
          blocks.run(b, first + i, piece, i * layout.stride);
          runChecksums[b * runs + first + i] = checksumOf(i);
        }
        put(bytes.subarray(0, count * runBytes), data + runBytes * (b * runs + first));
      }
      if (!slots) return;
      const words = blocks.sparse(b);
      const part = Buffer.alloc(16 * Math.ceil(words.byteLength / 16));
      part.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
      sparseChecksums[b] = crc32(part);
      put(part, data + starts[b]);
      starts[b + 1] = starts[b] + part.length;
    },

    /** Whether the file holds a block that was written before: a checksum that was kept says nothing of the disk. */
    isThere(b: number, file: number): boolean {
      for (let first = 0; first < runs; first += perPiece) {
        const count = Math.min(runs - first, perPiece);
        const at = data + runBytes * (b * runs + first);
        if (!isRead(file, bytes.subarray(0, count * runBytes), at)) return false;
        for (let i = 0; i < count; i++)
          if (runChecksums[b * runs + first + i] !== checksumOf(i)) return false;
      }
      if (!slots) return true;
      const size = starts[b + 1] - starts[b];
      if (!(size >= 0 && size < 2 ** 32)) return false;
      const part = Buffer.alloc(size);
      return isRead(file, part, data + starts[b]) && sparseChecksums[b] === crc32(part);
    },
  };
}
