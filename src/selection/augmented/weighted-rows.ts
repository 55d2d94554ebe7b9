/**
 * Sums of products of columns over rows with weights, a column at a time and only those that somebody asks for: of
 * hundreds of columns a model holds a few. Rows times the roots of their weights lie where the kernels of factors find
 * them, with the target and the constant at their ends.
 */

import { chainBuffer, chainKernels, Region } from "../../kernels/chain-memory.js";

/** One place for all chains of a thread: each fills it anew in every sweep. */
const region = new Region();

/** Columns on the model's scale, row after row, and a target of every row. */
export interface DenseRows {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

export interface WeightedRows {
  /** Σω_i x_ij x_i·, for every column, the target and the constant, until the next one is asked for. */
  products(j: number): Float64Array;
  /** Σω_i x_ij² of every column. */
  readonly squares: Float64Array;
}

/** The places of the target and of the constant behind the columns. */
export const targetOf = ({ columns }: DenseRows): number => columns;
export const constantOf = ({ columns }: DenseRows): number => columns + 1;

export function weightedRows(of: DenseRows, target: Float64Array, weights: Float64Array): WeightedRows {
  const { rows, columns, values } = of;
  const width = columns + 2;
  const bytes = 8 * width;
  const start = region.hold(bytes * (rows + 1));
  const held = new Float64Array(chainBuffer(), start, width * (rows + 1));
  const squares = new Float64Array(columns);
  for (let i = 0, at = 0, to = width; i < rows; i++, to += width) {
    const root = Math.sqrt(weights[i]);
    for (let c = 0; c < columns; c++, at++) {
      const value = root * values[at];
      held[to + c] = value;
      squares[c] += value * value;
    }
    held[to + columns] = root * target[i];
    held[to + columns + 1] = root;
  }
  return {
    squares,
    products(j) {
      // The kernel takes rows out of the one that comes first; the memory may have grown meanwhile.
      const out = new Float64Array(chainBuffer(), start, width).fill(0);
      chainKernels().subtractRows(start, start + bytes, bytes, rows, 8 * j, 0, bytes);
      for (let c = 0; c < width; c++) out[c] = -out[c];
      return out;
    },
  };
}
