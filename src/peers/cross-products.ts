/**
 * Products of a few columns with all columns, C_jk = Σ u_j·u_k, fold by fold: one pass over the data for a whole
 * panel of columns. Folds are every `folds`-th block; since rows were shuffled, they are random subsets, and what
 * cross-validation needs (all rows but a fold) is a difference of sums.
 */

import type { Arena } from "../store/batch/arena.js";
import { blockSums } from "../store/batch/passes.js";
import { rowsIn } from "../store/layout/layout.js";
import type { Store } from "../store/store.js";
import { pass } from "../workers/job.js";

export interface CrossProductInput {
  /** The columns of the panel; the target is column `layout.columns`. */
  readonly panel: readonly number[];
  /** The other side: columns in any order. */
  readonly against: Uint32Array;
  readonly folds: number;
}

/** [fold][against][panelRoom]. */
export type CrossProducts = Float64Array;

/** Columns in a panel: enough that a pass is bound by arithmetic, few enough that a block of it stays in cache. */
export const PANEL = 64;

/** The kernel takes panels of whole quadruples; the last one is filled up with zeros. */
export const panelRoom = (columns: number): number => 4 * Math.ceil(columns / 4);

/** With fewer rows than this, columns may nearly span the target: float64 throughout, which costs little then. */
const EXACT_ROWS = 4096;

export function crossProducts(store: Store, arena: Arena, job: CrossProductInput): CrossProducts {
  const { layout, kernels } = store;
  const { panel, against, folds } = job;
  const k = panelRoom(panel.length);
  const copies = arena.vector(k * layout.stride);
  const { pointer, values } = arena.sums(folds * against.length * k);
  values.fill(0);
  kernels.fill(copies.pointer, 0, copies.length);
  const exact = layout.rows <= EXACT_ROWS;
  for (let b = 0; b < layout.blocks; b++) {
    const n = rowsIn(layout, b);
    for (let c = 0; c < panel.length; c++) {
      const at = copies.pointer + 4 * layout.stride * c;
      kernels.copy(at, store.run(b, panel[c]), n);
    }
    const out = pointer + 8 * k * against.length * (b % folds);
    let i = 0;
    for (; i + 2 <= against.length && !exact; i += 2) {
      const [x, y] = [store.run(b, against[i]), store.run(b, against[i + 1])];
      kernels.tileDots(out + 8 * k * i, x, y, copies.pointer, layout.stride, k, n);
    }
    const dots = exact ? kernels.exactDots : kernels.panelDots;
    for (; i < against.length; i++) {
      dots(out + 8 * k * i, store.run(b, against[i]), copies.pointer, layout.stride, k, n);
    }
  }
  return values.slice();
}

export const crossProductsJob = pass("cross-products", crossProducts);

/** Rows of a fold. */
export function foldRows({ layout }: Store, fold: number, folds: number): number {
  let rows = 0;
  for (let b = fold; b < layout.blocks; b += folds) rows += rowsIn(layout, b);
  return rows;
}

export interface FoldSumsInput {
  readonly first: number;
  readonly last: number;
  readonly folds: number;
}

/** Σu, Σu² and Σuy, [fold][column][3]; the target counts as a column. */
export function foldSums(store: Store, arena: Arena, job: FoldSumsInput): Float64Array {
  const { first, last, folds } = job;
  const { pointer, values } = arena.sums(3 * (last - first) * folds);
  const addSums = blockSums(store);
  values.fill(0);
  for (let b = 0; b < store.layout.blocks; b++) {
    addSums(pointer + 24 * (last - first) * (b % folds), b, first, last);
  }
  return values.slice();
}

export const foldSumsJob = pass("fold-sums", foldSums);
