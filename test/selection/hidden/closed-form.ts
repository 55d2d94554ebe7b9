/** log p(S | y) with β ~ N(0, vσ²), p(σ²) ∝ 1/σ² and a flat intercept, by Gaussian elimination on standardised columns. */

export function logPosterior(
  { columns, y }: { readonly columns: readonly Float64Array[]; readonly y: Float64Array },
  members: readonly number[],
  { priorInclusion, slabVariance }: { readonly priorInclusion: number; readonly slabVariance: number },
): number {
  const n = y.length;
  const centred = (values: Float64Array) => {
    const mean = values.reduce((a, b) => a + b, 0) / n;
    return values.map((value) => value - mean);
  };
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const response = centred(y);
  const x = members.map((j) => {
    const column = centred(columns[j]);
    const sd = Math.sqrt(dot(column, column) / (n - 1));
    return column.map((value) => value / sd);
  });
  const k = members.length;
  // [X'X + I/v | X'y], brought to triangular form.
  const rows = x.map((a, i) => [
    ...x.map((b, j) => dot(a, b) + (i === j ? 1 / slabVariance : 0)),
    dot(a, response),
  ]);
  let left = dot(response, response);
  let logDeterminant = 0;
  for (let i = 0; i < k; i++) {
    logDeterminant += Math.log(slabVariance * rows[i][i]);
    left -= rows[i][k] ** 2 / rows[i][i];
    for (let r = i + 1; r < k; r++) {
      const factor = rows[r][i] / rows[i][i];
      for (let c = i; c <= k; c++) rows[r][c] -= factor * rows[i][c];
    }
  }
  const odds = Math.log(priorInclusion / (1 - priorInclusion));
  return k * odds - 0.5 * logDeterminant - 0.5 * (n - 1) * Math.log(left);
}
