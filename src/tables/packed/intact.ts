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

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

/** A frame is a chain of blocks that say how long they are (RFC 8878, section 3.1), so their content need not be read. */
async function checkZstd(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let at = 0;
    while (at < size) {
      const magic = await uint(file, at, 4);
      if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) at += 8 + (await uint(file, at + 4, 4));
      else if (magic === FRAME) at = await frameEnd(file, at, size);
      else throw damaged(path);
    }
    if (at > size) throw damaged(path);
  } finally {
    await file.close();
  }
}

async function frameEnd(file: FileHandle, start: number, size: number): Promise<number> {
  const descriptor = await uint(file, start + 4, 1);
  const single = (descriptor >> 5) & 1;
  const dictionary = [0, 1, 2, 4][descriptor & 3];
  const content = [single, 2, 4, 8][descriptor >> 6];
  let at = start + 5 + (1 - single) + dictionary + content;
  for (let last = 0; last === 0 && at < size; ) {
    const header = await uint(file, at, 3);
    last = header & 1;
    const isRun = ((header >> 1) & 3) === 1;
    at += 3 + (isRun ? 1 : header >> 3);
    if (last === 0 && at >= size) return size + 1;
  }
  return at + ((descriptor >> 2) & 1 ? 4 : 0);
}

/** A little-endian number; beyond the end of the file its bytes are zeros. */
async function uint(file: FileHandle, at: number, bytes: number): Promise<number> {
  const { buffer } = await file.read(Buffer.alloc(4), 0, bytes, at);
  return buffer.readUInt32LE();
}
