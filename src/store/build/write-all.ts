import { writeSync } from "node:fs";

/** Writes every byte: the system may take fewer at a time. */
export function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
}
