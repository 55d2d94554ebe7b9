/** Some runs of a store's file, read into memory and checked while they are in the cache. */

import { closeSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { DATA_START } from "../store.js";
import type { Task } from "./room.js";

export interface LoadPiece {
  readonly path: string;
  readonly memory: WebAssembly.Memory;
  /** Where the numbers begin in the file, and where the first of these runs does among them. */
  readonly data: number;
  readonly from: number;
  readonly runBytes: number;
  /** CRC-32 of the runs. */
  readonly checksums: Uint32Array;
}

/** The first run that is not what it should be; undefined where all are. */
export const loadJob: Task<LoadPiece, number | "short" | undefined> = {
  name: "load-store",
  start(_, piece) {
    let isDone = false;
    let wrong: number | "short" | undefined;
    return {
      next() {
        if (isDone) return false;
        isDone = true;
        wrong = load(piece);
        return true;
      },
      get done() {
        return isDone ? 1 : 0;
      },
      result: () => wrong,
    };
  },
};

/** Bytes that stay in the cache until they are checked. */
const STEP = 1 << 18;

function load({ path, memory, data, from, runBytes, checksums }: LoadPiece): number | "short" | undefined {
  const bytes = new Uint8Array(memory.buffer);
  const step = Math.max(1, Math.floor(STEP / runBytes));
  const file = openSync(path, "r");
  try {
    for (let first = 0; first < checksums.length; first += step) {
      const count = Math.min(step, checksums.length - first);
      const at = from + first * runBytes;
      const length = count * runBytes;
      if (readSync(file, bytes, DATA_START + at, length, data + at) !== length) return "short";
      for (let r = 0; r < count; r++) {
        const start = DATA_START + at + r * runBytes;
        if (crc32(bytes.subarray(start, start + runBytes)) !== checksums[first + r]) return first + r;
      }
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Bytes of a file, in pieces that a call can read; false where it ends before. */
export function readInto(out: Uint8Array, path: string, to: number, length: number, from: number): boolean {
  const file = openSync(path, "r");
  try {
    for (let done = 0; done < length; ) {
      const count = readSync(file, out, to + done, Math.min(1 << 24, length - done), from + done);
      if (count === 0) return false;
      done += count;
    }
    return true;
  } finally {
    closeSync(file);
  }
}
