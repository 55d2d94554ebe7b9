/**
 * Whether a packed file is whole. DuckDB takes the end of a gz or zst file for the end of its rows, wherever it comes,
 * so a file that was cut would read as a shorter one.
 */

import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { damaged } from "../read-errors.js";
import { blockHeader, FRAME, frameHeader, isSkippable } from "./zstd-frames.js";

/** Fails where a file is not whole; runs beside whoever reads the files. */
export async function checkWhole(paths: readonly string[], signal?: AbortSignal): Promise<void> {
  for (const path of paths) {
    if (/\.gz$/i.test(path)) await checkGzip(path, signal);
    else if (/\.zst$/i.test(path)) await checkZstd(path);
  }
}

/** Nothing but unpacking tells: the length and the checksum come last. It takes a thread of Node's, not this one. */
async function checkGzip(path: string, signal?: AbortSignal): Promise<void> {
  const sink = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  const packed = createReadStream(path, { highWaterMark: 1 << 20 });
  try {
    await pipeline(packed, createGunzip({ chunkSize: 1 << 20 }), sink, signal ? { signal } : {});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith("Z_")) throw damaged(path);
    if (!signal?.aborted) throw error;
  }
}

/** Blocks say how long they are, so their content need not be read. */
async function checkZstd(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let at = 0;
    while (at < size) {
      const magic = await uint(file, at, 4);
      if (isSkippable(magic)) at += 8 + (await uint(file, at + 4, 4));
      else if (magic === FRAME) at = await frameEnd(file, at, size);
      else throw damaged(path);
    }
    if (at > size) throw damaged(path);
  } finally {
    await file.close();
  }
}

async function frameEnd(file: FileHandle, start: number, size: number): Promise<number> {
  const { length, checksum } = frameHeader(await uint(file, start + 4, 1));
  let at = start + length;
  for (let last = false; !last && at < size; ) {
    const block = blockHeader(await uint(file, at, 3));
    last = block.last;
    at += 3 + block.length;
    if (!last && at >= size) return size + 1;
  }
  return at + (checksum ? 4 : 0);
}

/** A little-endian number; beyond the end of the file its bytes are zeros. */
async function uint(file: FileHandle, at: number, bytes: number): Promise<number> {
  const { buffer } = await file.read(Buffer.alloc(4), 0, bytes, at);
  return buffer.readUInt32LE();
}
