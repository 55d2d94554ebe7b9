/**
 * Whether a zip file is whole: the list at its end agrees with what stands before each of its files, nothing lies
 * between them, and the checksums hold. The package that reads workbooks looks at none of this, and takes what it can
 * unpack for all there is.
 */

import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";

const unpack = promisify(inflateRaw);

const [END, LISTED, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
const [END_BYTES, LISTED_BYTES, LOCAL_BYTES] = [22, 46, 30];
/** Behind a file its checksum and lengths may come once more. */
const DESCRIPTOR = 24;
const [STORED, DEFLATED] = [0, 8];
/** A text of this length is the longest that can be read. */
const MOST_UNPACKED = 512e6;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly at: number;
}

/** Fails where anything is not as it should be; `checkSize` hears of all bytes before any of them is unpacked. */
export async function checkZip(bytes: Buffer, checkSize: (unpacked: number) => void): Promise<void> {
  const { entries, start } = listOf(bytes);
  checkSize(entries.reduce((sum, { unpacked }) => sum + unpacked, 0));
  let at = 0;
  for (const entry of [...entries].sort((a, b) => a.at - b.at)) {
    if (entry.at < at || entry.at > at + DESCRIPTOR) throw new Error("Something lies between the files");
    at = await checkEntry(bytes, entry);
  }
  if (start < at || start > at + DESCRIPTOR) throw new Error("Something lies before the list");
}

/** The files that a zip lists at its end, and where the list starts. */
function listOf(bytes: Buffer): { entries: Entry[]; start: number } {
  let end = bytes.length - END_BYTES;
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error("There is no list of files");
  const [count, start] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  const entries: Entry[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    if (bytes.readUInt32LE(at) !== LISTED) throw new Error("The list of files is damaged");
    const name = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString("latin1", at + LISTED_BYTES, at + LISTED_BYTES + name),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    });
    at += LISTED_BYTES + name + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  if (at !== end) throw new Error("The list of files does not end where it should");
  return { entries, start };
}

/** Returns where the file ends. */
async function checkEntry(
  bytes: Buffer,
  { name, method, crc, packed, unpacked, at }: Entry,
): Promise<number> {
  const start = at + LOCAL_BYTES + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const isSame =
    bytes.readUInt32LE(at) === LOCAL &&
    bytes.readUInt16LE(at + 8) === method &&
    bytes.toString("latin1", at + LOCAL_BYTES, at + LOCAL_BYTES + bytes.readUInt16LE(at + 26)) === name;
  if (!isSame || start + packed > bytes.length || (method !== STORED && method !== DEFLATED))
    throw new Error(`${name} is not what the list says`);
  if (unpacked > MOST_UNPACKED) throw new Error(`${name} is too long`);
  const content = bytes.subarray(start, start + packed);
  const plain = method === STORED ? content : await unpack(content, { maxOutputLength: unpacked + 1 });
  if (plain.length !== unpacked || crc32(plain) !== crc) throw new Error(`${name} is damaged`);
  return start + packed;
}
