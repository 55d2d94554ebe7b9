/**
 * Do rows that are given probability p turn out to be ones with frequency p?
 * - Bins of equal width over [0, 1]: mean prediction and observed frequency in each that has rows, and the
 *   expected calibration error, the mean over rows of |frequency − prediction| of their bin.
 * - The logistic recalibration logit P(y = 1) = a + b·logit(p) (Cox 1958) by maximum likelihood: a = 0, b = 1 is
 *   perfect, b < 1 overconfident. Absent when the maximum does not exist: one class, one prediction, or
 *   predictions that separate the classes.
 */

export interface Calibration {
  readonly bins: readonly CalibrationBin[];
  readonly expectedError: number;
  readonly intercept?: number;
  readonly slope?: number;
}

export interface CalibrationBin {
  readonly rows: number;
  readonly predicted: number;
  readonly observed: number;
}

export function calibration(
  y: ArrayLike<number>,
  probability: ArrayLike<number>,
  binCount = 10,
): Calibration {
  const sums = Array.from({ length: binCount }, () => ({ rows: 0, predicted: 0, observed: 0 }));
  for (let i = 0; i < y.length; i++) {
    const bin = sums[Math.min(Math.floor(probability[i] * binCount), binCount - 1)];
    bin.rows += 1;
    bin.predicted += probability[i];
    bin.observed += y[i];
  }
  const bins = sums
    .filter(({ rows }) => rows > 0)
    .map(({ rows, predicted, observed }) => ({
      rows,
      predicted: predicted / rows,
      observed: observed / rows,
    }));
  const error = bins.reduce((sum, bin) => sum + bin.rows * Math.abs(bin.observed - bin.predicted), 0);
  return { bins, expectedError: error / y.length, ...recalibration(y, probability) };
}

/** Newton's method with halved steps; the log-likelihood is concave. */
function recalibration(
  y: ArrayLike<number>,
  probability: ArrayLike<number>,
): { intercept: number; slope: number } | Record<string, never> {
  const x = logits(probability);
  if (!overlap(y, x)) return {};
  // Most predictions are nearly calibrated.
  let [a, b] = [0, 1];
  let here = terms(y, x, a, b);
  for (let iteration = 0; iteration < 100; iteration++) {
    const { logLikelihood, ga, gb, haa, hab, hbb } = here;
    const determinant = haa * hbb - hab * hab;
    const da = (hbb * ga - hab * gb) / determinant;
    const db = (haa * gb - hab * ga) / determinant;
    // What is left to gain is lost in rounding; the last step is as good as it gets.
    if (ga * da + gb * db < 1e-12 * Math.abs(logLikelihood)) return { intercept: a + da, slope: b + db };
    let step = 1;
    let next = terms(y, x, a + da, b + db);
    while (!(next.logLikelihood >= logLikelihood) && step > 1e-10) {
      step /= 2;
      next = terms(y, x, a + step * da, b + step * db);
    }
    if (step <= 1e-10) break;
    a += step * da;
    b += step * db;
    here = next;
    if (Math.abs(da) + Math.abs(db) < 1e-12 * (1 + Math.abs(a) + Math.abs(b))) break;
  }
  return { intercept: a, slope: b };
}

/** Certain predictions have no logit: 1e-15 is where the log loss stops counting, too. */
function logits(probability: ArrayLike<number>): Float64Array {
  const x = new Float64Array(probability.length);
  for (let i = 0; i < x.length; i++) {
    const inside = Math.min(Math.max(probability[i], 1e-15), 1 - 1e-15);
    x[i] = Math.log(inside) - Math.log1p(-inside);
  }
  return x;
}

/** The log-likelihood at a + bx, its gradient and its negative curvature, in one pass. */
function terms(y: ArrayLike<number>, x: Float64Array, a: number, b: number) {
  let [logLikelihood, ga, gb, haa, hab, hbb] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const eta = a + b * x[i];
    const small = Math.exp(-Math.abs(eta));
    logLikelihood += y[i] * eta - Math.max(eta, 0) - Math.log1p(small);
    const mu = (eta < 0 ? small : 1) / (1 + small);
    const w = small / ((1 + small) * (1 + small));
    ga += y[i] - mu;
    gb += (y[i] - mu) * x[i];
    haa += w;
    hab += w * x[i];
    hbb += w * x[i] * x[i];
  }
  return { logLikelihood, ga, gb, haa, hab, hbb };
}

/** With one predictor the maximum exists just when no threshold has all zeros on one side and all ones on the other. */
function overlap(y: ArrayLike<number>, x: Float64Array): boolean {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    low[y[i]] = Math.min(low[y[i]], x[i]);
    high[y[i]] = Math.max(high[y[i]], x[i]);
  }
  return high[0] > low[1] && high[1] > low[0];
}
