/** The largest distance, in batch-means standard errors, between how often states were visited and their weights. */
export function worstDeviation(visited: ArrayLike<number>, weights: ArrayLike<number>, batches = 40): number {
  const total = Array.from(weights).reduce((sum, w) => sum + w, 0);
  const length = Math.floor(visited.length / batches);
  let worst = 0;
  for (let state = 0; state < weights.length; state++) {
    const shares = new Float64Array(batches);
    for (let i = 0; i < batches * length; i++) {
      if (visited[i] === state) shares[Math.floor(i / length)] += 1 / length;
    }
    const mean = shares.reduce((sum, x) => sum + x, 0) / batches;
    const expected = weights[state] / total;
    const variance = shares.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (batches - 1);
    if (variance === 0 && mean === expected) continue;
    worst = Math.max(worst, Math.abs(mean - expected) / Math.sqrt(variance / batches));
  }
  return worst;
}
