/**
 * Packed files as plain bytes, a little at a time, whatever they unpack to. Zlib is Node's own; blocks of zstd and xz
 * are unpacked by a small library each.
 */

import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createGunzip } from "node:zlib";
import * as xz from "xz-decompress";
import { unpackedBzip2 } from "./bunzip2.js";
import { unpackedZstd } from "./zstd.js";

// A CommonJS package: Node hands it over whole, as the default export.
const { XzReadableStream } = (xz as unknown as { default?: typeof xz }).default ?? xz;

/** The bytes of a file, unpacked according to the ending of its name. `onRead` hears of the packed bytes as they go by. */
export function fileBytes(path: string, onRead: (bytes: number) => void): Readable {
  const raw = createReadStream(path, { highWaterMark: 1 << 20 });
  let packed = 0;
  raw.on("data", (chunk) => {
    packed += chunk.length;
    onRead(chunk.length);
  });
  const ending = /\.(gz|zst|bz2|xz)$/i.exec(path)?.[1].toLowerCase() as keyof typeof UNPACKERS | undefined;
  if (ending === undefined) return raw;
  return Readable.from(
    bounded(UNPACKERS[ending](raw), () => packed),
    { objectMode: true, highWaterMark: 4 },
  );
}

type Unpacker = (raw: Readable) => AsyncIterable<Uint8Array>;

const UNPACKERS: Readonly<Record<"gz" | "zst" | "bz2" | "xz", Unpacker>> = {
  gz(raw) {
    const unpack = createGunzip({ chunkSize: 1 << 18 });
    raw.on("error", (error) => unpack.destroy(error));
    return raw.pipe(unpack);
  },
  zst: unpackedZstd,
  bz2: unpackedBzip2,
  xz(raw) {
    const web = Readable.toWeb(raw) as unknown as globalThis.ReadableStream<Uint8Array>;
    return Readable.fromWeb(new XzReadableStream(web) as unknown as ReadableStream);
  },
};

/** Tables of numbers shrink to a hundredth at best; what is a thousand times larger than it seemed was made to be. */
const MOST_TIMES = 2000;
const HARMLESS = 2e9;

async function* bounded(bytes: AsyncIterable<Uint8Array>, packed: () => number): AsyncGenerator<Uint8Array> {
  let unpacked = 0;
  for await (const chunk of bytes) {
    unpacked += chunk.length;
    if (unpacked > HARMLESS && unpacked > MOST_TIMES * packed()) {
      throw new Error(
        `it unpacks to more than ${MOST_TIMES} times its size; unpack it first if it is meant to`,
      );
    }
    yield chunk;
  }
}
