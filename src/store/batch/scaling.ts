import { sharedCopy } from "../../kernels/shared-numbers.js";

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
  return { ...withIntercept(slope, shift.slice()), target: { slope: 1, offset: shift[columns] } };
}

export interface ScalingSettings {
  /** Means and standard deviations of the stored numbers; the target is last. */
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  readonly shift: Float64Array;
  /** Columns and target lose their mean: what is left is orthogonal to a flat intercept. */
  readonly centred: boolean;
  /** Columns get standard deviation one. Constant ones become zero. */
  readonly standard: boolean;
  /** The target gets standard deviation one, too. */
  readonly standardTarget: boolean;
}

export function scaled({ mean, sd, shift, centred, standard, standardTarget }: ScalingSettings): Scaling {
  const columns = shift.length - 1;
  const slope = sd.map((s) => (s === 0 ? 0 : standard ? 1 / s : 1));
  const offset = slope.map((s, j) => s * (centred ? -mean[j] : shift[j]));
  const targetSlope = standardTarget ? 1 / sd[columns] : 1;
  const targetOffset = targetSlope * (centred ? -mean[columns] : shift[columns]);
  return { ...withIntercept(slope, offset), target: { slope: targetSlope, offset: targetOffset } };
}

function withIntercept(
  slope: Float64Array,
  offset: Float64Array,
): { slope: Float64Array; offset: Float64Array } {
  slope[slope.length - 1] = 0;
  offset[offset.length - 1] = 1;
  // Every job of a pass is told of it: of half a million columns that would be 8 MB each time.
  return { slope: sharedCopy(slope), offset: sharedCopy(offset) };
}
