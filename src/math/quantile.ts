/** Quantile of sorted numbers, linear between order statistics (type 7, R's default). */
export function quantileSorted(sorted: ArrayLike<number>, q: number): number {
  const position = q * (sorted.length - 1);
  const floor = Math.floor(position);
  const next = Math.min(sorted.length - 1, floor + 1);
  return sorted[floor] + (position - floor) * (sorted[next] - sorted[floor]);
}
