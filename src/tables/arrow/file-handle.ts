import type { FileHandle } from "node:fs/promises";
import type { DataFile } from "../packed/data-file.js";

/** A file in the shape in which Arrow's package takes those of Node: what it asks for, and nothing else. */
export function handleOf(file: DataFile): FileHandle {
  const handle = {
    fd: 0,
    stat: async () => ({ size: file.size }),
    async read(buffer: Uint8Array, offset: number, length: number, position: number) {
      const bytes = await file.slice(position, position + length);
      // It would ask for the rest forever.
      if (bytes.length === 0 && length > 0) throw new Error("The file ends too early");
      buffer.set(bytes, offset);
      return { buffer, bytesRead: bytes.length };
    },
    close: async () => {},
  };
  return handle as unknown as FileHandle;
}
