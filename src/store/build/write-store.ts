/** Writes a store to disk, block by block: a new file, removed where it does not come to its end. */

import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { crc32 } from "node:zlib";
import { writing } from "../../errors.js";
import { type Description, HEADER_BYTES, headerBytes, PAGE, tableBytes } from "../layout/format.js";
import type { Imported } from "./read-table.js";
import { writeAll } from "./write-all.js";

export interface WriteStoreOptions {
  /** Does what writes and, where it fails, says why; names the file unless told otherwise. */
  readonly attempt?: (<T>(action: () => T) => T) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the rows written so far. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** Bytes gathered before they are written. */
const PIECE = 1 << 23;

export function writeStore(
  { blocks, record }: Imported,
  path: string,
  options: WriteStoreOptions = {},
): void {
  const { layout, names, shift, slots } = blocks;
  const attempt = options.attempt ?? ((action) => writing(path, action));
  const file = attempt(() => openSync(path, "wx"));
  let open = true;
  try {
    const description: Description = { layout, names, sparse: slots !== undefined, record };
    const text = Buffer.from(JSON.stringify(description));
    const data = PAGE * Math.ceil((HEADER_BYTES + text.length) / PAGE);
    const put = (bytes: Uint8Array, at: number) => attempt(() => writeAll(file, bytes, at));
    put(text, HEADER_BYTES);

    const runs = layout.dense + 1;
    const runBytes = 4 * layout.stride;
    const perPiece = Math.max(1, Math.floor(PIECE / runBytes));
    const piece = new Float32Array(Math.min(runs, perPiece) * layout.stride);
    const bytes = new Uint8Array(piece.buffer);
    const runChecksums = new Uint32Array(layout.blocks * runs);
    const sparseChecksums = new Uint32Array(slots ? layout.blocks : 0);
    const starts = new Float64Array(slots ? layout.blocks + 1 : 0);
    let sparseEnd = layout.bytes;
    for (let b = 0; b < layout.blocks; b++) {
      options.signal?.throwIfAborted();
      for (let first = 0; first < runs; first += perPiece) {
        const count = Math.min(runs - first, perPiece);
        piece.fill(0);
        for (let i = 0; i < count; i++) {
          blocks.run(b, first + i, piece, i * layout.stride);
          runChecksums[b * runs + first + i] = crc32(bytes.subarray(i * runBytes, (i + 1) * runBytes));
        }
        put(bytes.subarray(0, count * runBytes), data + runBytes * (b * runs + first));
      }
      if (slots) {
        const words = blocks.sparse(b);
        const part = Buffer.alloc(16 * Math.ceil(words.byteLength / 16));
        part.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
        sparseChecksums[b] = crc32(part);
        starts[b] = sparseEnd;
        put(part, data + sparseEnd);
        sparseEnd += part.length;
        starts[b + 1] = sparseEnd;
      }
      options.onProgress?.(Math.round(((b + 1) / layout.blocks) * layout.rows));
    }
    const tables = data + sparseEnd;
    const tail = tableBytes({
      shift,
      starts,
      slots: slots ?? new Int32Array(0),
      runChecksums,
      sparseChecksums,
    });
    put(tail, tables);
    const header = headerBytes({
      description: text.length,
      data,
      tables,
      end: tables + tail.length,
      descriptionChecksum: crc32(text),
      tablesChecksum: crc32(tail),
    });
    // The header comes last: without it the file is nothing.
    put(header, 0);
    attempt(() => fsyncSync(file));
    closeSync(file);
    open = false;
  } catch (error) {
    if (open) closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
}
