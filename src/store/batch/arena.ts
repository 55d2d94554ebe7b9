/** Where the vectors of a batch, and sums over it, live. */

import { SparrowError } from "../../errors.js";
import type { Vector } from "../../types.js";

/** Scratch space in the kernels' memory, handed out front to back. */
export class Arena {
  private next: number;
  constructor(
    readonly memory: WebAssembly.Memory,
    start: number,
    private readonly end: number,
  ) {
    this.next = start;
  }

  /** Does something; what was handed out meanwhile is free again. */
  returning<T>(work: () => T): T {
    const { next } = this;
    try {
      return work();
    } finally {
      this.next = next;
    }
  }

  /** A run of `length` four-byte elements, 16-byte aligned. */
  vector(length: number): Vector {
    return { pointer: this.bytes(4 * length), length };
  }

  /** A run of float64 sums. */
  sums(length: number): { readonly pointer: number; readonly values: Float64Array } {
    const pointer = this.bytes(8 * length);
    return { pointer, values: new Float64Array(this.memory.buffer, pointer, length) };
  }

  private bytes(size: number): number {
    const pointer = this.next;
    const next = pointer + 16 * Math.ceil(size / 16);
    if (next > this.end) {
      throw new SparrowError(
        `The scratch memory is full: ${next - this.end} bytes short; use a smaller batch.`,
        "option",
      );
    }
    this.next = next;
    return pointer;
  }
}

/** The numbers of a vector, for tests and for the cold paths. */
export function view(memory: WebAssembly.Memory, { pointer, length }: Vector): Float32Array {
  return new Float32Array(memory.buffer, pointer, length);
}
