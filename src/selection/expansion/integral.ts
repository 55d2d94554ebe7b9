/**
 * The integral of a model's likelihood over its coefficients where Laplace's method is in doubt: few ones in a column,
 * few events, separated classes. With f the log posterior less its height at the mode, P = LL' its curvature there and
 * θ = θ̂ + L⁻ᵀz,
 *
 *     ∫ exp f(θ) dθ  =  |P|^−½ ∫ exp f(z) dz,     which Laplace's method takes for |P|^−½ (2π)^(d/2).
 *
 * f is looked at along every axis of z, as closely as it bends (axis.ts). Where no axis bends, Laplace's method stands.
 * Else the product of the axes' densities q is what z is drawn from, in antithetic pairs,
 *
 *     ∫ exp f(z) dz ≈ mean of exp f(z) / Π q_a(z_a),
 *
 * which has no spread at all where the axes are independent, as those of rare columns nearly are. The same draws give
 * the means and covariances, as differences from those of q, which are known. Where there are too many rows for draws,
 * the product over columns that bend, each by itself, stands for the integral (by-columns.ts).
 */

import { backSolve, cholesky } from "../../math/linear.js";
import { Rng } from "../../math/rng.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import { blockPieces } from "../../workers/pieces.js";
import { type AxisDensity, axisDensity, FIRST_KNOTS, type Knot, missingKnots, NORMAL_KNOTS } from "./axis.js";
import { changesJob } from "./changes.js";
import type { Expansion } from "./expansion.js";
import type { LoneLaw } from "./lone-offsets.js";
import type { ModeQuestion, ModeSettings } from "./mode.js";
import { type Proposal, plainProposal, wideProposal } from "./proposal.js";
import { type AxisMoves, areStraight, DOUBT, isShort } from "./straight.js";

/** The prior of the coefficients of a model, without the flat intercept. */
export interface CoefficientPrior {
  /** Minus its second derivative at the mode, the same for every coefficient. */
  readonly precision: number;
  logDensity(theta: Float64Array): number;
}

export interface Integral {
  /** The logarithm of the integral less that of Laplace's method, and its standard error. */
  readonly log: number;
  readonly error: number;
  /** Of the intercept and the coefficients, the covariance row by row; absent where Laplace's method stands. */
  readonly moments?: { readonly mean: Float64Array; readonly covariance: Float64Array };
  /** Of coefficients that bend, where there are too many rows for draws. */
  readonly laws?: readonly LoneLaw[];
  /** At how many moves the likelihood was looked at. */
  readonly moves: number;
}

/**
 * Draws come in pairs, so many at first and then as many as before, until the logarithm is this accurate. Where 512 of
 * them do not suffice wider ones are tried, and more than 512 as long as the rows are looked at no more often than this.
 */
const PAIRS = 16;
/**
 * Where rows are few, more: sixteen that happen to be alike end too soon, with too small an error. With 40 to 60 rows
 * probabilities were off by twice what was stated, all to one side.
 */
const FEW_ROWS = { pairs: 256, looks: 4e4 };
const MOST_PAIRS = { least: 512, most: 8192 };
const MOST_LOOKS = 2e7;
/** The same for coordinates of draws: with few rows it is these that take time. */
const MOST_COORDINATES = 2e4;
const ACCURATE = 0.02;
/** What the spread of the draws does not tell of their error: the tails that none of them has been to. */
const UNSEEN = 0.01;
const ROUNDS = 12;
/** Rows times coefficients beyond which there is no time for draws: columns are looked at each by itself. */
const MOST_NUMBERS = 1.2e6;

export const tooLargeForDraws = (rows: number, { point }: Expansion): boolean =>
  rows * (point.columns.length + 1) > MOST_NUMBERS;

export interface HowIntegrated {
  readonly seed: number;
  /** Most pairs of draws. */
  readonly pairs?: number;
  /** Sums of third powers along the axes that are not short, where they are known. */
  readonly cubes?: Float64Array | undefined;
}

/** What the log posterior is above its height at the mode, for moves of intercept and coefficients. */
type Heights = (moves: Float64Array) => Promise<Float64Array>;

export async function integralAt(
  settings: ModeSettings,
  mode: Expansion,
  prior: CoefficientPrior,
  { seed, pairs = MOST_PAIRS.least, cubes }: HowIntegrated,
): Promise<Integral> {
  const { rows } = settings.store.layout;
  const tallest = Float64Array.from(mode.point.columns, settings.tallest);
  const axes = axesOf({ ...settings, tallest }, mode, prior.precision);
  if (!axes) return { log: 0, error: 0, moves: 0 };
  let looks = 0;
  const heightsOf = heightsAt(settings, mode, prior);
  const heights: Heights = (moves) => {
    looks += moves.length / axes.size;
    return heightsOf(moves);
  };
  if (await areStraight({ settings, mode, prior, cubes }, axes)) return { log: 0, error: 0, moves: 0 };
  const densities = await axisDensities(axes, heights);
  if (!densities) return { log: 0, error: 0, moves: looks };
  let rng = Rng.seeded(seed).split(RUN_STREAMS.integrals);
  for (const j of mode.point.columns) rng = rng.split(j);
  const affordable = Math.min(MOST_LOOKS / (2 * rows), MOST_COORDINATES / axes.count);
  const mostPairs = Math.max(pairs, Math.min(MOST_PAIRS.most, affordable));
  const plain = { heights, mostPairs: pairs, rows };
  const first = await sampled(rng, mode, axes, plainProposal(densities), plain);
  if (first.error <= ACCURATE || pairs < MOST_PAIRS.least) return { ...first, moves: looks };
  const second = await sampled(rng, mode, axes, wideProposal(densities), { heights, mostPairs, rows });
  return { ...second, moves: looks };
}

interface Axes extends AxisMoves {
  readonly count: number;
}

/**
 * The last axis moves one coefficient, and all others to where they are best then; the first moves one alone. The
 * rarest columns come last, the intercept first.
 */
export function axesOf(
  { tallest, hasIntercept }: Pick<ModeQuestion, "tallest" | "hasIntercept">,
  { point, information }: Expansion,
  precision: number,
): Axes | undefined {
  const size = point.columns.length + 1;
  const order = point.columns
    .map((_, i) => ({ i: i + 1, height: tallest[i] }))
    .sort((a, b) => a.height - b.height)
    .map(({ i }) => i);
  if (hasIntercept) order.unshift(0);
  const count = order.length;
  const factor = new Float64Array(count * count);
  order.forEach((i, a) => {
    order.forEach((j, b) => {
      factor[a * count + b] = information[i * size + j] + (a === b && i > 0 ? precision : 0);
    });
  });
  if (!cholesky(factor, count)) return undefined;
  const moves = new Float64Array(count * size);
  const axis = new Float64Array(count);
  const reach: number[] = [];
  for (let a = 0; a < count; a++) {
    axis.fill(0);
    axis[a] = 1;
    backSolve(factor, count, axis);
    order.forEach((i, b) => {
      moves[a * size + i] = axis[b];
    });
    reach.push(order.reduce((sum, i, b) => sum + Math.abs(axis[b]) * (i === 0 ? 1 : tallest[i - 1]), 0));
  }
  return { size, count, moves, reach };
}

function heightsAt(settings: ModeSettings, mode: Expansion, prior: CoefficientPrior): Heights {
  const { store, pool, family, scaling } = settings;
  const { point } = mode;
  const size = point.columns.length + 1;
  const atMode = prior.logDensity(point.theta);
  return async (moves) => {
    const work = store.layout.rows * moves.length;
    const pieces = blockPieces(store.layout, work);
    const inputs = pieces.map((piece) => ({ family, scaling, point, moves, ...piece }));
    const parts = await pool.run(changesJob, inputs);
    return Float64Array.from({ length: moves.length / size }, (_, m) => {
      const theta = point.theta.map((t, i) => t + moves[m * size + i + 1]);
      const gain = parts.reduce((sum, part) => sum + part[m], 0) + prior.logDensity(theta) - atMode;
      // Far out a likelihood may be anything but a number.
      return gain > -1e6 ? gain : -1e6;
    });
  };
}

/** Undefined where none of them bends. */
async function axisDensities(axes: Axes, heights: Heights): Promise<AxisDensity[] | undefined> {
  const { size, moves } = axes;
  const straight = axes.reach.map(isShort);
  const knots: Knot[][] = straight.map((isStraight) => (isStraight ? [...NORMAL_KNOTS] : [{ t: 0, f: 0 }]));
  let wanted = straight.map((isStraight) => (isStraight ? [] : [...FIRST_KNOTS]));
  for (let round = 0; round < ROUNDS; round++) {
    const asked = wanted.flatMap((ts, a) => ts.map((t) => ({ a, t })));
    if (asked.length === 0) break;
    const along = new Float64Array(asked.length * size);
    asked.forEach(({ a, t }, m) => {
      for (let i = 0; i < size; i++) along[m * size + i] = t * moves[a * size + i];
    });
    const f = await heights(along);
    asked.forEach(({ a, t }, m) => {
      knots[a].push({ t, f: f[m] });
    });
    for (const known of knots) known.sort((x, y) => x.t - y.t);
    if (round === 0 && !knots.some(bends)) return undefined;
    wanted = knots.map(missingKnots);
  }
  return knots.map(axisDensity);
}

function bends(knots: readonly Knot[]): boolean {
  return knots.some(({ t, f }) => Math.abs(t) === 2 && !(Math.abs(f + 0.5 * t * t) < DOUBT));
}

async function sampled(
  rng: Rng,
  { point }: Expansion,
  axes: Axes,
  proposal: Proposal,
  {
    heights,
    mostPairs,
    rows,
  }: { readonly heights: Heights; readonly mostPairs: number; readonly rows: number },
): Promise<Omit<Integral, "moves">> {
  const { count } = axes;
  const fewest = Math.max(
    PAIRS,
    Math.min(FEW_ROWS.pairs, mostPairs, Math.floor(FEW_ROWS.looks / (2 * rows))),
  );
  const z: Float64Array[] = [];
  const logs: number[] = [];
  const u = new Float64Array(count);
  for (;;) {
    const fresh: ReturnType<Proposal["draw"]>[] = [];
    for (let pair = Math.max(fewest, z.length / 2); pair > 0; pair--) {
      for (let a = 0; a < count; a++) u[a] = rng.uniform();
      const choice = rng.uniform();
      fresh.push(proposal.draw(u, choice));
      for (let a = 0; a < count; a++) u[a] = 1 - u[a];
      fresh.push(proposal.draw(u, choice));
    }
    const f = await heights(
      movesOf(
        axes,
        fresh.map((draw) => draw.z),
      ),
    );
    fresh.forEach(({ z: at, logDensity }, m) => {
      z.push(at);
      logs.push(f[m] - logDensity);
    });
    const { log, error, weights } = averageOf(logs);
    if (error > ACCURATE && logs.length < 2 * mostPairs) continue;
    const { mean, covariance } = momentsOf(z, weights, proposal.moments);
    return {
      log: log - 0.5 * count * Math.log(2 * Math.PI),
      error: Math.hypot(error, UNSEEN),
      moments: inCoefficients(axes, mean, covariance, [point.intercept, ...point.theta]),
    };
  }
}

/** Moves of intercept and coefficients, one after the other, that are so far along the axes. */
function movesOf({ size, count, moves: axes }: Axes, draws: readonly Float64Array[]): Float64Array {
  const moves = new Float64Array(draws.length * size);
  draws.forEach((z, m) => {
    const to = m * size;
    for (let a = 0, axis = 0; a < count; a++, axis += size) {
      const along = z[a];
      for (let i = 0; i < size; i++) moves[to + i] += along * axes[axis + i];
    }
  });
  return moves;
}

/** The logarithm of the mean of pairs, its standard error, and the weights, one on average. */
function averageOf(logs: readonly number[]): { log: number; error: number; weights: Float64Array } {
  const top = logs.reduce((most, log) => Math.max(most, log), Number.NEGATIVE_INFINITY);
  const weights = Float64Array.from(logs, (log) => Math.exp(log - top));
  const pairs = weights.length / 2;
  const mean = weights.reduce((sum, w) => sum + w, 0) / weights.length;
  let squares = 0;
  for (let p = 0; p < pairs; p++) squares += (0.5 * (weights[2 * p] + weights[2 * p + 1]) - mean) ** 2;
  for (let m = 0; m < weights.length; m++) weights[m] /= mean;
  return { log: top + Math.log(mean), error: Math.sqrt(squares / (pairs * (pairs - 1))) / mean, weights };
}

/** E z = E_q z + Cov_q(w, z), and the same of products. */
function momentsOf(
  z: readonly Float64Array[],
  weights: Float64Array,
  densities: Proposal["moments"],
): { mean: Float64Array; covariance: Float64Array } {
  const count = densities.length;
  const first = Float64Array.from(densities, (density) => density.mean);
  const mean = first.slice();
  const covariance = new Float64Array(count * count);
  const away = new Float64Array(count);
  z.forEach((at, m) => {
    const extra = (weights[m] - 1) / z.length;
    for (let a = 0; a < count; a++) {
      away[a] = at[a] - first[a];
      const share = extra * away[a];
      mean[a] += share;
      for (let b = 0, row = a * count; b <= a; b++) covariance[row + b] += share * away[b];
    }
  });
  // Weights are one on average: products around the proposal's means have their own average to begin with.
  for (let a = 0; a < count; a++) {
    covariance[a * count + a] += densities[a].square - first[a] ** 2;
    for (let b = 0; b <= a; b++) {
      const sum = covariance[a * count + b] - (mean[a] - first[a]) * (mean[b] - first[b]);
      covariance[a * count + b] = covariance[b * count + a] = sum;
    }
  }
  // Noise in many dimensions: the variances of the axes are positive whatever the draws are.
  if (!cholesky(covariance.slice(), count)) {
    covariance.fill(0);
    densities.forEach((density, a) => {
      covariance[a * count + a] = density.square - density.mean ** 2;
    });
  }
  return { mean, covariance };
}

function inCoefficients(
  { size, count, moves }: Axes,
  mean: Float64Array,
  covariance: Float64Array,
  mode: readonly number[],
): { mean: Float64Array; covariance: Float64Array } {
  const centre = Float64Array.from(mode);
  const spread = new Float64Array(size * size);
  const half = new Float64Array(count * size);
  for (let a = 0; a < count; a++) {
    for (let i = 0; i < size; i++) centre[i] += mean[a] * moves[a * size + i];
    for (let b = 0; b < count; b++) {
      for (let i = 0; i < size; i++) half[a * size + i] += covariance[a * count + b] * moves[b * size + i];
    }
  }
  for (let a = 0; a < count; a++) {
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) spread[i * size + j] += moves[a * size + i] * half[a * size + j];
    }
  }
  return { mean: centre, covariance: spread };
}
