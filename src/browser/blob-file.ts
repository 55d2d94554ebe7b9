/** A file in the hands of a page, read a slice at a time: nothing of it leaves the machine. */

import { SparrowError } from "../errors.js";
import { bounded } from "../tables/packed/bounded.js";
import { type DataFile, type Packing, packingOf } from "../tables/packed/data-file.js";

/** Bytes of a slice. */
const SLICE = 1 << 22;

export function blobFile(blob: Blob, name: string): DataFile {
  const slice = (from: number, to: number) => bytesOf(blob.slice(from, to), name);
  return {
    name,
    size: blob.size,
    slice,
    async *bytes(onRead = () => {}) {
      const packing = packingOf(name);
      let packed = 0;
      const raw = pieces(blob.size, slice, (count) => {
        packed += count;
        onRead(count);
      });
      yield* packing === undefined ? raw : bounded(await UNPACKERS[packing](raw), () => packed, name);
    },
  };
}

async function bytesOf(blob: Blob, name: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch {
    throw new SparrowError(
      `${name} could not be read: it was changed, moved or removed since it was chosen; choose it again.`,
      "file",
    );
  }
}

/** One slice is on its way while another one is being worked on. */
async function* pieces(
  size: number,
  slice: DataFile["slice"],
  onRead: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  const ask = (at: number) => {
    const piece = slice(at, Math.min(size, at + SLICE));
    // Its failure is heard of when its turn comes.
    piece.catch(() => {});
    return piece;
  };
  let next = ask(0);
  for (let at = 0; at < size; ) {
    const piece = await next;
    at += piece.length;
    if (at < size) next = ask(at);
    onRead(piece.length);
    yield piece;
  }
}

type Unpacker = (raw: AsyncIterable<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>;

const UNPACKERS: Readonly<Record<Packing, Unpacker>> = {
  gz: async (raw) => (await import("./gunzip.js")).unpackedGzip(raw),
  zst: async (raw) => (await import("../tables/packed/zstd.js")).unpackedZstd(raw),
  bz2: async (raw) => (await import("../tables/packed/bunzip2.js")).unpackedBzip2(raw),
  async xz(raw) {
    const xz = await import("xz-decompress");
    const { XzReadableStream } = (xz as unknown as { default?: typeof xz }).default ?? xz;
    const { streamOf, readThrough } = await import("./streams.js");
    return readThrough(new XzReadableStream(streamOf(raw)));
  },
};
