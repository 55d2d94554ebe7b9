/** The store as a file: `docs/store-format.md` describes it byte by byte. Everything is little-endian. */

import { crc32 } from "node:zlib";
import { SparrowError } from "../../errors.js";
import type { StoreRecord } from "../store.js";
import type { Layout } from "./layout.js";

export const MAGIC = "SPARROW\n";
export const VERSION = 1;
export const HEADER_BYTES = 64;
/** The data start at a multiple of this. */
export const PAGE = 4096;

export interface Header {
  /** Bytes of the description, which follows the header. */
  readonly description: number;
  readonly data: number;
  /** Where the tables behind the data start, and where the file ends. */
  readonly tables: number;
  readonly end: number;
  readonly descriptionChecksum: number;
  readonly tablesChecksum: number;
}

/** The description, as JSON. */
export interface Description {
  readonly layout: Layout;
  readonly names: readonly string[];
  readonly sparse: boolean;
  readonly record: StoreRecord;
}

export function headerBytes(header: Header): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write(MAGIC, 0, "latin1");
  bytes.writeUInt32LE(VERSION, 8);
  [header.description, header.data, header.tables, header.end].forEach((value, i) => {
    bytes.writeBigUInt64LE(BigInt(value), 16 + 8 * i);
  });
  bytes.writeUInt32LE(header.descriptionChecksum, 48);
  bytes.writeUInt32LE(header.tablesChecksum, 52);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  return bytes;
}

/** Where the data begin behind a description of so many bytes. */
export const dataStart = (description: number): number =>
  PAGE * Math.ceil((HEADER_BYTES + description) / PAGE);

/** What comes last: the tables behind `bytes` of data, and the header, without which the file is nothing. */
export function endsOf(
  description: Buffer,
  bytes: number,
  tables: Tables,
): { readonly at: number; readonly tables: Buffer; readonly header: Buffer } {
  const data = dataStart(description.length);
  const tail = tableBytes(tables);
  const at = data + bytes;
  const header = headerBytes({
    description: description.length,
    data,
    tables: at,
    end: at + tail.length,
    descriptionChecksum: crc32(description),
    tablesChecksum: crc32(tail),
  });
  return { at, tables: tail, header };
}

/** `size` is that of the whole file. */
export function readHeader(path: string, bytes: Buffer, size: number): Header {
  if (bytes.toString("latin1", 0, 8) !== MAGIC) {
    throw new SparrowError(`${path} is not a store; make one with sparrow import.`, "format");
  }
  if (bytes.length < HEADER_BYTES) throw cutShort(path);
  const version = bytes.readUInt32LE(8);
  if (version > VERSION) {
    throw new SparrowError(
      `${path} is a store of version ${version}, but this Sparrow reads versions up to ${VERSION}; update Sparrow or import the data again.`,
      "format",
    );
  }
  if (crc32(bytes.subarray(0, 60)) !== bytes.readUInt32LE(60)) throw altered(path, "its header");
  const [description, data, tables, end] = [0, 1, 2, 3].map((i) => Number(bytes.readBigUInt64LE(16 + 8 * i)));
  if (size < end) throw cutShort(path);
  if (size > end) throw altered(path, "its length");
  if (!(HEADER_BYTES + description <= data && data <= tables && tables <= end)) {
    throw unusable(path, "its parts do not follow each other");
  }
  return {
    description,
    data,
    tables,
    end,
    descriptionChecksum: bytes.readUInt32LE(48),
    tablesChecksum: bytes.readUInt32LE(52),
  };
}

/** The tables behind the data, one after the other. */
export interface Tables {
  /** Per column and, last, of the target. */
  readonly shift: Float64Array;
  /** Byte offsets of the blocks' sparse parts from the start of the data, and their end; empty without any. */
  readonly starts: Float64Array;
  /** As in `SparsePart`; empty without sparse columns. */
  readonly slots: Int32Array;
  /** CRC-32 of every run, block by block. */
  readonly runChecksums: Uint32Array;
  /** CRC-32 of every block's sparse part. */
  readonly sparseChecksums: Uint32Array;
}

export function tableBytes(tables: Tables): Buffer {
  const parts = [tables.shift, tables.starts, tables.slots, tables.runChecksums, tables.sparseChecksums];
  return Buffer.concat(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
}

export function tableSizes({ layout, sparse }: Pick<Description, "layout" | "sparse">): number[] {
  const { blocks, columns, dense } = layout;
  return [
    8 * (columns + 1),
    sparse ? 8 * (blocks + 1) : 0,
    sparse ? 4 * (columns + 1) : 0,
    4 * blocks * (dense + 1),
    sparse ? 4 * blocks : 0,
  ];
}

export function readTables(bytes: Uint8Array, description: Pick<Description, "layout" | "sparse">): Tables {
  let at = 0;
  const [shift, starts, slots, runChecksums, sparseChecksums] = tableSizes(description).map((size) => {
    // A copy: the arrays need their own, aligned, buffers.
    const part = new Uint8Array(bytes.subarray(at, at + size)).buffer;
    at += size;
    return part;
  });
  return {
    shift: new Float64Array(shift),
    starts: new Float64Array(starts),
    slots: new Int32Array(slots),
    runChecksums: new Uint32Array(runChecksums),
    sparseChecksums: new Uint32Array(sparseChecksums),
  };
}

/** Checksums that are right over content that is not. */
export function unusable(path: string, why: string): SparrowError {
  return new SparrowError(
    `${path} is not a store that can be used: ${why}; import the data again.`,
    "format",
  );
}

export function cutShort(path: string): SparrowError {
  return new SparrowError(`${path} was cut short; import the data again.`, "format");
}

export function altered(path: string, where: string): SparrowError {
  return new SparrowError(
    `${path} has been altered or damaged in ${where}; import the data again.`,
    "format",
  );
}
