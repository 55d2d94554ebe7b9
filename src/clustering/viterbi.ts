/**
 * The most probable path given θ (Viterbi 1967): v_t(k) = log p(x_t | k) + max_l [v_{t−1}(l) + log A_lk], read back from
 * the largest v at the end of each sequence.
 */

import type { Hmm } from "../models/hmm.js";
import type { Stretch } from "../types.js";

export function mostProbablePath(model: Hmm, theta: Float64Array, sequence: Stretch): Uint16Array {
  const { states: size } = model;
  const { rows, starts } = sequence;
  const v = new Float64Array(rows * size);
  const cameFrom = new Uint16Array(rows * size);
  const logs = new Float64Array(size * size);
  const first = new Float64Array(size);
  model.transitions(logs, theta);
  for (let i = 0; i < logs.length; i++) logs[i] = Math.log(logs[i]);
  model.initial(first, theta);
  model.logEmissions(v, theta, sequence);
  for (let t = 0; t < rows; t++) {
    const at = t * size;
    if (t === 0 || starts?.[t] === 1) {
      if (starts?.[t] === 1) for (let k = 0; k < size; k++) v[at + k] += Math.log(first[k]);
      continue;
    }
    for (let k = 0; k < size; k++) {
      let best = Number.NEGATIVE_INFINITY;
      for (let l = 0; l < size; l++) {
        const here = v[at - size + l] + logs[l * size + k];
        if (here > best) {
          best = here;
          cameFrom[at + k] = l;
        }
      }
      v[at + k] += best;
    }
  }
  const path = new Uint16Array(rows);
  for (let t = rows - 1; t >= 0; t--) {
    const isLast = t === rows - 1 || starts?.[t + 1] === 1;
    path[t] = isLast ? largest(v, t * size, size) : cameFrom[(t + 1) * size + path[t + 1]];
  }
  return path;
}

function largest(values: Float64Array, at: number, size: number): number {
  let best = 0;
  for (let k = 1; k < size; k++) if (values[at + k] > values[at + best]) best = k;
  return best;
}
