/** A store whose numbers are all in the kernels' memory. */

import type { Kernels } from "../../kernels/interface.js";
import { type Layout, rowsIn, runOffset } from "../layout/layout.js";
import {
  denseRuns,
  type Entries,
  entryFinder,
  entryStretch,
  NO_ENTRIES,
  sparseRuns,
} from "../layout/sparse-block.js";
import {
  DATA_START,
  type ResidentHandle,
  type ResidentNumbers,
  type SparsePart,
  type Store,
  type StoreRecord,
} from "../store.js";
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
  return new ResidentStore(numbers, kernels, record, start);
}

/** A class, since batches read it all the time: engines read objects slowly that have getters of their own. */
class ResidentStore implements Store {
  readonly layout: Layout;
  readonly names: readonly string[];
  readonly shift: Float64Array;
  readonly end: number;
  readonly run: Store["run"];
  readonly stretch: Store["stretch"];
  readonly entries: Store["entries"];
  readonly entryStretch: Store["entryStretch"];
  private text: string | undefined = undefined;

  constructor(
    private readonly numbers: ResidentNumbers,
    readonly kernels: Kernels,
    private readonly recordOf: () => StoreRecord,
    start: number,
  ) {
    const { layout, names, shift, sparse } = numbers;
    const runs = sparse ? mixedRuns(layout, sparse, kernels, start) : denseOnly(layout, start);
    this.layout = layout;
    this.names = names;
    this.shift = shift;
    this.end = runs.end;
    this.run = runs.run;
    this.stretch = runs.stretch;
    this.entries = runs.entries;
    this.entryStretch = runs.entryStretch;
  }

  get record(): StoreRecord {
    return this.recordOf();
  }

  get handle(): ResidentHandle {
    this.text ??= JSON.stringify(this.recordOf());
    return { ...this.numbers, kind: "resident", memory: this.kernels.memory, record: this.text };
  }
}

type Runs = Pick<Store, "end" | "run" | "stretch" | "entries" | "entryStretch">;

function denseOnly(layout: Layout, start: number): Runs {
  return {
    end: start,
    run: (block, column) => DATA_START + runOffset(layout, block, column),
    stretch: (block, first, last) => ({
      pointer: DATA_START + runOffset(layout, block, first),
      count: last - first,
    }),
    entries: () => undefined,
    entryStretch: () => NO_ENTRIES,
  };
}

/** Dense columns and sparse ones. */
function mixedRuns(layout: Layout, { slots, starts }: SparsePart, kernels: Kernels, start: number): Runs {
  const find = entryFinder(kernels.memory);
  const words = new Uint32Array(kernels.memory.buffer);
  const sparseOnes = sparseRuns(slots);
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
    entryStretch(block, first, last) {
      const columns = sparseOnes(first, last);
      if (columns === 0) return NO_ENTRIES;
      return entryStretch(words, DATA_START + starts[block], { first: -1 - slots[first], columns });
    },
  };
}
