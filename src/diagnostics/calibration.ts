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
  // Certain predictions have no logit: 1e-15 is where the log loss stops counting, too.
  const x = Float64Array.from(probability, (p) => {
    const inside = Math.min(Math.max(p, 1e-15), 1 - 1e-15);
    return Math.log(inside) - Math.log1p(-inside);
  });
  if (!overlap(y, x)) return {};
  let [a, b] = [0, 0];
  let current = logLikelihood(y, x, a, b);
  for (let iteration = 0; iteration < 100; iteration++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, 0, 0, 0];
    for (let i = 0; i < x.length; i++) {
      const mu = 1 / (1 + Math.exp(-(a + b * x[i])));
      const w = mu * (1 - mu);
      ga += y[i] - mu;
      gb += (y[i] - mu) * x[i];
      haa += w;
      hab += w * x[i];
      hbb += w * x[i] * x[i];
    }
    const determinant = haa * hbb - hab * hab;
    const da = (hbb * ga - hab * gb) / determinant;
    const db = (haa * gb - hab * ga) / determinant;
    // What is left to gain is lost in rounding; the last step is as good as it gets.
    if (ga * da + gb * db < 1e-12 * Math.abs(current)) return { intercept: a + da, slope: b + db };
    let step = 1;
    let next = logLikelihood(y, x, a + da, b + db);
    while (!(next >= current) && step > 1e-10) {
      step /= 2;
      next = logLikelihood(y, x, a + step * da, b + step * db);
    }
    if (step <= 1e-10) break;
    a += step * da;
    b += step * db;
    current = next;
    if (Math.abs(da) + Math.abs(db) < 1e-12 * (1 + Math.abs(a) + Math.abs(b))) break;
  }
  return { intercept: a, slope: b };
}

function logLikelihood(y: ArrayLike<number>, x: Float64Array, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    const eta = a + b * x[i];
    sum += y[i] * eta - Math.max(eta, 0) - Math.log1p(Math.exp(-Math.abs(eta)));
  }
  return sum;
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
