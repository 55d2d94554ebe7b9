/**
 * Could any prior of a group standard deviation τ bring its posterior median within a quarter of a posterior standard
 * deviation of the truth, whatever the truth is? Groups of equal size, the noise known, so that one sum of
 * squares is all that the data say. The logarithm of the prior's density is a broken line through knots, moved by a
 * random search until the worst |(median − truth) / sd|, averaged over data sets, is as small as it gets, with the
 * truths of the study in hand, which no prior of a program can have: for each number of groups of 5 rows by itself, and
 * for all of them together. Also the share of 95% intervals that cover. `node --import tsx bench/mixed/any-prior.ts
 * [sets [tries]]`.
 */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { gamma } from "../../src/math/variates.js";

const TRUTHS = [0.05, 0.1, 0.2, 0.5, 1];
/** Of the broken line, in units of the noise; beyond the last it is level. */
const KNOTS = [0, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5];
const ROWS = 5;
const TAUS = 200;
const sets = Number(process.argv[2] ?? 400);
const tries = Number(process.argv[3] ?? 4000);

const taus = Float64Array.from({ length: TAUS }, (_, i) => 2.5 * ((i + 0.5) / TAUS) ** 2);
const widths = taus.map((_, i) => 2.5 * (((i + 1) / TAUS) ** 2 - (i / TAUS) ** 2));

/** Likelihoods of all τ, for data sets of every truth. */
function likelihoods(groups: number, rows: number): Float64Array[][] {
  return TRUTHS.map((truth, at) => {
    const rng = Rng.seeded(groups * rows).split(at);
    return Array.from({ length: sets }, () => {
      const between = (1 + rows * truth ** 2) * 2 * gamma(rng, 0.5 * (groups - 1));
      const logs = taus.map((tau) => {
        const whole = 1 + rows * tau ** 2;
        return -0.5 * ((groups - 1) * Math.log(whole) + between / whole);
      });
      const top = logs.reduce((a, b) => Math.max(a, b));
      return logs.map((log) => Math.exp(log - top));
    });
  });
}

function density(heights: readonly number[]): Float64Array {
  return taus.map((tau, i) => {
    const k = KNOTS.findIndex((knot) => knot > tau);
    if (k < 0) return Math.exp(heights[heights.length - 1]) * widths[i];
    const share = (tau - KNOTS[k - 1]) / (KNOTS[k] - KNOTS[k - 1]);
    return Math.exp((1 - share) * heights[k - 1] + share * heights[k]) * widths[i];
  });
}

interface Found {
  /** (median − truth) / sd, averaged, of every truth. */
  readonly bias: readonly number[];
  readonly covered: readonly number[];
}

/** (median − truth) / sd of one data set, and whether its interval covers. */
function judged(likelihood: Float64Array, prior: Float64Array, truth: number): readonly [number, boolean] {
  let [total, first, second, below] = [0, 0, 0, 0];
  for (let i = 0; i < TAUS; i++) {
    const mass = likelihood[i] * prior[i];
    total += mass;
    first += mass * taus[i];
    second += mass * taus[i] ** 2;
    if (taus[i] < truth) below += mass;
  }
  let [left, i] = [0.5 * total, 0];
  while (left > likelihood[i] * prior[i]) {
    left -= likelihood[i] * prior[i];
    i += 1;
  }
  const median = taus[i] + (left / (likelihood[i] * prior[i]) - 0.5) * widths[i];
  const covers = below >= 0.025 * total && below <= 0.975 * total;
  return [(median - truth) / Math.sqrt(second / total - (first / total) ** 2), covers];
}

function found(
  designs: readonly (readonly (readonly Float64Array[])[])[],
  heights: readonly number[],
): Found {
  const prior = density(heights);
  const cells = designs.flatMap((data) =>
    data.map((some, at) => some.map((likelihood) => judged(likelihood, prior, TRUTHS[at]))),
  );
  return {
    bias: cells.map((cell) => cell.reduce((sum, [off]) => sum + off, 0) / sets),
    covered: cells.map((cell) => cell.filter(([, covers]) => covers).length / sets),
  };
}

const worst = ({ bias }: Found): number => Math.max(...bias.map(Math.abs));
const shown = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(" ");
const told = (name: string, { bias, covered }: Found): string =>
  `  ${name}: ${shown(bias)}; covered ${shown(covered)}`;

for (const designs of [[30], [100], [1000], [30, 100, 1000]]) {
  const data = designs.map((groups) => likelihoods(groups, ROWS));
  const rng = Rng.seeded(designs.length + designs[0]);
  let heights = KNOTS.map(() => 0);
  const flat = found(data, heights);
  let best = flat;
  for (let t = 0; t < tries; t++) {
    const size = [2, 0.5, 0.1][t % 3];
    const moved = heights.map((height) => height + (rng.uniform() < 0.3 ? size * normal(rng) : 0));
    const now = found(data, moved);
    if (worst(now) < worst(best)) [heights, best] = [moved, now];
  }
  const top = Math.max(...heights);
  console.log(`${designs.join(", ")} groups of ${ROWS}, worst ${worst(best).toFixed(2)}`);
  console.log(told("flat", flat));
  console.log(told("the best prior", best));
  console.log(`  its log density at the knots: ${shown(heights.map((height) => height - top))}`);
}
