/** The file of a store: what it says of itself, and all of its numbers in memory. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { span } from "../../profile.js";
import {
  altered,
  cutShort,
  type Description,
  HEADER_BYTES,
  type Header,
  PAGE,
  readHeader,
  readTables,
  type Tables,
  unusable,
} from "../layout/format.js";
import { descriptionShape, partsProblem, sparseProblem, tablesProblem } from "../layout/store-shape.js";
import { DATA_START, type Store } from "../store.js";
import { type LoadPiece, loadJob, readInto } from "./load-job.js";
import { dataEnd, residentStore } from "./resident.js";
import { alone, type Surroundings } from "./room.js";

/** Bytes that a thread reads at a time. */
const PIECE = 1 << 23;

/** What those need who load a store: kernels and their memory, scratch behind the data, perhaps threads. */
export type LoadRoom = Pick<Surroundings, "kernels" | "scratch" | "hands">;

/** What a store's file says of itself, checked. */
export interface StoreFile {
  readonly path: string;
  readonly header: Header;
  readonly description: Description;
  readonly tables: Tables;
  /** Bytes of the numbers. */
  readonly bytes: number;
}

export function readStoreFile(path: string): StoreFile {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const take = (at: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, at));
    };
    const header = readHeader(path, take(0, HEADER_BYTES), size);
    const text = take(HEADER_BYTES, header.description);
    if (crc32(text) !== header.descriptionChecksum) throw altered(path, "its description");
    const padding = take(
      HEADER_BYTES + header.description,
      Math.min(PAGE, header.data - HEADER_BYTES - header.description),
    );
    if (padding.some((byte) => byte !== 0)) throw altered(path, "its description");
    const description = described(path, text.toString());
    refuse(path, partsProblem(header, description));
    const tail = take(header.tables, header.end - header.tables);
    if (crc32(tail) !== header.tablesChecksum) throw altered(path, "its tables");
    const tables = readTables(tail, description);
    const bytes = header.tables - header.data;
    refuse(path, tablesProblem(tables, description, bytes));
    return { path, header, description, tables, bytes };
  } finally {
    closeSync(file);
  }
}

function described(path: string, text: string): Description {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(path, "its description is not JSON");
  }
  refuse(path, descriptionShape(value, ""));
  return value as Description;
}

function refuse(path: string, problem: string | undefined): void {
  if (problem !== undefined) throw unusable(path, problem);
}

/** Reads the numbers of a store from front to back and checks all of them, in little memory. */
export function checkBlocks(source: StoreFile, onBlock?: (block: number) => void): void {
  const { path, header, description, tables } = source;
  const { layout, sparse } = description;
  const runs = layout.dense + 1;
  const file = openSync(path, "r");
  const part = (at: number, size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    if (readSync(file, bytes, 0, size, header.data + at) !== size) throw cutShort(path);
    return bytes;
  };
  try {
    for (let b = 0; b < layout.blocks; b++) {
      for (let r = 0; r < runs; r++) {
        const checksum = crc32(part(4 * layout.stride * (b * runs + r), 4 * layout.stride));
        if (checksum !== tables.runChecksums[b * runs + r]) throw altered(path, `block ${b + 1}`);
      }
      if (sparse) {
        const bytes = part(tables.starts[b], tables.starts[b + 1] - tables.starts[b]);
        if (crc32(bytes) !== tables.sparseChecksums[b]) throw altered(path, `block ${b + 1}`);
        refuse(path, sparseProblem(new Uint32Array(bytes.buffer, 0, bytes.length / 4), layout, b));
      }
      onBlock?.(b);
    }
  } finally {
    closeSync(file);
  }
}

/** Reads the whole file into memory, by all threads at once, every checksum checked. */
export async function loadStore(
  { path, header, description, tables, bytes: size }: StoreFile,
  { kernels: kernelsOf, scratch, hands }: LoadRoom,
): Promise<Store> {
  const { layout, names, record } = description;
  const { shift, slots, starts, runChecksums, sparseChecksums } = tables;
  const sparse = description.sparse ? { slots, starts } : undefined;
  const { run } = (await hands?.()) ?? alone;
  const kernels = await kernelsOf(dataEnd({ layout, sparse }) + scratch);
  const { memory } = kernels;
  const runBytes = 4 * layout.stride;
  const each = Math.max(1, Math.floor(PIECE / runBytes));
  const pieces = Array.from({ length: Math.ceil(runChecksums.length / each) }, (_, i): LoadPiece => {
    const checksums = runChecksums.subarray(i * each, (i + 1) * each);
    return { path, memory, data: header.data, from: i * each * runBytes, runBytes, checksums };
  });
  const wrong = await span("loading the store", () => run(loadJob, pieces));
  const first = wrong.findIndex((found) => found !== undefined);
  if (first >= 0) {
    if (wrong[first] === "short") throw cutShort(path);
    const run = first * each + (wrong[first] as number);
    throw altered(path, `block ${Math.floor(run / (layout.dense + 1)) + 1}`);
  }
  loadSparse();
  return residentStore({ layout, names, shift, sparse }, kernels, () => record);

  function loadSparse(): void {
    if (layout.bytes >= size) return;
    const bytes = new Uint8Array(memory.buffer);
    if (!readInto(bytes, path, DATA_START + layout.bytes, size - layout.bytes, header.data + layout.bytes))
      throw cutShort(path);
    sparseChecksums.forEach((checksum, b) => {
      const [from, to] = [DATA_START + starts[b], DATA_START + starts[b + 1]];
      if (crc32(bytes.subarray(from, to)) !== checksum) throw altered(path, `block ${b + 1}`);
      refuse(path, sparseProblem(new Uint32Array(bytes.buffer, from, (to - from) / 4), layout, b));
    });
  }
}
