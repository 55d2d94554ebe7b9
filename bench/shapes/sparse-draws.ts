/** Rows of the sparse shape: positions of the entries, all of which are 1, in rising order. */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { type Shape, truth } from "./shapes.js";

export interface SparseRow {
  readonly y: number;
  readonly entries: readonly number[];
}

/** How many columns are about as frequent as the first: those after them fall off as 1/j. */
const HEAD = 50;

export function* sparseRows(shape: Shape, rows: number, seed: number): Iterable<SparseRow> {
  const { law, columns } = shape;
  if (law.kind !== "sparse") throw new RangeError(`The shape ${shape.name} is not sparse.`);
  const rng = Rng.seeded(seed);
  const span = Math.log((columns + HEAD) / HEAD);
  const model = truth(shape);
  const effects = new Map(model.columns.map((j, k) => [j, model.values[k]]));
  for (let i = 0; i < rows; i++) {
    const drawn = new Set<number>();
    for (let k = 0; k < law.entries; k++) {
      drawn.add(Math.min(columns - 1, Math.floor(HEAD * (Math.exp(span * rng.uniform()) - 1))));
    }
    const entries = [...drawn].sort((a, b) => a - b);
    let y = model.intercept + normal(rng);
    for (const j of entries) y += effects.get(j) ?? 0;
    yield { y, entries };
  }
}
