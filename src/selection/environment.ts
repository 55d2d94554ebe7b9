import type { Kernels } from "../kernels/interface.js";
import type { Disk } from "../store/open/room.js";
import type { Store } from "../store/store.js";
import type { Pool } from "../workers/pool.js";

/** What the surroundings provide: memory, threads, perhaps a disk. */
export interface Environment {
  kernels(bytes: number): Promise<Kernels>;
  pool(store: Store, size: number): Promise<Pool>;
  readonly disk?: Disk;
  readonly threads: number;
}
