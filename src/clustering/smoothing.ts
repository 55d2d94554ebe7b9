/**
 * The law of the hidden states given a whole stretch, exact given θ, by smoothing the filter f from its end:
 *
 *     γ_T = f_T,   P(z_t = k, z_{t+1} = l) = f_t(k)·A_kl·γ_{t+1}(l)/p_{t+1}(l),   p_{t+1}(l) = Σ_k f_t(k)·A_kl
 *
 * and γ_t(k) is the sum of that over l.
 */

import type { Path } from "../latent/states.js";
import type { Stretch } from "../types.js";

/** Calls `visit` with γ_t and, where step t + 1 follows in the same sequence, the law of the move; both are reused. */
export function smooth(
  { filtered, transitions }: Path,
  { rows, starts }: Stretch,
  visit: (t: number, law: Float64Array, moves: Float64Array | undefined) => void,
): void {
  const size = Math.sqrt(transitions.length);
  const law = new Float64Array(size);
  const moves = new Float64Array(size * size);
  for (let t = rows - 1; t >= 0; t--) {
    const at = t * size;
    if (t === rows - 1 || starts?.[t + 1] === 1) {
      for (let k = 0; k < size; k++) law[k] = filtered[at + k];
      visit(t, law, undefined);
      continue;
    }
    for (let l = 0; l < size; l++) {
      let predicted = 0;
      for (let k = 0; k < size; k++) predicted += filtered[at + k] * transitions[k * size + l];
      const ratio = predicted > 0 ? law[l] / predicted : 0;
      for (let k = 0; k < size; k++)
        moves[k * size + l] = filtered[at + k] * transitions[k * size + l] * ratio;
    }
    for (let k = 0; k < size; k++) {
      law[k] = 0;
      for (let l = 0; l < size; l++) law[k] += moves[k * size + l];
    }
    visit(t, law, moves);
  }
}
