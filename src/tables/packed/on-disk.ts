import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { bytesOf } from "./bytes.js";
import type { DataFile } from "./data-file.js";

/** The file at a path. */
export function fileOnDisk(path: string): DataFile {
  return {
    name: path,
    size: statSync(path).size,
    bytes: (onRead) => bytesOf(path, onRead),
    async slice(from, to) {
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
}
