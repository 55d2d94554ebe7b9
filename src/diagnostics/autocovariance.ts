/**
 * The autocovariances s_t = Σ_i (x_i − x̄)(x_{i+t} − x̄)/n for every lag t < n, as the inverse transform of the
 * power spectrum: O(n log n) however slowly the chain mixes.
 */

import { fft } from "../math/fft.js";
import { mean } from "./chains.js";

export function autocovariance(draws: Float64Array): Float64Array {
  const n = draws.length;
  // Zeros to at least twice the length keep the ends of the circle apart.
  const size = 2 ** Math.ceil(Math.log2(2 * n));
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  const centre = mean(draws);
  for (let i = 0; i < n; i++) re[i] = draws[i] - centre;
  fft(re, im);
  for (let k = 0; k < size; k++) {
    re[k] = re[k] * re[k] + im[k] * im[k];
    im[k] = 0;
  }
  // The spectrum is real and even, so the forward transform is the inverse one up to its factor.
  fft(re, im);
  return re.subarray(0, n).map((x) => x / (size * n));
}
