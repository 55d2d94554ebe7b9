/**
 * Whether a zip file is whole: the list at its end agrees with what stands before each of its files, nothing lies
 * between them, and the checksums hold. The package that reads workbooks looks at none of this, and takes what it can
 * unpack for all there is.
 */

import { latin1 } from "../packed/data-file.js";
import type { Unpacking, ZipFile } from "./unpacking.js";

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

/** The files of a zip. Fails where anything is not as it should be; `checkSize` hears of all bytes before any of them is unpacked. */
export async function intactFiles(
  bytes: Uint8Array,
  tools: Unpacking,
  checkSize: (unpacked: number) => void,
): Promise<ZipFile[]> {
  const zip = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  const { entries, start } = listOf(zip);
  checkSize(entries.reduce((sum, { unpacked }) => sum + unpacked, 0));
  const files: ZipFile[] = [];
  let at = 0;
  for (const entry of [...entries].sort((a, b) => a.at - b.at)) {
    if (entry.at < at || entry.at > at + DESCRIPTOR) throw new Error("Something lies between the files");
    const { content, end } = await contentOf(zip, entry, tools);
    files.push({ name: entry.name, crc: entry.crc, content });
    at = end;
  }
  if (start < at || start > at + DESCRIPTOR) throw new Error("Something lies before the list");
  return files;
}

interface Zip {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** The files that a zip lists at its end, and where the list starts. */
function listOf({ bytes, view }: Zip): { entries: Entry[]; start: number } {
  const [short, long] = [(at: number) => view.getUint16(at, true), (at: number) => view.getUint32(at, true)];
  let end = bytes.length - END_BYTES;
  while (end >= 0 && long(end) !== END) end -= 1;
  if (end < 0) throw new Error("There is no list of files");
  const [count, start] = [short(end + 10), long(end + 16)];
  const entries: Entry[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    if (long(at) !== LISTED) throw new Error("The list of files is damaged");
    const name = short(at + 28);
    entries.push({
      name: latin1(bytes, at + LISTED_BYTES, at + LISTED_BYTES + name),
      method: short(at + 10),
      crc: long(at + 16),
      packed: long(at + 20),
      unpacked: long(at + 24),
      at: long(at + 42),
    });
    at += LISTED_BYTES + name + short(at + 30) + short(at + 32);
  }
  if (at !== end) throw new Error("The list of files does not end where it should");
  return { entries, start };
}

/** What a file holds, and where it ends. */
async function contentOf(
  { bytes, view }: Zip,
  { name, method, crc, packed, unpacked, at }: Entry,
  { inflate, crc32 }: Unpacking,
): Promise<{ content: Uint8Array; end: number }> {
  const nameLength = view.getUint16(at + 26, true);
  const start = at + LOCAL_BYTES + nameLength + view.getUint16(at + 28, true);
  const isSame =
    view.getUint32(at, true) === LOCAL &&
    view.getUint16(at + 8, true) === method &&
    latin1(bytes, at + LOCAL_BYTES, at + LOCAL_BYTES + nameLength) === name;
  if (!isSame || start + packed > bytes.length || (method !== STORED && method !== DEFLATED))
    throw new Error(`${name} is not what the list says`);
  if (unpacked > MOST_UNPACKED) throw new Error(`${name} is too long`);
  const held = bytes.subarray(start, start + packed);
  const content = method === STORED ? held : await inflate(held, unpacked + 1);
  if (content.length !== unpacked || crc32(content) !== crc) throw new Error(`${name} is damaged`);
  return { content, end: start + packed };
}
