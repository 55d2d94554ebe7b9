/** Stores on disk: kept for one run, or imported once and opened again and again. */

import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { writingTemporary } from "../../errors.js";
import { temporaryFolder } from "../../files/temporary.js";
import { readApart } from "../build/apart/read-apart.js";
import type { Imported } from "../build/read-table.js";
import { spillingStage } from "../build/spilling-stage.js";
import { type StoreKeeping, type WriteStoreOptions, writeStore } from "../build/write-store.js";
import { DATA_START, type FileHandle, type Store } from "../store.js";
import { loadStore, readStoreFile } from "./load.js";
import { roomOnDisk, storeOnDisk } from "./on-disk.js";
import { type Disk, type Room, residentLimit, type WriteProgress } from "./room.js";

/** Half of what the machine, or the container, has. */
export function defaultMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return Math.floor((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 2);
}

export const disk: Disk = {
  memory: defaultMemory(),
  stage: spillingStage,
  apart: readApart,
  async keep(imported, room, options) {
    const attempt = <T>(action: () => T) => writingTemporary(tmpdir(), action);
    const { path: folder, remove } = temporaryFolder();
    try {
      const path = join(folder, "data.sparrow");
      await writeImported(imported, path, options, attempt);
      const store = await openStoreFile(path, room);
      const { close } = store;
      store.close = () => {
        close?.();
        remove();
      };
      return store;
    } catch (error) {
      remove();
      throw error;
    }
  },
};

export async function writeImported(
  imported: Imported,
  path: string,
  { signal, onProgress }: WriteProgress,
  attempt?: WriteStoreOptions["attempt"],
  keeping?: StoreKeeping,
): Promise<void> {
  const total = imported.blocks.layout.rows;
  await writeStore(imported, path, {
    signal,
    attempt,
    keeping,
    onProgress: onProgress && ((done) => onProgress({ stage: "write", done, total })),
  });
}

/** Opens a store: in memory when it fits, on disk when not. */
export async function openStoreFile(path: string, room: Room): Promise<Store> {
  const source = readStoreFile(path);
  if (source.bytes <= residentLimit(room.memory)) {
    return loadStore(source, { ...room, scratch: room.scratch * room.threads });
  }
  // A thread holds what it has read in its share of the memory; the program itself takes up some, too.
  const cache = Math.floor(residentLimit(room.memory) / room.threads);
  const own = roomOnDisk(source, 0);
  const each = roomOnDisk(source, cache) + room.scratch;
  const kernels = await room.kernels(DATA_START + own + room.threads * each);
  const handle: FileHandle = { kind: "file", memory: kernels.memory, path, cache };
  const store = storeOnDisk(source, { ...handle, cache: 0 }, kernels, DATA_START);
  return { ...store, handle };
}
