import { SparrowError } from "../errors.js";
import { option } from "../wording.js";
import { privateMemory, sharedMemory } from "./binary.js";
import type { Kernels } from "./interface.js";

const PAGE = 65536;
/** wasm32 addresses 4 GiB. */
const MAX_PAGES = 65536;

/** A memory of `bytes`, shared between threads or private to this one. It never grows. */
export function kernelMemory(bytes: number, shared: boolean): WebAssembly.Memory {
  const pages = Math.max(1, Math.ceil(bytes / PAGE));
  if (pages > MAX_PAGES) {
    throw new SparrowError(
      `The data need ${(bytes / 2 ** 30).toFixed(1)} GB of memory, and 4 GB is the most that can be held; leave columns out with ${option("exclude")}, or use fewer rows or ${option("threads")}.`,
    );
  }
  return new WebAssembly.Memory({ initial: pages, maximum: shared ? pages : MAX_PAGES, shared });
}

/** The compiled kernels over a memory; the binary is embedded, so there is nothing to fetch or locate. */
export async function wasmKernels(memory: WebAssembly.Memory): Promise<Kernels> {
  const isShared = typeof SharedArrayBuffer !== "undefined" && memory.buffer instanceof SharedArrayBuffer;
  const bytes = Uint8Array.from(atob(isShared ? sharedMemory : privateMemory), (c) => c.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } });
  return { memory, ...(instance.exports as unknown as Omit<Kernels, "memory">) };
}
