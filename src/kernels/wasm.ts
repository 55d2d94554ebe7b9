import { SparrowError } from "../errors.js";
import { span } from "../profile.js";
import { option } from "../wording.js";
import { privateMemory, sharedMemory } from "./embedded/rows.js";
import { fromBase64 } from "./from-base64.js";
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

/** The kernels over a memory; the binary is embedded, so there is nothing to fetch or locate. */
export function wasmKernels(memory: WebAssembly.Memory): Promise<Kernels> {
  return span("compiling kernels", () => instantiated(memory));
}

async function instantiated(memory: WebAssembly.Memory): Promise<Kernels> {
  const isShared = typeof SharedArrayBuffer !== "undefined" && memory.buffer instanceof SharedArrayBuffer;
  const module = await compiled(isShared ? sharedMemory : privateMemory);
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
  return { memory, ...(exports as unknown as Omit<Kernels, "memory">) };
}

/** The same in a thread that cannot wait. */
export function wasmKernelsAtOnce(memory: WebAssembly.Memory): Kernels {
  const isShared = typeof SharedArrayBuffer !== "undefined" && memory.buffer instanceof SharedArrayBuffer;
  const module = compiledAtOnce(isShared ? sharedMemory : privateMemory);
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return { memory, ...(exports as unknown as Omit<Kernels, "memory">) };
}

/** Once for all memories: code that has become quick stays so. */
const modules = new Map<string, Promise<WebAssembly.Module>>();
const ready = new Map<string, WebAssembly.Module>();

function compiled(binary: string): Promise<WebAssembly.Module> {
  const known = modules.get(binary);
  if (known) return known;
  const module = WebAssembly.compile(fromBase64(binary));
  modules.set(binary, module);
  return module;
}

function compiledAtOnce(binary: string): WebAssembly.Module {
  const known = ready.get(binary);
  if (known) return known;
  const module = new WebAssembly.Module(fromBase64(binary));
  ready.set(binary, module);
  if (!modules.has(binary)) modules.set(binary, Promise.resolve(module));
  return module;
}
