/**
 * Probabilities on an unconstrained scale: w = softmax(a_1, …, a_{K−1}, 0). A Dirichlet(c, …, c) prior on w has, with
 * the Jacobian |∂w/∂a| = Π w_k, the log density c·Σ log w_k in a.
 */

/** Writes log w at out[to …) from the K − 1 logits at theta[from …). */
export function logSimplex(
  out: Float64Array,
  to: number,
  theta: Float64Array,
  from: number,
  size: number,
): void {
  let top = 0;
  for (let k = 0; k < size - 1; k++) top = Math.max(top, theta[from + k]);
  let sum = Math.exp(-top);
  for (let k = 0; k < size - 1; k++) sum += Math.exp(theta[from + k] - top);
  const normaliser = top + Math.log(sum);
  for (let k = 0; k < size - 1; k++) out[to + k] = theta[from + k] - normaliser;
  out[to + size - 1] = -normaliser;
}

/** out[at …) += scale·∇_a Σ counts_k·log w_k, from log w at logs[from …). */
export function addSimplexGrad(
  out: Float64Array,
  at: number,
  scale: number,
  counts: Float64Array,
  first: number,
  logs: Float64Array,
  from: number,
  size: number,
): void {
  let total = 0;
  for (let k = 0; k < size; k++) total += counts[first + k];
  for (let k = 0; k < size - 1; k++) {
    out[at + k] += scale * (counts[first + k] - total * Math.exp(logs[from + k]));
  }
}

/** Σ values[at … at + size). */
export function sumOf(values: Float64Array, at: number, size: number): number {
  let sum = 0;
  for (let k = 0; k < size; k++) sum += values[at + k];
  return sum;
}
