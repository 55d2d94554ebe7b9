/** What surrounds a store: the threads that will work on it, the memory it may take up, and perhaps a disk. */

import type { Kernels } from "../../kernels/interface.js";
import type { readApart } from "../build/apart/read-apart.js";
import type { Imported } from "../build/read-table.js";
import type { RowLayout, RowStage } from "../build/row-stage.js";
import type { Store } from "../store.js";

export interface WriteProgress {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((progress: { readonly stage: "write"; readonly done: number; readonly total: number }) => void)
    | undefined;
}

/** What those need who read columns straight into their places. */
export interface ApartRoom extends Pick<Surroundings, "kernels" | "hands" | "scratch"> {
  /** Whether they do not fit into memory; then they are kept on disk. */
  readonly isLarge: boolean;
}

/** Where there is a disk, data may be larger than memory. */
export interface Disk {
  /** Reads columns that lie apart straight into their places; undefined where they must be read row by row. */
  readonly apart: typeof readApart;
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
  /** Threads that are there already; absent where this one is alone. */
  readonly hands?: (() => Promise<Hands>) | undefined;
}

export interface Surroundings extends Omit<Room, "memory"> {
  readonly disk?: Disk | undefined;
}

/** Threads that share the memory of the kernels, as far as those see them who fill it. */
export interface Hands {
  readonly size: number;
  run<I, O>(task: Task<I, O>, inputs: readonly I[], options?: TaskOptions): Promise<O[]>;
}

export interface TaskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears of the steps done by all. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** As jobs are, of those that bring everything with them. */
export interface Task<I, O> {
  readonly name: string;
  readonly start: (place: unknown, input: I) => { next(): boolean; readonly done: number; result(): O };
}

/** This thread alone, as hands. */
export const alone: Hands = {
  size: 1,
  async run(task, inputs, { signal, onProgress } = {}) {
    const results = [];
    let before = 0;
    let told = performance.now();
    for (const input of inputs) {
      const work = task.start(undefined, input);
      while (!signal?.aborted && work.next()) {
        if (performance.now() - told < SLICE) continue;
        onProgress?.(before + work.done);
        // Ctrl-C is heard.
        await new Promise((resolve) => setTimeout(resolve));
        told = performance.now();
      }
      before += work.done;
      results.push(work.result());
    }
    return results;
  },
};

/** Milliseconds of work between two visits to the event loop. */
const SLICE = 30;

/** The share of the memory that data may take up before they stay on disk; the rest is for reading them. */
const RESIDENT_SHARE = 0.5;
/** WebAssembly addresses 4 GiB; some of it is for the threads. */
const RESIDENT_MOST = 3 * 2 ** 30;

export function residentLimit(memory: number): number {
  return Math.min(RESIDENT_SHARE * memory, RESIDENT_MOST);
}
