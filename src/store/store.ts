import type { Kernels } from "../kernels/interface.js";
import { type Layout, runOffset } from "./layout.js";

/** Shuffled column blocks in the kernels' memory. */
export interface Store {
  readonly layout: Layout;
  readonly kernels: Kernels;
  /** Names of the predictor columns. */
  readonly names: readonly string[];
  /** What was subtracted from a column (and from the target, last) before it was rounded to float32. */
  readonly shift: Float64Array;
  /** Pointer to the numbers of a column in a block; the target is column `layout.columns`. */
  run(block: number, column: number): number;
}

/** Everything a thread needs to open a store that another thread holds in shared memory. */
export interface StoreHandle {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  readonly names: readonly string[];
  readonly shift: Float64Array;
}

/** Data start here: offset 0 stays unused, so that no valid pointer is 0. */
export const DATA_START = 64;

export function residentStore(handle: StoreHandle, kernels: Kernels): Store {
  const { layout, names, shift } = handle;
  return {
    layout,
    kernels,
    names,
    shift,
    run: (block, column) => DATA_START + runOffset(layout, block, column),
  };
}

export function handleOf({ kernels, layout, names, shift }: Store): StoreHandle {
  return { memory: kernels.memory, layout, names, shift };
}
