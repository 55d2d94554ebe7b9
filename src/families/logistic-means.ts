/** E expit(η) of a normal law of η, by Gauss and Hermite's rule: of one, and of many by a kernel. */

import { chainBuffer, chainKernels, Region } from "../kernels/chain-memory.js";
import { expit } from "../math/special.js";

/** Four points are right to 1e-7 for standard deviations below this. */
const NARROW = 0.3;
const FEW_NODES: readonly (readonly [number, number])[] = [
  [0.7419637843027259, 0.4541241452319315],
  [2.334414218338977, 0.0458758547680685],
];

/** Positive half of the ten-point rule for the standard normal (Abramowitz and Stegun, table 25.10, rescaled). */
const NODES: readonly (readonly [number, number])[] = [
  [0.4849357075154977, 0.3446423349320194],
  [1.4659890943911582, 0.1354837029802681],
  [2.4843258416389546, 0.0191115805007703],
  [3.5818234835519269, 0.0007580709343122],
  [4.859462828332313, 4.3106526307183e-6],
];

export function logisticMean(mean: number, sd: number): number {
  let sum = 0;
  for (const [x, w] of sd < NARROW ? FEW_NODES : NODES) {
    sum += w * (expit(mean + x * sd) + expit(mean - x * sd));
  }
  return sum;
}

const ALL = [...FEW_NODES, ...NODES].flat();
const region = new Region();

/** The same of many laws, mean and standard deviation each: so many times it is added to `means`. */
export function addLogisticMeans(means: Float64Array, laws: Float64Array, times: number): void {
  const n = means.length;
  const start = region.hold(8 * (3 * n + ALL.length));
  const numbers = new Float64Array(chainBuffer(), start, 3 * n + ALL.length);
  numbers.set(means);
  numbers.set(laws, n);
  numbers.set(ALL, 3 * n);
  const [few, many] = [FEW_NODES.length, NODES.length];
  chainKernels().addLogisticMeans(start, start + 8 * n, start + 24 * n, n, few, many, NARROW, times);
  means.set(numbers.subarray(0, n));
}
