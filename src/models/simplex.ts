/**
 * Probabilities on an unconstrained scale: w = softmax(a_1, …, a_{K−1}, 0). A Dirichlet(c, …, c) prior on w has, with
 * the Jacobian |∂w/∂a| = Π w_k, the log density c·Σ log w_k in a.
 */

/** out ← log w, from the K − 1 logits at theta[from …). */
export function logSimplex(out: Float64Array, theta: Float64Array, from: number): void {
  const size = out.length;
  let top = 0;
  for (let k = 0; k < size - 1; k++) top = Math.max(top, theta[from + k]);
  let sum = Math.exp(-top);
  for (let k = 0; k < size - 1; k++) sum += Math.exp(theta[from + k] - top);
  const normaliser = top + Math.log(sum);
  for (let k = 0; k < size - 1; k++) out[k] = theta[from + k] - normaliser;
  out[size - 1] = -normaliser;
}

/** out[at …) += scale·∇_a Σ counts_k·log w_k, from log w in `logs`. */
export function addSimplexGrad(
  out: Float64Array,
  at: number,
  scale: number,
  counts: Float64Array,
  logs: Float64Array,
): void {
  const size = counts.length;
  let total = 0;
  for (let k = 0; k < size; k++) total += counts[k];
  for (let k = 0; k < size - 1; k++) out[at + k] += scale * (counts[k] - total * Math.exp(logs[k]));
}

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k];
  return sum;
}

/** The rows of a square matrix, as views of it. */
export function rowsOf(matrix: Float64Array): Float64Array[] {
  const size = Math.sqrt(matrix.length);
  return Array.from({ length: size }, (_, k) => matrix.subarray(k * size, (k + 1) * size));
}
