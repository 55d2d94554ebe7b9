/** What the pipeline sees of data that stay where they are: their size, their names, and nothing to read. */

import type { Kernels } from "../kernels/interface.js";
import type { Layout } from "../store/layout/layout.js";
import type { Store, StoreHandle, StoreRecord } from "../store/store.js";

export interface AskedStoreSettings {
  readonly rows: number;
  readonly names: readonly string[];
  readonly shift: Float64Array;
  /** How many rows are not zero, of variables that a store would keep as entries; undefined for others. */
  readonly entries: readonly (number | undefined)[];
  readonly record: StoreRecord;
  /** Of the rows at hand: threads work on those. */
  readonly sample: { readonly kernels: Kernels; readonly end: number; readonly handle: StoreHandle };
}

export function askedStore({ rows, names, shift, entries, record, sample }: AskedStoreSettings): Store {
  // One block: every pass is one question, however it will be cut.
  const layout: Layout = {
    rows,
    columns: names.length,
    dense: names.length,
    blocks: 1,
    stride: rows,
    bytes: 0,
  };
  const unreadable = (): never => {
    throw new Error("These rows are asked, not read.");
  };
  const { kernels, end, handle } = sample;
  return {
    layout,
    names,
    shift,
    record,
    kernels,
    end,
    handle,
    run: unreadable,
    stretch: unreadable,
    entryStretch: unreadable,
    // Whoever counts entries learns how many there would be.
    entries(_, column) {
      const count = entries[column];
      return count === undefined ? undefined : { rows: 0, values: 0, count };
    },
  };
}
