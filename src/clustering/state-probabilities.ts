/** P(state k at step t | the whole sequence), averaged over draws of θ. */

import { states } from "../latent/states.js";
import { Rng } from "../math/rng.js";
import type { Hmm } from "../models/hmm.js";
import type { Stretch } from "../types.js";
import type { Sampled } from "./sampled.js";
import { smooth } from "./smoothing.js";

/** Draws that are averaged: the probabilities differ little between them, and a sequence may be long. */
const DRAWS = 100;

/** Step after step. */
export function stateProbabilities(
  model: Hmm,
  { chains, weights }: Sampled<Float64Array>,
  sequence: Stretch,
): Float64Array {
  const { states: size } = model;
  const draws = chains.flat();
  const every = Math.max(1, Math.floor(draws.length / DRAWS));
  const out = new Float64Array(sequence.rows * size);
  const kernel = states(model);
  // The filter draws nothing.
  const z = kernel.init(Rng.seeded(0), draws[0]);
  let total = 0;
  for (let d = 0; d < draws.length; d += every) {
    kernel.enter(z, draws[d], sequence);
    smooth(z, sequence, (t, law) => {
      for (let k = 0; k < size; k++) out[t * size + k] += weights[d] * law[k];
    });
    total += weights[d];
  }
  return out.map((sum) => sum / total);
}
