/**
 * Inner products of the model's columns x_j = slope_j·u_j + offset_j over all rows, each pair found in one read of two
 * columns when it is first asked for, and kept. A chain that visits few variables never looks at the others.
 */

import type { Arena } from "../store/batch/arena.js";
import type { Scaling } from "../store/batch/scaling.js";
import { rowsIn } from "../store/layout/layout.js";
import type { Store } from "../store/store.js";
import type { Sums } from "./gram-source.js";

export interface InnerProducts {
  readonly rows: number;
  readonly targetSquares: number;
  /** x_j'y */
  target(j: number): number;
  /** x_i'x_j; pairs are remembered under i, so let i be the variable that comes back. */
  pair(i: number, j: number): number;
}

/** Variable `columns` is the intercept. */
export function innerProducts(store: Store, arena: Arena, scaling: Scaling, sums: Sums): InnerProducts {
  const { layout, kernels } = store;
  const { columns, rows, blocks } = layout;
  const { slope, offset, target } = scaling;
  const { pointer, values } = arena.sums(1);
  const known = new Map<number, Float64Array>();

  /** Σ u_i·u_j */
  function raw(i: number, j: number): number {
    values[0] = 0;
    for (let b = 0; b < blocks; b++) {
      kernels.panelDots(pointer, store.run(b, i), store.run(b, j), layout.stride, 1, rowsIn(layout, b));
    }
    return values[0];
  }

  const sum = (j: number): number => (j === columns ? 0 : sums.sum[j]);
  function affine(product: number, i: number, j: number): number {
    const linear = slope[i] * offset[j] * sum(i) + slope[j] * offset[i] * sum(j);
    return slope[i] * slope[j] * product + linear + rows * offset[i] * offset[j];
  }

  return {
    rows,
    targetSquares:
      target.slope ** 2 * sums.squares[columns] +
      2 * target.slope * target.offset * sums.sum[columns] +
      rows * target.offset ** 2,
    target(j) {
      const product = j === columns ? 0 : sums.target[j];
      const onTarget = target.slope * (slope[j] * product + offset[j] * sums.sum[columns]);
      return onTarget + target.offset * (slope[j] * sum(j) + rows * offset[j]);
    },
    pair(i, j) {
      if (i === columns || j === columns) return affine(0, i, j);
      if (i === j) return affine(sums.squares[i], i, i);
      const other = known.get(j)?.[i];
      if (other !== undefined && !Number.isNaN(other)) return other;
      const row = known.get(i) ?? new Float64Array(columns).fill(Number.NaN);
      known.set(i, row);
      if (Number.isNaN(row[j])) row[j] = affine(raw(i, j), i, j);
      return row[j];
    },
  };
}
