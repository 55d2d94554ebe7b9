/** Large stores made in place: normals tiled over the kernels' memory, and a target that eight columns explain. */

import type { Kernels } from "../src/kernels/interface.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { Arena } from "../src/store/batch/arena.js";
import { layout, rowsIn } from "../src/store/layout/layout.js";
import { residentStore } from "../src/store/open/resident.js";
import { DATA_START, type Store, type StoreRecord } from "../src/store/store.js";

/** A length that shares no factor with a block, so that no two columns hold the same numbers in the same rows. */
const TILE = 1_000_003;

export function fillWithNormals({ memory }: Kernels, bytes: number): void {
  const numbers = new Float32Array(memory.buffer, DATA_START, bytes / 4);
  const rng = Rng.seeded(1);
  const first = Math.min(TILE, numbers.length);
  for (let i = 0; i < first; i++) numbers[i] = normal(rng);
  for (let done = first; done < numbers.length; done += first) {
    numbers.copyWithin(done, 0, Math.min(first, numbers.length - done));
  }
}

/** A store of this shape over memory that holds normals already. */
export function residentOver(kernels: Kernels, rows: number, columns: number, blockRows: number): Store {
  const plan = layout(rows, columns, blockRows);
  const names = Array.from({ length: columns }, (_, j) => `z${j + 1}`);
  const record: StoreRecord = {
    source: "the data",
    encoding: {
      target: { column: "y", kind: "number" },
      columns: names.map((column) => ({ column, kind: "number" })),
      missing: "error",
    },
    family: "gaussian",
    seed: 1,
    checksum: "",
    notes: [],
  };
  const shift = new Float64Array(columns + 1);
  const store = residentStore({ layout: plan, names, shift, sparse: undefined }, kernels, () => record);
  const rng = Rng.seeded(2);
  const run = (b: number, j: number) =>
    new Float32Array(kernels.memory.buffer, store.run(b, j), rowsIn(plan, b));
  for (let b = 0; b < plan.blocks; b++) {
    const y = run(b, columns);
    const x = Array.from({ length: 8 }, (_, j) => run(b, j));
    for (let i = 0; i < y.length; i++) {
      let eta = normal(rng);
      for (let j = 0; j < 8; j++) eta += j < 5 ? x[j][i] : -x[j][i];
      y[i] = eta;
    }
  }
  return store;
}

/** Room behind the largest data, the same for every store over this memory. */
export function scratchOf(kernels: Kernels, bytes: number): Arena {
  return new Arena(kernels.memory, DATA_START + bytes, kernels.memory.buffer.byteLength);
}
