/** Logits of probabilities (models/simplex.ts) with a Dirichlet(1, …, 1) prior, given counts. */

import type { Rng } from "../../math/rng.js";
import { logGammaVariate } from "../../math/variates.js";

/** θ[at …) ← a draw from Dirichlet(1 + counts), or without a generator its mode in the logits. */
export function renewSimplex(theta: Float64Array, at: number, counts: Float64Array, rng?: Rng): void {
  const logs = counts.map((count) => (rng ? logGammaVariate(rng, 1 + count) : Math.log(1 + count)));
  const last = logs.length - 1;
  for (let k = 0; k < last; k++) theta[at + k] = logs[k] - logs[last];
}
