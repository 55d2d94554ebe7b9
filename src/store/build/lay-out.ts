/** From blocks to a store in memory. */

import type { Kernels } from "../../kernels/interface.js";
import { runOffset } from "../layout/layout.js";
import { dataEnd, residentStore } from "../open/resident.js";
import { DATA_START, type Store } from "../store.js";
import type { Imported } from "./read-table.js";

/** Puts blocks into a memory of their own, with room behind them. */
export async function layOut(
  { blocks, record }: Imported,
  kernelsOf: (bytes: number) => Promise<Kernels>,
  scratch: number,
): Promise<Store> {
  const { layout, names, shift, slots } = blocks;
  const runs = layout.dense + 1;
  const parts: Uint32Array[] = [];
  /** Blocks that cost much to make are made once: their runs wait until the sparse parts tell how large it all is. */
  const made: Float32Array[] = [];
  const starts = new Float64Array(layout.blocks + 1).fill(layout.bytes);
  for (let b = 0; slots && b < layout.blocks; b++) {
    parts.push(blocks.sparse(b));
    starts[b + 1] = starts[b] + 16 * Math.ceil(parts[b].byteLength / 16);
    if (!blocks.byBlock) continue;
    made.push(new Float32Array(runs * layout.stride));
    for (let run = 0; run < runs; run++) blocks.run(b, run, made[b], run * layout.stride);
  }
  const sparse = slots && { slots, starts };
  const kernels = await kernelsOf(dataEnd({ layout, sparse }) + scratch);
  const numbers = new Float32Array(kernels.memory.buffer);
  const place = (b: number, run: number) => (DATA_START + runOffset(layout, b, run)) / 4;
  if (made.length > 0) for (let b = 0; b < layout.blocks; b++) numbers.set(made[b], place(b, 0));
  else {
    const [outer, inner] = blocks.byBlock ? [layout.blocks, runs] : [runs, layout.blocks];
    for (let i = 0; i < outer; i++) {
      for (let k = 0; k < inner; k++) {
        const [b, run] = blocks.byBlock ? [i, k] : [k, i];
        blocks.run(b, run, numbers, place(b, run));
      }
    }
  }
  const words = new Uint32Array(kernels.memory.buffer);
  parts.forEach((part, b) => {
    words.set(part, (DATA_START + starts[b]) / 4);
  });
  return residentStore({ layout, names, shift, sparse }, kernels, () => record);
}
