/**
 * How well a selection Ŝ and an estimate β̂ recover the truth β with S* = {j : β_j ≠ 0}, as Song et al. (2020,
 * supplement) define it:
 *
 *     FSR = |Ŝ \ S*| / |Ŝ|,   NSR = |S* \ Ŝ| / |S*|,   MSE1, MSE0 = mean of (β̂_j − β_j)² over S*, outside S*
 *
 * Where there is nothing to get wrong the error is 0: an empty selection has no false member, an empty truth
 * cannot be missed. All of it is per data set; `overDataSets` gives the averages of the paper's tables.
 */

export interface SelectionError {
  readonly fsr: number;
  readonly nsr: number;
  readonly mse1: number;
  readonly mse0: number;
}

/** A mean and its standard error, absent when a single value cannot tell it. */
export interface Average {
  readonly mean: number;
  readonly se?: number;
}

export function selectionError(
  selected: Iterable<number>,
  estimate: ArrayLike<number>,
  truth: ArrayLike<number>,
): SelectionError {
  if (estimate.length !== truth.length)
    throw new RangeError("Estimate and truth must have one entry per variable.");
  const chosen = new Set(selected);
  for (const j of chosen) {
    if (!(j in truth)) throw new RangeError(`Variable ${j} is selected but there are only ${truth.length}.`);
  }
  let [real, found, squares1, squares0] = [0, 0, 0, 0];
  for (let j = 0; j < truth.length; j++) {
    const square = (estimate[j] - truth[j]) ** 2;
    if (truth[j] === 0) {
      squares0 += square;
    } else {
      squares1 += square;
      real += 1;
      if (chosen.has(j)) found += 1;
    }
  }
  return {
    fsr: share(chosen.size - found, chosen.size),
    nsr: share(real - found, real),
    mse1: share(squares1, real),
    mse0: share(squares0, truth.length - real),
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

export function overDataSets(errors: readonly SelectionError[]): { [Key in keyof SelectionError]: Average } {
  const of = (key: keyof SelectionError) => average(errors.map((error) => error[key]));
  return { fsr: of("fsr"), nsr: of("nsr"), mse1: of("mse1"), mse0: of("mse0") };
}

export function average(values: readonly number[]): Average {
  if (values.length === 0) throw new RangeError("There is nothing to average.");
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  if (values.length === 1) return { mean };
  const squares = values.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return { mean, se: Math.sqrt(squares / (values.length - 1) / values.length) };
}
