/** The kernels of chains over models, and of rows one by one, and their memory: one for a thread, since memories are dear. */

import type { ChainKernels } from "./chain-kernels.js";
import { chainBinary } from "./embedded/chain.js";
import { fromBase64 } from "./from-base64.js";

const PAGE = 65536;
/** As the module is told when it is built. */
const MAX_PAGES = 65536;

let memory: WebAssembly.Memory | undefined;
/** Of the memory, at hand: asking it takes longer than a short row. */
let buffer: ArrayBuffer;
let kernels: ChainKernels;
let taken = 0;

/** Compiled when first asked for: it is a few kB. */
export function chainKernels(): ChainKernels {
  if (!memory) {
    memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
    buffer = memory.buffer as ArrayBuffer;
    const module = new WebAssembly.Module(fromBase64(chainBinary));
    kernels = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as ChainKernels;
  }
  return kernels;
}

/** A part of the memory that everybody of a thread uses in turn. It only grows. */
export class Region {
  /** Where it lies. */
  pointer = 0;
  private bytes = 0;

  /** Room for at least so many bytes; what was there stays. Views made before may end. */
  hold(bytes: number): number {
    if (bytes <= this.bytes) return this.pointer;
    const before = this.pointer;
    const room = Math.max(bytes, 2 * this.bytes);
    this.pointer = takePlace(room);
    new Uint8Array(buffer).copyWithin(this.pointer, before, before + this.bytes);
    this.bytes = room;
    return this.pointer;
  }
}

function takePlace(bytes: number): number {
  chainKernels();
  const place = taken;
  taken += 16 * Math.ceil(bytes / 16);
  const missing = Math.ceil((taken - buffer.byteLength) / PAGE);
  if (missing > 0) {
    memory!.grow(missing);
    buffer = memory!.buffer as ArrayBuffer;
  }
  return place;
}

/** What views look into; another one once the memory has grown. */
export const chainBuffer = (): ArrayBuffer => buffer;
