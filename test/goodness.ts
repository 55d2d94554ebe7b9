/** Goodness of fit: p-values, so that a statistical test can state its false-alarm rate. */

import { chiSquareTail } from "../src/math/distributions.js";

/** Pearson's test of counts against probabilities (any positive scale). Expected counts should exceed about 5. */
export function chiSquareP(counts: ArrayLike<number>, probabilities: ArrayLike<number>): number {
  let n = 0;
  let total = 0;
  for (let i = 0; i < counts.length; i++) {
    n += counts[i];
    total += probabilities[i];
  }
  let statistic = 0;
  let cells = 0;
  for (let i = 0; i < counts.length; i++) {
    const expected = (n * probabilities[i]) / total;
    if (expected === 0) {
      if (counts[i] > 0) return 0;
      continue;
    }
    statistic += (counts[i] - expected) ** 2 / expected;
    cells += 1;
  }
  return chiSquareTail(statistic, cells - 1);
}

/** Kolmogorov and Smirnov's test of a sample (sorted in place) against a continuous distribution function. */
export function kolmogorovP(sample: Float64Array, cdf: (x: number) => number): number {
  sample.sort();
  const n = sample.length;
  let distance = 0;
  for (let i = 0; i < n; i++) {
    const f = cdf(sample[i]);
    if (Number.isNaN(f)) return 0;
    distance = Math.max(distance, f - i / n, (i + 1) / n - f);
  }
  // Stephens (1970): the asymptotic law with a correction that is accurate from n = 10 on.
  const t = distance * (Math.sqrt(n) + 0.12 + 0.11 / Math.sqrt(n));
  if (t < 0.3) return 1;
  let p = 0;
  for (let k = 1; k <= 100; k++) p += (k % 2 ? 2 : -2) * Math.exp(-2 * k * k * t * t);
  return Math.min(1, Math.max(0, p));
}

/** How many Monte Carlo standard errors the mean of `values` is away from `expected`. */
export function meanZ(values: ArrayLike<number>, expected: number): number {
  const n = values.length;
  let mean = 0;
  for (let i = 0; i < n; i++) mean += values[i] / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (values[i] - mean) ** 2;
  return (mean - expected) / Math.sqrt(squares / (n - 1) / n);
}
