/**
 * Packed files as plain bytes, a little at a time, whatever they unpack to. Zlib is Node's own; blocks of zstd and xz
 * are unpacked by a small library each.
 */

import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createGunzip } from "node:zlib";
import * as xz from "xz-decompress";
import { SparrowError } from "../../errors.js";
import { bounded } from "./bounded.js";
import { unpackedBzip2 } from "./bunzip2.js";
import { type Packing, packingOf } from "./data-file.js";
import { unpackedZstd } from "./zstd.js";

// A CommonJS package: Node hands it over whole, as the default export.
const { XzReadableStream } = (xz as unknown as { default?: typeof xz }).default ?? xz;

/**
 * The bytes of a file, unpacked according to the ending of its name. `onRead` hears of the packed bytes as they go by;
 * `name` is what the file is called in sentences.
 */
export function fileBytes(path: string, onRead: (bytes: number) => void, name = path): Readable {
  const raw = createReadStream(path, { highWaterMark: 1 << 20 });
  let packed = 0;
  raw.on("data", (chunk) => {
    packed += chunk.length;
    onRead(chunk.length);
  });
  const packing = packingOf(path);
  if (packing === undefined) return raw;
  return Readable.from(
    bounded(UNPACKERS[packing](raw, name), () => packed, name),
    { objectMode: true, highWaterMark: 4 },
  );
}

type Unpacker = (raw: Readable, name: string) => AsyncIterable<Uint8Array>;

const UNPACKERS: Readonly<Record<Packing, Unpacker>> = {
  gz(raw) {
    const unpack = createGunzip({ chunkSize: 1 << 18 });
    raw.on("error", (error) => unpack.destroy(error));
    return raw.pipe(unpack);
  },
  zst: unpackedZstd,
  bz2: unpackedBzip2,
  async *xz(raw, name) {
    const web = Readable.toWeb(raw) as unknown as globalThis.ReadableStream<Uint8Array>;
    try {
      yield* Readable.fromWeb(new XzReadableStream(web) as unknown as ReadableStream);
    } catch (error) {
      throw /error code 6$/.test((error as Error).message) ? otherXz(name) : error;
    }
  },
};

/** XZ_OPTIONS_ERROR: the file is as it should be, and beyond what the library does. */
function otherXz(name: string): SparrowError {
  return new SparrowError(
    `${name} is packed by xz with a SHA-256 checksum or a filter, which is not read here; unpack it first (xz -d), or pack it without.`,
    "format",
  );
}
