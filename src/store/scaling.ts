/**
 * How the model sees a column: x_j = slope_j·u_j + offset_j, where u_j are the stored numbers. Scaling happens
 * inside the two verbs of a batch, so it costs no pass over the data and sparse columns stay sparse.
 * Variable `columns` is the intercept: slope 0, offset 1.
 */
export interface Scaling {
  readonly slope: Float64Array;
  readonly offset: Float64Array;
  readonly target: { readonly slope: number; readonly offset: number };
}

/** The data as they came: only the shift is undone. */
export function unscaled(shift: Float64Array): Scaling {
  const columns = shift.length - 1;
  const slope = new Float64Array(columns + 1).fill(1);
  const offset = shift.slice();
  slope[columns] = 0;
  offset[columns] = 1;
  return { slope, offset, target: { slope: 1, offset: shift[columns] } };
}
