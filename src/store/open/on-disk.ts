/**
 * A store that stays on disk. Every run is read when it is first asked for, checked, and kept in this thread's part
 * of the kernels' memory until room is needed; columns that a chain keeps asking for stay. Passes over all columns
 * read long stretches past that cache. Where reads wait for the disk, what will be asked for next is read ahead.
 */

import { closeSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Kernels } from "../../kernels/interface.js";
import { altered, cutShort, type Tables, unusable } from "../layout/format.js";
import { rowsIn } from "../layout/layout.js";
import {
  denseRuns,
  type EntryStretch,
  entryFinder,
  entryStretch,
  NO_ENTRIES,
  sparseRuns,
} from "../layout/sparse-block.js";
import { sparseProblem } from "../layout/store-shape.js";
import { type FileHandle, HELD, type Store } from "../store.js";
import type { StoreFile } from "./load.js";
import { readAhead } from "./read-ahead.js";
import { unpacking } from "./unpacking.js";

/** Bytes of a stretch, at least one run. */
const STRETCH = 1 << 21;

/** Bytes that a thread needs at most to hold what it has read, when it may use `cache`. */
export function roomOnDisk({ description, tables }: StoreFile, cache: number): number {
  const { layout, sparse } = description;
  const run = 4 * layout.stride;
  const parts = sparse ? 2 * largestPart(tables, layout.blocks) + HELD * run + 128 : 0;
  return cache + STRETCH + (4 * HELD + 1) * run + parts + 256;
}

export function storeOnDisk(source: StoreFile, handle: FileHandle, kernels: Kernels, start: number): Store {
  const { path, header, description, tables } = source;
  const { layout, names, record } = description;
  const runBytes = 4 * layout.stride;
  const runs = layout.dense + 1;
  const file = openSync(path, "r");
  const bytes = new Uint8Array(kernels.memory.buffer);

  const ahead = readAhead(path);
  const read = (to: number, size: number, at: number): void => {
    const start = performance.now();
    if (readSync(file, bytes, to, size, header.data + at) !== size) throw cutShort(path);
    ahead.took(performance.now() - start, size);
  };
  const wantRuns = (block: number, slot: number, count: number): void =>
    ahead.want(header.data + runBytes * (block * runs + slot), count * runBytes);
  const check = (to: number, block: number, run: number): void => {
    if (crc32(bytes.subarray(to, to + runBytes)) === tables.runChecksums[block * runs + run]) return;
    throw altered(path, `block ${block + 1}`);
  };

  const sparse = description.sparse ? sparseCache(source, read, kernels, start, handle.cache / 2) : undefined;
  const unpacked = sparse && unpacking(kernels, layout, sparse.end);
  const stretchStart = 64 * Math.ceil((unpacked?.end ?? start) / 64);
  const stretchRuns = Math.max(1, Math.min(runs, Math.floor(STRETCH / runBytes)));
  const cacheStart = stretchStart + stretchRuns * runBytes;
  const room = Math.floor(Math.max(0, start + handle.cache - cacheStart) / runBytes);
  const places = Math.min(Math.max(4 * HELD, room), runs * layout.blocks);
  const cache = runCache(places, (place, key) => {
    const to = cacheStart + place * runBytes;
    read(to, runBytes, key * runBytes);
    check(to, Math.floor(key / runs), key % runs);
  });
  const members = steadyMembers();
  /** Whoever asks for the target of a block is about to use the columns that were used with the blocks before. */
  const expect = (block: number): void => {
    for (const slot of members.next()) if (!cache.holds(block * runs + slot)) wantRuns(block, slot, 1);
  };
  let passStart = 0;
  let passEnd = 0;
  /** Passes go on with the next columns or, after the last ones, with the same columns of the next block. */
  const expectStretch = (block: number, slot: number, count: number, left: number): void => {
    if (slot !== passEnd) passStart = slot;
    passEnd = slot + count;
    if (left > 0) wantRuns(block, passEnd, Math.min(left, stretchRuns));
    else if (block + 1 < layout.blocks) {
      wantRuns(block + 1, passStart, Math.min(passEnd - passStart, stretchRuns));
      passEnd = passStart;
    }
  };
  const sparseOnes = description.sparse ? sparseRuns(tables.slots) : () => 0;
  const slotOf = description.sparse ? (column: number) => tables.slots[column] : (column: number) => column;

  return {
    layout,
    kernels,
    names,
    shift: tables.shift,
    record,
    handle,
    end: cacheStart + places * runBytes,
    run(block, column) {
      const slot = slotOf(column);
      if (ahead.useful) {
        if (column === layout.columns) expect(block);
        else if (slot >= 0) members.used(slot);
      }
      if (slot >= 0) return cacheStart + runBytes * cache.place(block * runs + slot);
      return unpacked!.run(sparse!.entries(block, -1 - slot), rowsIn(layout, block));
    },
    stretch(block, first, last) {
      const dense = description.sparse ? denseRuns(tables.slots, first, last) : last - first;
      const count = Math.min(dense, stretchRuns);
      if (count === 0) return { pointer: 0, count };
      const slot = slotOf(first);
      read(stretchStart, count * runBytes, runBytes * (block * runs + slot));
      if (ahead.useful) expectStretch(block, slot, count, dense - count);
      for (let i = 0; i < count; i++) check(stretchStart + i * runBytes, block, slot + i);
      return { pointer: stretchStart, count };
    },
    entries(block, column) {
      const slot = slotOf(column);
      return slot >= 0 ? undefined : sparse!.entries(block, -1 - slot);
    },
    entryStretch(block, first, last) {
      const columns = sparseOnes(first, last);
      return columns === 0 ? NO_ENTRIES : sparse!.stretch(block, { first: -1 - slotOf(first), columns });
    },
    close() {
      ahead.close();
      closeSync(file);
    },
  };
}

/** The columns of the current model: those used with the last batch and with the one before. */
export function steadyMembers() {
  let before = new Set<number>();
  let now = new Set<number>();
  let steady: number[] = [];
  return {
    used(slot: number): void {
      now.add(slot);
    },
    /** Another block begins. Of a batch of several blocks, all begin before any column is used. */
    next(): readonly number[] {
      if (now.size === 0) return steady;
      steady = [...now].filter((slot) => before.has(slot));
      before = now;
      now = new Set();
      return steady;
    },
  };
}

/**
 * Places for runs, by number. The least recently used goes, found by a hand that sweeps over the places and passes
 * over those used since its last visit; the last `HELD` used are never given away.
 */
export function runCache(
  places: number,
  load: (place: number, key: number) => void,
): { place(key: number): number; holds(key: number): boolean } {
  const placeOf = new Map<number, number>();
  const keyAt = new Float64Array(places).fill(-1);
  const used = new Float64Array(places);
  const spared = new Uint8Array(places);
  let clock = HELD + 1;
  let hand = 0;
  const placeFor = (key: number): number => {
    clock += 1;
    let place = placeOf.get(key);
    if (place === undefined) {
      while (spared[hand] === 1 || clock - used[hand] <= HELD) {
        spared[hand] = 0;
        hand = (hand + 1) % places;
      }
      place = hand;
      hand = (hand + 1) % places;
      if (keyAt[place] >= 0) placeOf.delete(keyAt[place]);
      keyAt[place] = -1;
      load(place, key);
      keyAt[place] = key;
      placeOf.set(key, place);
    } else spared[place] = 1;
    used[place] = clock;
    return place;
  };
  return { place: placeFor, holds: (key) => placeOf.has(key) };
}

/** Whole sparse parts of blocks, as many as fit, the oldest given up first. */
function sparseCache(
  { path, description, tables }: StoreFile,
  read: (to: number, size: number, at: number) => void,
  kernels: Kernels,
  start: number,
  room: number,
) {
  const { blocks } = description.layout;
  const from = 64 * Math.ceil(start / 64);
  const largest = largestPart(tables, blocks);
  const places = Math.max(2, Math.min(blocks, Math.floor(room / largest)));
  const at = new Int32Array(blocks).fill(-1);
  const holds = new Int32Array(places).fill(-1);
  const bytes = new Uint8Array(kernels.memory.buffer);
  const find = entryFinder(kernels.memory);
  let next = 0;
  const words = new Uint32Array(kernels.memory.buffer);
  /** Where the sparse part of a block lies. */
  const placeOf = (block: number): number => {
    if (at[block] < 0) {
      const place = next;
      next = (next + 1) % places;
      if (holds[place] >= 0) at[holds[place]] = -1;
      holds[place] = -1;
      const to = from + place * largest;
      const size = tables.starts[block + 1] - tables.starts[block];
      read(to, size, tables.starts[block]);
      if (crc32(bytes.subarray(to, to + size)) !== tables.sparseChecksums[block]) {
        throw altered(path, `block ${block + 1}`);
      }
      const problem = sparseProblem(new Uint32Array(bytes.buffer, to, size / 4), description.layout, block);
      if (problem !== undefined) throw unusable(path, problem);
      find.forget();
      holds[place] = block;
      at[block] = place;
    }
    return from + at[block] * largest;
  };
  return {
    end: from + places * largest,
    entries: (block: number, column: number) => find(placeOf(block), column),
    stretch: (block: number, of: Pick<EntryStretch, "first" | "columns">) =>
      entryStretch(words, placeOf(block), of),
  };
}

function largestPart({ starts }: Tables, blocks: number): number {
  let largest = 64;
  for (let b = 0; b < blocks; b++) largest = Math.max(largest, starts[b + 1] - starts[b]);
  return 64 * Math.ceil(largest / 64);
}
