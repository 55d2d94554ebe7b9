import type { Kernels } from "../kernels/interface.js";
import type { Disk, Hands } from "../store/open/room.js";
import type { Store } from "../store/store.js";
import type { Pool } from "../workers/pool.js";

/** What the surroundings provide: memory, threads, perhaps a disk. */
export interface Environment {
  kernels(bytes: number): Promise<Kernels>;
  pool(store: Store, size: number): Promise<Pool>;
  /**
   * Begins so many threads while the store is made; absent where it would gain nothing. For a store of few `numbers`, as
   * far as that is known, they may wait until there is something to do.
   */
  begin?(size: number, numbers?: number): BegunPool;
  readonly disk?: Disk;
  readonly threads: number;
}

/** The same with another pool, whose threads begin when it is asked for. */
export function withPool({ begin: _, ...environment }: Environment, pool: Environment["pool"]): Environment {
  return { ...environment, pool };
}

/** The same for a store of so many numbers, as far as that is known. */
export function expecting(numbers: number | undefined, environment: Environment): Environment {
  const { begin } = environment;
  return begin ? { ...environment, begin: (size) => begin(size, numbers) } : environment;
}

export interface BegunPool {
  /** The same threads for what is done before there is a store. */
  hands?(): Promise<Hands>;
  pool(store: Store, size: number): Promise<Pool>;
  /** Ends the threads that nobody has come to need. */
  end(): Promise<void>;
}
