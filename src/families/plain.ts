/**
 * A family's kernels from functions of one number: the reference form of those that are compiled, and all that a
 * family without compiled kernels needs.
 */

import type { Kernels } from "../kernels/interface.js";
import type { Likelihood, OneVariable } from "./family.js";

export interface RowFunctions {
  /** log p(y | η), up to a constant in η. */
  logDensity(y: number, eta: number): number;
  /** Its slope in η, and minus its curvature. */
  score(y: number, eta: number): number;
  weight(eta: number): number;
}

export function plainLikelihood({ memory }: Kernels, of: RowFunctions): Likelihood {
  const at = (pointer: number, n: number) => new Float32Array(memory.buffer, pointer, n);
  return {
    dispersion: 1,
    logLikelihood(eta, y, n) {
      const [etas, ys] = [at(eta, n), at(y, n)];
      let sum = 0;
      for (let i = 0; i < n; i++) sum += of.logDensity(ys[i], etas[i]);
      return sum;
    },
    change(d, eta, y, n) {
      const [ds, etas, ys] = [at(d, n), at(eta, n), at(y, n)];
      let sum = 0;
      for (let i = 0; i < n; i++) {
        sum += of.logDensity(ys[i], etas[i] + ds[i]) - of.logDensity(ys[i], etas[i]);
      }
      return sum;
    },
    score(out, eta, y, n) {
      const [outs, etas, ys] = [at(out, n), at(eta, n), at(y, n)];
      for (let i = 0; i < n; i++) outs[i] = of.score(ys[i], etas[i]);
    },
    weights(out, eta, n) {
      const [outs, etas] = [at(out, n), at(eta, n)];
      for (let i = 0; i < n; i++) outs[i] = of.weight(etas[i]);
    },
  };
}

export function plainOneVariable({ memory }: Kernels, of: RowFunctions): OneVariable {
  return (out, a, b, center, scale, x, y, n) => {
    const sums = new Float64Array(memory.buffer, out, 6);
    const [xs, ys] = [new Float32Array(memory.buffer, x, n), new Float32Array(memory.buffer, y, n)];
    for (let i = 0; i < n; i++) {
      const z = (xs[i] - center) * scale;
      const eta = a + b * z;
      const [score, weight] = [of.score(ys[i], eta), of.weight(eta)];
      sums[0] += of.logDensity(ys[i], eta);
      sums[1] += score;
      sums[2] += score * z;
      sums[3] += weight;
      sums[4] += weight * z;
      sums[5] += weight * z * z;
    }
  };
}
