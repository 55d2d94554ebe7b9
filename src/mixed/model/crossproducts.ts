/**
 * What a linear model needs to know of the rows of each group: X′X, X′y and y′y over the group's rows, kept as
 * the lower triangle of [X y]′[X y], packed by rows. Cost and memory depend on groups, not on rows.
 */

import { packedSize } from "../../math/packed.js";

export interface CrossProducts {
  /** Names of the columns of X, in order; y comes after the last. */
  readonly columns: readonly string[];
  /** What y is called. */
  readonly target: string;
  /** What the groups are called. */
  readonly groups: readonly string[];
  /** Number of rows of each group. */
  readonly rows: Float64Array;
  /** `stride` numbers a group. */
  readonly values: Float64Array;
  /** Numbers of one group. */
  readonly stride: number;
}

export function emptyCrossProducts(
  columns: readonly string[],
  target: string,
  groups: readonly string[],
): CrossProducts {
  const stride = packedSize(columns.length + 1);
  return {
    columns,
    target,
    groups,
    rows: new Float64Array(groups.length),
    values: new Float64Array(groups.length * stride),
    stride,
  };
}

/** Adds one row, given as the values of the columns followed by that of the target. */
export function addRow(data: CrossProducts, group: number, row: ArrayLike<number>): void {
  data.rows[group] += 1;
  let to = group * data.stride;
  for (let j = 0; j <= data.columns.length; j++) {
    for (let k = 0; k <= j; k++) data.values[to++] += row[j] * row[k];
  }
}

/** The sums over all groups. */
export function pooled(data: CrossProducts): { rows: number; values: Float64Array } {
  const values = new Float64Array(data.stride);
  let rows = 0;
  for (let i = 0, from = 0; i < data.rows.length; i++) {
    rows += data.rows[i];
    for (let j = 0; j < data.stride; j++) values[j] += data.values[from++];
  }
  return { rows, values };
}
