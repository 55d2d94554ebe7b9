/** A file, wherever it lies: on a disk, or in the hands of a page. Those who read tables know nothing else of it. */

import { SparrowError } from "../../errors.js";

export interface DataFile {
  /** Where it lies, or what it is called; the ending tells how it is packed. */
  readonly name: string;
  /** In bytes, as it lies. */
  readonly size: number;
  /** Front to back, unpacked; `onRead` hears of the bytes as they lie. */
  bytes(onRead?: (count: number) => void): AsyncIterable<Uint8Array>;
  /** Some of the bytes, as they lie; fewer where the file ends. */
  slice(from: number, to: number): Promise<Uint8Array>;
}

/** Bytes of all files together. */
export function sizeOf(files: readonly DataFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

export type Packing = "gz" | "zst" | "bz2" | "xz";

/** How a file is packed, as its name says. */
export function packingOf(name: string): Packing | undefined {
  return /\.(gz|zst|bz2|xz)$/i.exec(name)?.[1].toLowerCase() as Packing | undefined;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The first bytes of a file, unpacked. */
export async function firstBytes(file: DataFile, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.bytes()) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return joined(parts).subarray(0, most);
}

/** One character a byte. */
export function latin1(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]);
  return text;
}

/** Whether an error is about what is in a file, rather than about getting at it. */
export function isAboutBytes(error: unknown): boolean {
  if (error instanceof SparrowError) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return (
    syscall === undefined && (typeof code !== "string" || code.startsWith("Z_") || code === INVALID_TEXT)
  );
}

const INVALID_TEXT = "ERR_ENCODING_INVALID_ENCODED_DATA";

/** Whether a decoder that takes no wrong bytes met some. */
export function isAboutLetters(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === INVALID_TEXT || (error instanceof TypeError && /encoded data/i.test(error.message));
}
