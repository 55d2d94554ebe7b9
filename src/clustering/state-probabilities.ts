/**
 * P(state k at step t | the whole sequence), averaged over draws of θ. Given θ it is exact, by smoothing the filter f:
 *
 *     γ_T = f_T,   γ_t(k) = f_t(k)·Σ_l A_kl·γ_{t+1}(l)/p_{t+1}(l),   p_{t+1}(l) = Σ_k f_t(k)·A_kl
 */

import { states } from "../latent/states.js";
import { Rng } from "../math/rng.js";
import type { Hmm } from "../models/hmm.js";
import type { Stretch } from "../types.js";
import type { Sampled } from "./sampled.js";

/** Draws that are averaged: the probabilities differ little between them, and a sequence may be long. */
const DRAWS = 100;

/** Step after step. */
export function stateProbabilities(
  model: Hmm,
  { chains, weights }: Sampled<Float64Array>,
  sequence: Stretch,
): Float64Array {
  const draws = chains.flat();
  const every = Math.max(1, Math.floor(draws.length / DRAWS));
  const out = new Float64Array(sequence.rows * model.states);
  let total = 0;
  for (let d = 0; d < draws.length; d += every) {
    addSmoothed(out, weights[d], model, draws[d], sequence);
    total += weights[d];
  }
  return out.map((sum) => sum / total);
}

function addSmoothed(
  out: Float64Array,
  weight: number,
  model: Hmm,
  theta: Float64Array,
  sequence: Stretch,
): void {
  const size = model.states;
  const kernel = states(model);
  // The filter draws nothing.
  const z = kernel.init(Rng.seeded(0), theta);
  kernel.enter(z, theta, sequence);
  const { filtered, transitions } = z;
  const ratio = new Float64Array(size);
  const law = new Float64Array(size);
  for (let t = sequence.rows - 1; t >= 0; t--) {
    const here = filtered.subarray(t * size, (t + 1) * size);
    if (t === sequence.rows - 1 || sequence.starts?.[t + 1] === 1) law.set(here);
    else {
      for (let l = 0; l < size; l++) {
        let predicted = 0;
        for (let k = 0; k < size; k++) predicted += here[k] * transitions[k * size + l];
        ratio[l] = predicted > 0 ? law[l] / predicted : 0;
      }
      for (let k = 0; k < size; k++) {
        let sum = 0;
        for (let l = 0; l < size; l++) sum += transitions[k * size + l] * ratio[l];
        law[k] = here[k] * sum;
      }
    }
    for (let k = 0; k < size; k++) out[t * size + k] += weight * law[k];
  }
}
