/**
 * Which prior of a group standard deviation τ would bring its posterior median nearest to the truth, and its intervals to
 * their share? Groups with a random intercept, whose posterior is a sum over a grid (posterior-grid.ts).
 * `node --import tsx bench/mixed/priors.ts [sets [groups [rows]]]`; rows are as in `5,50` (all groups alike) or `5-50`
 * (every group its own number of them, anything in between alike).
 *
 * One line a cell and prior: share of the 95% intervals that cover, by quantiles and the shortest; (median − truth) over
 * the posterior sd, averaged, and its Monte Carlo error; the root mean square of median − truth, and the upper end,
 * averaged, both over the noise. With a truth of 0 only the last two and the shortest are of use. At the end, of each
 * prior, the cells whose median is within a quarter of a posterior sd, those whose intervals cover 92% to 98%, and the
 * root mean square beside that of half-t, as a geometric mean over cells and where it is worst. A fourth argument asks for
 * other seeds, a fifth for the first so many priors.
 */

import { Rng } from "../../src/math/rng.js";
import { designOf, edgesOf, masses, type Prior, simulated, summary } from "./posterior-grid.js";
import { spikeAndSlab } from "./spike-and-slab.js";

const halfT =
  (scale: number, degrees = 2): Prior =>
  (tau, _, { target }) =>
    (1 + (tau / (scale * target)) ** 2 / degrees) ** (-0.5 * (degrees + 1));
const usual = halfT(1);
const tilted =
  (power: number): Prior =>
  (tau, sigma, design) =>
    usual(tau, sigma, design) * tau ** power;

/** The square root of the information on τ, which at zero is √2·τ in units of what the data can just tell from zero. */
const jeffreys: Prior = (tau, sigma, { sizes, resolution }) =>
  tau *
  resolution *
  sigma *
  Math.sqrt(
    sizes.reduce((sum, { rows, count }) => sum + count * (rows / (sigma ** 2 + rows * tau ** 2)) ** 2, 0),
  );

/** Jeffreys' density, thinned out by a hole at zero, and a half-normal spike there; widths in the same units. */
const spiked =
  (weight: number, width: number, hole: number): Prior =>
  (tau, sigma, design) => {
    const x = tau / (sigma * design.resolution);
    const spike = (weight / width) * Math.sqrt(2 / Math.PI) * Math.exp(-0.5 * (x / width) ** 2);
    return (jeffreys(tau, sigma, design) * x ** 2) / (x ** 2 + hole ** 2) + spike;
  };

const PRIORS: Readonly<Record<string, Prior>> = {
  "half-t(2)": usual,
  "spike-and-slab, the default": spikeAndSlab,
  "half-t(2), scale 0.3": halfT(0.3),
  flat: () => 1,
  "half-normal": (tau, _, { target }) => Math.exp(-0.5 * (tau / target) ** 2),
  "exponential, 5% beyond the target": (tau, _, { target }) => Math.exp((Math.log(0.05) * tau) / target),
  "half-Cauchy, scale σ/√rows": (tau, sigma, { rows }) => 1 / (1 + rows * (tau / sigma) ** 2),
  "τ^−½ times half-t": tilted(-0.5),
  "τ^−¼ times half-t": tilted(-0.25),
  "τ^¼ times half-t": tilted(0.25),
  "uniform shrinkage": (tau, sigma, { rows }) => tau / (sigma ** 2 + rows * tau ** 2) ** 2,
  Jeffreys: jeffreys,
  "Jeffreys and a spike": spiked(0.6, 0.2, 0),
  "Jeffreys, a hole and a spike": spiked(0.35, 0.05, 1.2),
};
const NAMES = Object.keys(PRIORS).slice(0, Number(process.argv[6] ?? Object.keys(PRIORS).length));
const TRUTHS = [0, 0.05, 0.1, 0.2, 0.5, 1];
const sets = Number(process.argv[2] ?? 400);
const seeds = Number(process.argv[5] ?? 0);
const GROUPS = (process.argv[3] ?? "30,100,1000").split(",").map(Number);
const ROWS = (process.argv[4] ?? "5,50,5-50").split(",");

/** Sets that are covered, and averages. */
interface Tally {
  covered: number;
  shortest: number;
  bias: number;
  biasSquare: number;
  square: number;
  upper: number;
}

/** Of one cell, every prior on the same data. */
function tallied(groups: number, range: readonly [number, number], truth: number): Tally[] {
  const rng = Rng.seeded(seeds + groups * (range[0] + 100 * range[1])).split(Math.round(100 * truth));
  const tallies = NAMES.map(
    (): Tally => ({ covered: 0, shortest: 0, bias: 0, biasSquare: 0, square: 0, upper: 0 }),
  );
  for (let set = 0; set < sets; set++) {
    const data = simulated(rng, groups, range, truth);
    const edges = edgesOf(groups, designOf(data), truth);
    const priors = NAMES.map((name) => PRIORS[name]);
    for (const [j, mass] of masses(data, edges, priors).entries()) {
      const { lower, median, upper, shortest, sd } = summary(mass, edges);
      const off = (median - truth) / sd;
      const tally = tallies[j];
      tally.covered += Number(lower <= truth && truth <= upper);
      tally.shortest += Number(shortest[0] <= truth && truth <= shortest[1]);
      tally.bias += off / sets;
      tally.biasSquare += off ** 2 / sets;
      tally.square += (median - truth) ** 2 / sets;
      tally.upper += upper / sets;
    }
  }
  return tallies;
}

const judged = NAMES.map(() => ({ near: 0, right: 0, ratio: 0, worst: 0 }));
let cells = 0;
for (const rows of ROWS) {
  const [least, most = least] = rows.split("-").map(Number);
  for (const groups of GROUPS) {
    for (const truth of TRUTHS) {
      const tallies = tallied(groups, [least, most], truth);
      for (const [j, { covered, shortest, bias, biasSquare, square, upper }] of tallies.entries()) {
        const error = Math.sqrt((biasSquare - bias ** 2) / sets);
        const numbers = [covered / sets, shortest / sets, bias, error, Math.sqrt(square), upper].map(
          (value) => value.toFixed(3).padStart(7),
        );
        console.log(`${groups} × ${rows}, ${truth}`.padEnd(18), ...numbers, ` ${NAMES[j]}`);
        if (truth === 0) continue;
        const ratio = Math.sqrt(square / tallies[0].square);
        judged[j].near += Number(Math.abs(bias) < 0.25);
        judged[j].right += Number(covered >= 0.92 * sets && covered <= 0.98 * sets);
        judged[j].ratio += Math.log(ratio);
        judged[j].worst = Math.max(judged[j].worst, ratio);
      }
      cells += Number(truth > 0);
    }
  }
}
for (const [j, { near, right, ratio, worst }] of judged.entries()) {
  console.log(
    `${NAMES[j].padEnd(34)} median near in ${near}, coverage right in ${right} of ${cells};`,
    `errors ${Math.exp(ratio / cells).toFixed(2)} times as large, ${worst.toFixed(2)} at worst`,
  );
}
