/**
 * A stage for tables whose number of rows is known: rows go straight to their places in the memory of the store, so
 * that nothing is held twice. When every column and row stays as it was read, the store is there once reading ends.
 */

import type { Kernels } from "../kernels/interface.js";
import type { Imported } from "./build.js";
import { blockOf, firstRow, type Layout, runOffset } from "./layout.js";
import { rowOrder } from "./order.js";
import type { Stage } from "./stage.js";
import { DATA_START, dataEnd, residentStore, type Store } from "./store.js";

export interface PlacedStage extends Stage {
  /** The store of what was read, or undefined when columns or rows have changed on the way. */
  adopt(imported: Imported): Store | undefined;
}

export async function placedStage(
  layout: Layout,
  seed: number,
  kernelsOf: (bytes: number) => Promise<Kernels>,
  scratch: number,
): Promise<PlacedStage> {
  const kernels = await kernelsOf(dataEnd({ layout, sparse: undefined }) + scratch);
  const numbers = new Float32Array(kernels.memory.buffer);
  const base = (column: number): number => (DATA_START + runOffset(layout, 0, column)) / 4;
  const places = placesOf(layout, seed);
  let held = 0;
  return {
    append(values, rows) {
      for (let c = 0; c <= layout.columns; c++) {
        const [from, to] = [c * rows, base(c)];
        for (let i = 0; i < rows; i++) numbers[to + places[held + i]] = values[from + i];
      }
      held += rows;
    },
    seal() {
      const order = rowOrder(seed, held);
      return {
        rows: held,
        gather(column, from, to, out, at) {
          const start = base(column);
          for (let i = from; i < to; i++, at++) out[at] = numbers[start + places[order[i]]];
        },
      };
    },
    adopt({ blocks, record }) {
      if (!blocks.asRead || blocks.layout.rows !== layout.rows) return undefined;
      // The target may be coded: 1 for a success.
      for (let b = 0; b < layout.blocks; b++) {
        blocks.run(b, layout.columns, numbers, (DATA_START + runOffset(layout, b, layout.columns)) / 4);
      }
      const { names, shift } = blocks;
      const handle = {
        kind: "resident",
        memory: kernels.memory,
        layout,
        names,
        shift,
        sparse: undefined,
      } as const;
      return residentStore(handle, kernels, dataEnd(handle), record);
    },
    close() {},
  };
}

/** Of every row in the order of arrival: elements from the start of a column's run in block 0 to its place. */
function placesOf(layout: Layout, seed: number): Float64Array {
  const places = new Float64Array(layout.rows);
  rowOrder(seed, layout.rows).forEach((row, place) => {
    const b = blockOf(layout, place);
    places[row] = runOffset(layout, b, 0) / 4 + place - firstRow(layout, b);
  });
  return places;
}
