/**
 * The posterior of a group standard deviation τ with a random intercept as a sum over a grid of τ and σ: the mean μ, with a
 * flat prior, goes in closed form, and all that the data say are the means of the groups, summed by their number of rows,
 * and the sum of squares within them. Nothing is sampled. σ has a flat prior too: the data know it.
 */

import { normal } from "../../src/math/normal.js";
import type { Rng } from "../../src/math/rng.js";
import { gamma } from "../../src/math/variates.js";

/** All groups of so many rows: how many they are, and the sums of their means and of the squares of those. */
interface Sized {
  readonly rows: number;
  count: number;
  sum: number;
  squares: number;
}

export interface Grouped {
  readonly sizes: readonly Sized[];
  readonly within: number;
  readonly freedom: number;
}

/** What a prior may know of the data beside σ. */
export interface Design {
  /** The standard deviation of the target. */
  readonly target: number;
  /** Rows of a group, on average. */
  readonly rows: number;
  /** The τ, over σ, that the data can just tell from zero: at zero the information on τ² is ½Σn²/σ⁴. */
  readonly resolution: number;
  readonly sizes: readonly Sized[];
}

/** Density of τ given σ, up to a factor. */
export type Prior = (tau: number, sigma: number, design: Design) => number;

const [TAUS, SIGMAS] = [320, 15];

/** Groups with a number of rows from `least` to `most`, drawn anew, that differ by τ in units of the noise. */
export function simulated(
  rng: Rng,
  groups: number,
  [least, most]: readonly [number, number],
  tau: number,
): Grouped {
  const sizes: Sized[] = [];
  for (let rows = least; rows <= most; rows++) sizes.push({ rows, count: 0, sum: 0, squares: 0 });
  let freedom = -groups;
  for (let i = 0; i < groups; i++) {
    const size = sizes[Math.floor(sizes.length * rng.uniform())];
    addGroup(size, Math.sqrt(tau ** 2 + 1 / size.rows) * normal(rng));
    freedom += size.rows;
  }
  return { sizes: sizes.filter(({ count }) => count > 0), within: 2 * gamma(rng, 0.5 * freedom), freedom };
}

export function addGroup(size: Sized, mean: number): void {
  size.count += 1;
  size.sum += mean;
  size.squares += mean * mean;
}

export function designOf({ sizes, within }: Grouped): Design {
  const total = (value: (size: Sized) => number): number => sizes.reduce((sum, size) => sum + value(size), 0);
  const rows = total(({ rows, count }) => rows * count);
  const mean = total(({ rows, sum }) => rows * sum) / rows;
  const square = total(({ rows, squares }) => rows * squares);
  return {
    target: Math.sqrt((square + within) / rows - mean ** 2),
    rows: rows / total(({ count }) => count),
    resolution: (2 / total(({ rows, count }) => count * rows ** 2)) ** 0.25,
    sizes,
  };
}

/** Cells of τ, narrow near zero, as far as the posterior goes in data of that design and truth. */
export function edgesOf(groups: number, { resolution }: Design, truth: number): Float64Array {
  const tails = groups < 20 ? 20 : 6;
  const reach = truth + (tails + 2) * resolution + (tails * truth) / Math.sqrt(2 * groups);
  return Float64Array.from({ length: TAUS + 1 }, (_, i) => reach * (i / TAUS) ** 2);
}

/** log p(data | τ, σ), with μ integrated out. */
function logLikelihood({ sizes, within, freedom }: Grouped, tau: number, sigma: number): number {
  let [logs, precision, first, second] = [0, 0, 0, 0];
  for (const { rows, count, sum, squares } of sizes) {
    const weight = 1 / (tau ** 2 + sigma ** 2 / rows);
    logs += count * Math.log(weight);
    precision += count * weight;
    first += sum * weight;
    second += squares * weight;
  }
  const deviance = second - first ** 2 / precision + within / sigma ** 2;
  return 0.5 * (logs - Math.log(precision) - deviance) - freedom * Math.log(sigma);
}

/** The mass of every cell of τ under each of the priors. */
export function masses(data: Grouped, edges: Float64Array, priors: readonly Prior[]): Float64Array[] {
  const design = designOf(data);
  const guess = Math.sqrt(data.within / data.freedom);
  const sigmas = Array.from(
    { length: SIGMAS },
    (_, s) => guess * Math.exp(((8 * s) / (SIGMAS - 1) - 4) / Math.sqrt(2 * data.freedom)),
  );
  const taus = Array.from({ length: TAUS }, (_, i) => 0.5 * (edges[i] + edges[i + 1]));
  const logs = taus.map((tau) =>
    sigmas.map((sigma) => logLikelihood(data, tau, sigma) + Math.log(sigma / guess)),
  );
  const top = logs.reduce((high, row) => Math.max(high, ...row), Number.NEGATIVE_INFINITY);
  const out = priors.map(() => new Float64Array(TAUS));
  for (let i = 0; i < TAUS; i++) {
    for (let s = 0; s < SIGMAS; s++) {
      const likelihood = Math.exp(logs[i][s] - top) * (edges[i + 1] - edges[i]);
      if (likelihood < 1e-15) continue;
      priors.forEach((prior, j) => {
        out[j][i] += likelihood * prior(taus[i], sigmas[s], design);
      });
    }
  }
  return out;
}

/** Shares of the posterior below intervals that are tried for the shortest. */
const TAILS = Array.from({ length: 26 }, (_, i) => 0.002 * i);

export function summary(mass: Float64Array, edges: Float64Array) {
  const total = mass.reduce((sum, m) => sum + m, 0);
  const below = new Float64Array(TAUS + 1);
  let [mean, square] = [0, 0];
  for (let i = 0; i < TAUS; i++) {
    const tau = 0.5 * (edges[i] + edges[i + 1]);
    below[i + 1] = below[i] + mass[i] / total;
    mean += (mass[i] * tau) / total;
    square += (mass[i] * tau * tau) / total;
  }
  const quantile = (share: number): number => {
    const i = Math.min(TAUS - 1, Math.max(0, below.findIndex((b) => b > share) - 1));
    return edges[i] + ((share - below[i]) / (below[i + 1] - below[i])) * (edges[i + 1] - edges[i]);
  };
  const shortest = TAILS.map(
    (tail) => [quantile(tail), quantile(Math.min(tail + 0.95, 1 - 1e-9))] as const,
  ).reduce((best, ends) => (ends[1] - ends[0] < best[1] - best[0] ? ends : best));
  return {
    lower: quantile(0.025),
    median: quantile(0.5),
    upper: quantile(0.975),
    shortest,
    sd: Math.sqrt(square - mean * mean),
  };
}
