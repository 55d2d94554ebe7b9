import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import * as zlib from "node:zlib";
import { SparrowError } from "../errors.js";

/** The bytes of a file, unpacked according to the ending of its name. `onRead` hears of the packed bytes as they go by. */
export function fileBytes(path: string, onRead: (bytes: number) => void): Readable {
  const raw = createReadStream(path, { highWaterMark: 1 << 20 });
  raw.on("data", (chunk) => onRead(chunk.length));
  const unpack = unpacker(path);
  if (!unpack) return raw;
  raw.on("error", (error) => unpack.destroy(error));
  return raw.pipe(unpack);
}

function unpacker(path: string) {
  const ending = /\.(gz|zst|bz2|xz)$/i.exec(path)?.[1].toLowerCase();
  if (ending === undefined) return undefined;
  if (ending === "gz") return zlib.createGunzip({ chunkSize: 1 << 18 });
  // Node has had Zstandard since version 22.15.
  const zstd = (zlib as { createZstdDecompress?: () => zlib.Gunzip }).createZstdDecompress;
  if (ending === "zst" && zstd) return zstd();
  throw new SparrowError(
    `${path} is packed as .${ending}, which cannot be unpacked here; use .gz or unpack it first.`,
  );
}
