/**
 * Zstandard (RFC 8878), frame by frame and block by block, so that no piece of input becomes more than one block of
 * output (128 KiB) at a time, an end that comes too early is seen, and every frame has the checksum that it carries.
 * Neither Node's own stream (22.15 to 24: a cut file is a shorter one, and a second frame is ignored) nor the package
 * that unpacks the blocks (which checks nothing) does this.
 */

import { Decompress } from "fzstd";
import { ByteQueue } from "./byte-queue.js";
import { Xxh64 } from "./xxh64.js";
import { blockHeader, FRAME, frameHeader, isSkippable } from "./zstd-frames.js";

/** Frames may ask for a window of any size. All levels of the command line tool up to 19 keep to this (section 3.1.1.1.2). */
const LARGEST_WINDOW = 1 << 23;

export async function* unpackedZstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const queue = new ByteQueue(source);
  const need = async (count: number): Promise<void> => {
    if ((await queue.fill(count)) < count) throw new Error("it ends within a frame");
  };
  while ((await queue.fill(1)) > 0) {
    await need(5);
    const magic = uint(queue.view(), 4);
    if (isSkippable(magic)) {
      await need(8);
      queue.take(4);
      for (let left = uint(queue.take(4), 4); left > 0; ) {
        await need(1);
        left -= queue.take(left).length;
      }
    } else if (magic === FRAME) yield* frame(queue, need);
    else throw new Error("it holds something else than frames");
  }
}

async function* frame(queue: ByteQueue, need: (count: number) => Promise<void>): AsyncGenerator<Uint8Array> {
  const { length, checksum } = frameHeader(queue.view()[4]);
  await need(length);
  checkWindow(queue.view(), length);
  const hash = new Xxh64();
  let out: Uint8Array[] = [];
  const unpacker = new Decompress((data) => out.push(data));
  unpacker.push(queue.take(length));
  for (let last = false; !last; ) {
    await need(3);
    const block = blockHeader(uint(queue.view(), 3));
    last = block.last;
    const length = 3 + block.length;
    const behind = last && checksum ? 4 : 0;
    await need(length + behind);
    // The checksum is for us, too.
    unpacker.push(queue.view().slice(0, length + behind), last);
    queue.take(length);
    for (const data of out) {
      if (checksum) hash.update(data);
      yield data;
    }
    out = [];
  }
  if (checksum && Number(BigInt.asUintN(32, hash.digest())) !== uint(queue.take(4), 4)) {
    throw new Error("its checksum is not that of its content");
  }
}

function checkWindow(header: Uint8Array, length: number): void {
  const descriptor = header[4];
  const base = 2 ** (10 + (header[5] >> 3));
  const single = ((descriptor >> 5) & 1) === 1;
  const bytes = [1, 2, 4, 8][descriptor >> 6];
  const window = single ? uint(header.subarray(length - bytes), bytes) : base + (base / 8) * (header[5] & 7);
  if (window > LARGEST_WINDOW)
    throw new Error("its window is larger than 8 MB; pack it with zstd -19 or less");
}

function uint(bytes: Uint8Array, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value += bytes[i] * 2 ** (8 * i);
  return value;
}
