/**
 * Which prior of a group standard deviation τ would bring its posterior median nearest to the truth? Balanced groups with
 * a random intercept, where the sums of squares between and within groups are all that the data say, so that the
 * posterior is a sum over a grid of τ and σ and nothing is sampled. `node --import tsx bench/mixed/priors.ts [sets]`.
 *
 * One line a cell and prior: share of the 95% intervals that cover; (median − truth) over the posterior sd, averaged; and
 * the same of the mode, which with a flat prior is what maximum likelihood gives; the upper end, averaged, over the noise.
 * With a truth of 0 only the last is of use. At the end, of each prior, the cells
 * whose median is within a quarter of a posterior sd and those whose coverage is from 92% to 98%.
 */

import { Rng } from "../../src/math/rng.js";
import { gamma } from "../../src/math/variates.js";

/** Density of τ given σ and the standard deviation of the target, up to a factor. */
type Prior = (tau: number, sigma: number, target: number, rows: number) => number;

const halfT =
  (scale: number, degrees = 2): Prior =>
  (tau, _, target) =>
    (1 + (tau / (scale * target)) ** 2 / degrees) ** (-0.5 * (degrees + 1));

const PRIORS: Readonly<Record<string, Prior>> = {
  "half-t(2), the default": halfT(1),
  "half-t(2), scale 0.3": halfT(0.3),
  flat: () => 1,
  "half-normal": (tau, _, target) => Math.exp(-0.5 * (tau / target) ** 2),
  "half-Cauchy, scale σ/√rows": (tau, sigma, _, rows) => 1 / (1 + rows * (tau / sigma) ** 2),
  "τ^−½ times half-t": (tau, sigma, target, rows) => halfT(1)(tau, sigma, target, rows) / Math.sqrt(tau),
  "τ^−¼ times half-t": (tau, sigma, target, rows) => halfT(1)(tau, sigma, target, rows) / tau ** 0.25,
  "τ^¼ times half-t": (tau, sigma, target, rows) => halfT(1)(tau, sigma, target, rows) * tau ** 0.25,
  "uniform shrinkage": (tau, sigma, _, rows) => tau / (sigma ** 2 + rows * tau ** 2) ** 2,
};
const CELLS = [30, 100, 1000].flatMap((groups) =>
  [5, 50].flatMap((rows) => [0, 0.05, 0.1, 0.2, 0.5, 1].map((truth) => ({ groups, rows, truth }))),
);
const sets = Number(process.argv[2] ?? 400);
const [TAUS, SIGMAS] = [400, 21];
const chiSquare = (rng: Rng, degrees: number): number => 2 * gamma(rng, 0.5 * degrees);

interface Tally {
  covered: number;
  median: number;
  mode: number;
  upper: number;
}

/** The mass of every cell of τ under each prior, for one data set. */
function summed(between: number, within: number, groups: number, rows: number, edges: Float64Array) {
  const freedom = groups * (rows - 1);
  const [guess, target] = [Math.sqrt(within / freedom), Math.sqrt((between + within) / (groups * rows))];
  const names = Object.keys(PRIORS);
  const logs: number[][] = [];
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < TAUS; i++) {
    const tau = 0.5 * (edges[i] + edges[i + 1]);
    logs.push([]);
    for (let s = 0; s < SIGMAS; s++) {
      const sigma = guess * Math.exp(((10 * s) / (SIGMAS - 1) - 5) / Math.sqrt(2 * freedom));
      const whole = sigma ** 2 + rows * tau ** 2;
      const log =
        -0.5 * ((groups - 1) * Math.log(whole) + between / whole + within / sigma ** 2) -
        (freedom - 1) * Math.log(sigma);
      logs[i].push(log);
      top = Math.max(top, log);
    }
  }
  const mass = names.map(() => new Float64Array(TAUS));
  for (let i = 0; i < TAUS; i++) {
    const tau = 0.5 * (edges[i] + edges[i + 1]);
    for (let s = 0; s < SIGMAS; s++) {
      const likelihood = Math.exp(logs[i][s] - top) * (edges[i + 1] - edges[i]);
      if (likelihood < 1e-15) continue;
      const sigma = guess * Math.exp(((10 * s) / (SIGMAS - 1) - 5) / Math.sqrt(2 * freedom));
      names.forEach((name, j) => {
        mass[j][i] += likelihood * PRIORS[name](tau, sigma, target, rows);
      });
    }
  }
  return mass;
}

function summary(mass: Float64Array, edges: Float64Array) {
  const total = mass.reduce((sum, m) => sum + m, 0);
  const quantile = (share: number): number => {
    let left = share * total;
    for (let i = 0; i < TAUS; i++) {
      if (left <= mass[i]) return edges[i] + (left / mass[i]) * (edges[i + 1] - edges[i]);
      left -= mass[i];
    }
    return edges[TAUS];
  };
  let [mean, square, mode, highest] = [0, 0, 0, 0];
  for (let i = 0; i < TAUS; i++) {
    const tau = 0.5 * (edges[i] + edges[i + 1]);
    mean += (mass[i] * tau) / total;
    square += (mass[i] * tau * tau) / total;
    const density = mass[i] / (edges[i + 1] - edges[i]);
    if (density > highest) [highest, mode] = [density, tau];
  }
  return {
    lower: quantile(0.025),
    median: quantile(0.5),
    upper: quantile(0.975),
    mode,
    sd: Math.sqrt(square - mean * mean),
  };
}

const near: Record<string, number> = {};
const right: Record<string, number> = {};
for (const { groups, rows, truth } of CELLS) {
  const rng = Rng.seeded(groups * rows).split(Math.round(100 * truth));
  // What the data can tell from zero, and what they cannot tell from the truth.
  const reach = truth + 8 * (2 / (groups * rows * rows)) ** 0.25 + (6 * truth) / Math.sqrt(2 * groups);
  const edges = Float64Array.from({ length: TAUS + 1 }, (_, i) => reach * (i / TAUS) ** 2);
  const names = Object.keys(PRIORS);
  const tallies = names.map((): Tally => ({ covered: 0, median: 0, mode: 0, upper: 0 }));
  for (let set = 0; set < sets; set++) {
    const between = (1 + rows * truth ** 2) * chiSquare(rng, groups - 1);
    const masses = summed(between, chiSquare(rng, groups * (rows - 1)), groups, rows, edges);
    tallies.forEach((tally, j) => {
      const { lower, median, upper, mode, sd } = summary(masses[j], edges);
      tally.covered += Number(lower <= truth && truth <= upper) / sets;
      tally.median += (median - truth) / sd / sets;
      tally.mode += (mode - truth) / sd / sets;
      tally.upper += upper / sets;
    });
  }
  for (const [j, { covered, median, mode, upper }] of tallies.entries()) {
    const name = names[j];
    const numbers = [covered, median, mode, upper].map((value) => value.toFixed(2).padStart(6));
    console.log(`${groups} × ${rows}, ${truth}`.padEnd(18), ...numbers, ` ${name}`);
    if (truth === 0) continue;
    near[name] = (near[name] ?? 0) + Number(Math.abs(median) < 0.25);
    right[name] = (right[name] ?? 0) + Number(covered > 0.915 && covered < 0.985);
  }
}
for (const name of Object.keys(PRIORS)) {
  console.log(
    `${name.padEnd(28)} median near in ${near[name]}, coverage right in ${right[name]} of ${CELLS.filter(({ truth }) => truth > 0).length}`,
  );
}
