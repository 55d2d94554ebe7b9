/**
 * A gradient's error from the differences of successive estimates: θ moves little between two steps and the batches
 * are independent, so E ½(ĝ_t − ĝ_{t−1})² is the variance of ĝ, whatever its causes: rows, latent draws, both. It costs
 * no further pass over rows and works for coordinates that sleep. One such estimate has a single degree of freedom:
 * the integrator averages them. The variance due to the rows is weight·I (I: the information of all rows), hence
 * I ≈ variance/weight, too large by the share of the latent draws in the variance; SGFS is then colder by at
 * most 1/weight of its temperature.
 */

import type { Coordinates, Gradient, GradientWithNoise } from "../types.js";

export function withNoise<B extends { readonly weight: number }>(
  of: (batch: B) => Gradient,
): (batch: B) => GradientWithNoise {
  let now: Gradient;
  let weight = 1;
  let time = 0;
  let before = new Float64Array(0);
  let seen = new Float64Array(0);
  let square = new Float64Array(0);
  let coordinates: Coordinates = { count: 0, indices: new Uint32Array(0) };
  const gradient: GradientWithNoise = {
    at(out, theta) {
      if (before.length !== theta.length) {
        before = new Float64Array(theta.length);
        square = new Float64Array(theta.length);
        seen = new Float64Array(theta.length).fill(-1);
      }
      coordinates = now.at(out, theta);
      time += 1;
      for (let i = 0; i < coordinates.count; i++) {
        const j = coordinates.indices[i];
        // A coordinate seen for the first time since it slept has nothing to be compared with but 0.
        square[j] = seen[j] === time - 1 ? 0.5 * (out[j] - before[j]) ** 2 : out[j] ** 2;
        before[j] = out[j];
        seen[j] = time;
      }
      return coordinates;
    },
    noise(information, variance) {
      for (let i = 0; i < coordinates.count; i++) {
        const j = coordinates.indices[i];
        variance[j] = square[j];
        information[j] = square[j] / weight;
      }
    },
  };
  return (batch) => {
    now = of(batch);
    weight = batch.weight;
    return gradient;
  };
}
