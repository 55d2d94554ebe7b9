/** What surrounds a store: the threads that will work on it, the memory it may take up, and perhaps a disk. */

import type { Kernels } from "../../kernels/interface.js";
import type { Imported } from "../build/read-table.js";
import type { RowLayout, RowStage } from "../build/row-stage.js";
import type { Store } from "../store.js";

export interface WriteProgress {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((progress: { readonly stage: "write"; readonly done: number; readonly total: number }) => void)
    | undefined;
}

/** Where there is a disk, data may be larger than memory. */
export interface Disk {
  /** Bytes that data may take up in memory unless told. */
  readonly memory: number;
  /** Rows go to disk once they take up more than `limit` bytes. */
  stage<Chunk, Part>(rows: RowLayout<Chunk, Part>, seed: number, limit: number): RowStage<Chunk, Part>;
  /** Writes blocks to a file that is gone when the store is closed, and opens it. */
  keep(imported: Imported, room: Room, options: WriteProgress): Promise<Store>;
}

/** What the threads that will work on a store need. */
export interface Room {
  readonly kernels: (bytes: number) => Promise<Kernels>;
  readonly threads: number;
  /** Bytes of scratch memory for every thread. */
  readonly scratch: number;
  /** Bytes that the data may take up. */
  readonly memory: number;
}

export interface Surroundings extends Omit<Room, "memory"> {
  readonly disk?: Disk | undefined;
}

/** The share of the memory that data may take up before they stay on disk; the rest is for reading them. */
const RESIDENT_SHARE = 0.5;
/** WebAssembly addresses 4 GiB; some of it is for the threads. */
const RESIDENT_MOST = 3 * 2 ** 30;

export function residentLimit(memory: number): number {
  return Math.min(RESIDENT_SHARE * memory, RESIDENT_MOST);
}
