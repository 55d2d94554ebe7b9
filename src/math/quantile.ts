/**
 * The p-quantile of an ascending array, linear between order statistics: type 7 of Hyndman and Fan (1996), the
 * default of R and NumPy. NaN for an empty array.
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const n = sorted.length;
  if (n === 0 || !(p >= 0 && p <= 1)) return Number.NaN;
  const position = (n - 1) * p;
  const i = Math.floor(position);
  const fraction = position - i;
  // Without this, ∞ − ∞ or 0·∞ beside an infinite order statistic would be NaN.
  if (fraction === 0 || sorted[i] === sorted[i + 1]) return sorted[i];
  return (1 - fraction) * sorted[i] + fraction * sorted[i + 1];
}

/**
 * The same of values that do not count alike: laid end to end, each as long as its weight, linear between the middles
 * of the values. Equal weights give `quantile`. Weights are positive.
 */
export function weightedQuantile(sorted: ArrayLike<number>, weights: ArrayLike<number>, p: number): number {
  const n = sorted.length;
  if (n === 0 || !(p >= 0 && p <= 1)) return Number.NaN;
  let length = 0;
  for (let i = 1; i < n; i++) length += 0.5 * (weights[i - 1] + weights[i]);
  let left = p * length;
  for (let i = 1; i < n; i++) {
    const gap = 0.5 * (weights[i - 1] + weights[i]);
    if (left < gap) return sorted[i - 1] + (left / gap) * (sorted[i] - sorted[i - 1]);
    left -= gap;
  }
  return sorted[n - 1];
}
