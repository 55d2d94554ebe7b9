/** A store whose numbers are all in the kernels' memory. */

import type { Kernels } from "../../kernels/interface.js";
import { type Layout, rowsIn, runOffset } from "../layout/layout.js";
import { denseRuns, type Entries, entryFinder } from "../layout/sparse-block.js";
import { DATA_START, type ResidentNumbers, type SparsePart, type Store, type StoreRecord } from "../store.js";
import { unpacking } from "./unpacking.js";

/** First byte behind the data. */
export function dataEnd({ layout, sparse }: Pick<ResidentNumbers, "layout" | "sparse">): number {
  return DATA_START + (sparse ? sparse.starts[layout.blocks] : layout.bytes);
}

/** `start` is where this thread's own memory begins; sparse columns are unpacked there. */
export function residentStore(
  numbers: ResidentNumbers,
  kernels: Kernels,
  record: () => StoreRecord,
  start = dataEnd(numbers),
): Store {
  const { layout, names, shift, sparse } = numbers;
  const { memory } = kernels;
  let text: string | undefined;
  return {
    layout,
    kernels,
    names,
    shift,
    get record() {
      return record();
    },
    get handle() {
      text ??= JSON.stringify(record());
      return { ...numbers, kind: "resident" as const, memory, record: text };
    },
    ...(sparse ? mixedRuns(layout, sparse, kernels, start) : denseOnly(layout, start)),
  };
}

type Runs = Pick<Store, "end" | "run" | "stretch" | "entries">;

function denseOnly(layout: Layout, start: number): Runs {
  return {
    end: start,
    run: (block, column) => DATA_START + runOffset(layout, block, column),
    stretch: (block, first, last) => ({
      pointer: DATA_START + runOffset(layout, block, first),
      count: last - first,
    }),
    entries: () => undefined,
  };
}

/** Dense columns and sparse ones. */
function mixedRuns(layout: Layout, { slots, starts }: SparsePart, kernels: Kernels, start: number): Runs {
  const find = entryFinder(kernels.memory);
  const unpacked = unpacking(kernels, layout, start);
  const entriesOf = (block: number, slot: number): Entries => find(DATA_START + starts[block], -1 - slot);
  return {
    end: unpacked.end,
    run(block, column) {
      const slot = slots[column];
      if (slot >= 0) return DATA_START + runOffset(layout, block, slot);
      return unpacked.run(entriesOf(block, slot), rowsIn(layout, block));
    },
    stretch(block, first, last) {
      const count = denseRuns(slots, first, last);
      return { pointer: count > 0 ? DATA_START + runOffset(layout, block, slots[first]) : 0, count };
    },
    entries(block, column) {
      const slot = slots[column];
      return slot >= 0 ? undefined : entriesOf(block, slot);
    },
  };
}
