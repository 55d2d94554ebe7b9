/**
 * The autocovariances s_t = Σ_i (x_i − x̄)(x_{i+t} − x̄)/n of a chain, t < n. A chain that mixes well is asked for a
 * few lags, which are cheapest as they stand; one that does not gets all of them at once as the inverse transform
 * of the power spectrum, in O(n log n).
 */

import { fft } from "../math/fft.js";
import { mean } from "./chains.js";

/** Two transforms of 1024 numbers cost as much as some 100 lags of 500 draws: half of that may be wasted. */
const DIRECT = 50;

export function autocovariance(draws: Float64Array): (t: number) => number {
  const centre = mean(draws);
  const centred = new Float64Array(draws.length);
  for (let i = 0; i < centred.length; i++) centred[i] = draws[i] - centre;
  let all: Float64Array | undefined;
  return (t) => {
    if (t < DIRECT) return atLag(centred, t);
    all ??= atAllLags(centred);
    return all[t];
  };
}

function atLag(centred: Float64Array, t: number): number {
  let sum = 0;
  for (let i = t; i < centred.length; i++) sum += centred[i] * centred[i - t];
  return sum / centred.length;
}

function atAllLags(centred: Float64Array): Float64Array {
  const n = centred.length;
  // Zeros to at least twice the length keep the ends of the circle apart.
  const size = 2 ** Math.ceil(Math.log2(2 * n));
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  re.set(centred);
  fft(re, im);
  for (let k = 0; k < size; k++) {
    re[k] = re[k] * re[k] + im[k] * im[k];
    im[k] = 0;
  }
  // The spectrum is real and even, so the forward transform is the inverse one up to its factor.
  fft(re, im);
  return re.subarray(0, n).map((x) => x / (size * n));
}
