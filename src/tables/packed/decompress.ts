/** Packed files as plain bytes. Zlib is Node's own; the other formats have a small streaming library each. */

import { createReadStream } from "node:fs";
import { PassThrough, Readable, Transform } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import unbzip2 from "unbzip2-stream";
import * as xz from "xz-decompress";

// A CommonJS package: Node hands it over whole, as the default export.
const { XzReadableStream } = (xz as unknown as { default?: typeof xz }).default ?? xz;

/** The bytes of a file, unpacked according to the ending of its name. `onRead` hears of the packed bytes as they go by. */
export function fileBytes(path: string, onRead: (bytes: number) => void): Readable {
  const raw = createReadStream(path, { highWaterMark: 1 << 20 });
  raw.on("data", (chunk) => onRead(chunk.length));
  const ending = /\.(gz|zst|bz2|xz)$/i.exec(path)?.[1].toLowerCase();
  if (ending === "xz") {
    const web = Readable.toWeb(raw) as unknown as globalThis.ReadableStream<Uint8Array>;
    return Readable.fromWeb(new XzReadableStream(web) as unknown as ReadableStream);
  }
  if (ending === "bz2") {
    // An old-style stream: errors have to be carried over by hand.
    const unpacked = unbzip2();
    const out = new PassThrough({ highWaterMark: 1 << 20 });
    raw.on("error", (error) => out.destroy(error));
    unpacked.on("error", (error) => out.destroy(error));
    raw.pipe(unpacked).pipe(out);
    return out;
  }
  const unpack =
    ending === "gz" ? createGunzip({ chunkSize: 1 << 18 }) : ending === "zst" ? zstd() : undefined;
  if (!unpack) return raw;
  raw.on("error", (error) => unpack.destroy(error));
  return raw.pipe(unpack);
}

function zstd(): Transform {
  const stream: Transform = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      attempt(() => unpacker.push(chunk), done);
    },
    flush(done) {
      attempt(() => unpacker.push(new Uint8Array(0), true), done);
    },
  });
  const unpacker = new Decompress((data) => stream.push(data));
  return stream;
}

function attempt(action: () => void, done: (error?: Error) => void): void {
  try {
    action();
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}
