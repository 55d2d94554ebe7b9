/**
 * What the members of a model have to do with how far the expansion misjudges it. From models that were worked out,
 *
 *     correction(S) ≈ c + Σ_{j ∈ S} a_j
 *
 * by ridge regression around what each candidate by itself lets expect (lone-offsets.ts). Rare columns are misjudged each for itself, so that this goes a long way, and it says what to
 * expect of the models that nobody works out. The less probable a model has turned out, the less it counts: far away
 * the expansion errs in other ways.
 */

import { cholesky, logDeterminant, solve } from "../../math/linear.js";
import { keysOf, type ModelWeights } from "../posterior/model-weights.js";

export interface MemberOffsets {
  readonly constant: number;
  /** a_j of every candidate. */
  readonly offsets: Float64Array;
}

export interface KnownModel {
  readonly members: readonly number[];
  readonly correction: number;
  /** log p(S, y), up to a constant. */
  readonly logWeight: number;
}

/**
 * Variance of what members do not explain beside that of a_j: next to none, as every a_j rests on one or two models.
 * Where something is expected of them, as much as the models make likely.
 */
const PENALTY = 0.01;
const PENALTIES = [10, 100, 1000, 10_000];
/** Models further off than so many typical deviations count as if they were so far: chance does not do that. */
const FURTHEST = 4;
/** Prior variance of the constant beside that of a_j. */
const CONSTANT = 100;

/**
 * `expected` is what a_j is taken for before a model has shown anything; from a log weight of `typical` on, models count
 * alike.
 */
export function memberOffsets(
  models: readonly KnownModel[],
  expected: Float64Array,
  typical = Number.POSITIVE_INFINITY,
): MemberOffsets {
  const n = models.length;
  const offsets = expected.slice();
  if (n === 0) return { constant: 0, offsets };
  const counts = countsOf(models, typical).map((count) => Math.max(1e-12, count));
  const total = counts.reduce((sum, c) => sum + c, 0);
  const unexpected = models.map(({ members, correction }) =>
    members.reduce((rest, j) => rest - expected[j], correction),
  );
  const level = unexpected.reduce((sum, rest, m) => sum + counts[m] * rest, 0) / total;
  const away = Float64Array.from(unexpected, (rest) => rest - level);
  const isExpected = expected.some((a) => a !== 0);
  if (isExpected) cut(away);
  const shared = sharedMembers(models, expected.length);
  const { alpha } = (isExpected ? PENALTIES : [PENALTY])
    .map((penalty) => regression(shared, away, counts, penalty))
    .reduce((a, b) => (b.logLikelihood > a.logLikelihood ? b : a));
  let constant = level;
  models.forEach(({ members }, m) => {
    constant += CONSTANT * alpha[m];
    for (const j of members) offsets[j] += alpha[m];
  });
  return { constant, offsets };
}

/** Moves those that are far from the middle nearer to it. */
function cut(away: Float64Array): void {
  const middle = median(away);
  const most = FURTHEST * median(away.map((rest) => Math.abs(rest - middle)));
  away.forEach((rest, m) => {
    away[m] = Math.min(middle + most, Math.max(middle - most, rest));
  });
}

const median = (of: Float64Array): number => of.slice().sort()[of.length >> 1];

/** (K + ρ/counts)⁻¹y, and the log-likelihood of y ~ N(0, τ²(K + ρ/counts)) at the best τ². */
function regression(
  shared: Float64Array,
  y: Float64Array,
  counts: readonly number[],
  penalty: number,
): { readonly alpha: Float64Array; readonly logLikelihood: number } {
  const n = y.length;
  const factor = shared.slice();
  for (let m = 0; m < n; m++) factor[m * n + m] += penalty / counts[m];
  const alpha = y.slice();
  if (!cholesky(factor, n)) return { alpha: alpha.fill(0), logLikelihood: Number.NEGATIVE_INFINITY };
  solve(factor, n, alpha);
  const squares = alpha.reduce((sum, a, m) => sum + a * y[m], 0);
  const logLikelihood =
    -0.5 * (n * Math.log(Math.max(squares, Number.MIN_VALUE) / n) + logDeterminant(factor, n));
  return { alpha, logLikelihood };
}

/** What models count: less, the less probable they have turned out. */
export function countsOf(models: readonly KnownModel[], typical: number): number[] {
  const top = models.reduce((most, { logWeight }) => Math.max(most, logWeight), Number.NEGATIVE_INFINITY);
  const level = Math.min(top, typical);
  return models.map(({ logWeight }) => Math.exp(0.5 * Math.min(0, logWeight - level)));
}

/** The share of a posterior that is less probable than what is typical of it. */
const UNTYPICAL = 0.1;

/**
 * The log weight above which most of a posterior lies. Where it is spread over many thousand models, the most probable
 * ones are not typical of it: they are smaller, and thousands of times as probable as nearly all the others together
 * are made of.
 */
export function typicalWeight({ exact, models }: ModelWeights, known: readonly KnownModel[]): number {
  if (exact) return Number.POSITIVE_INFINITY;
  const share = new Map(known.map(({ members }) => [members.join(), 0]));
  keysOf(models).forEach((key, m) => {
    if (share.has(key)) share.set(key, models[m].probability);
  });
  const listed = known
    .map(({ members, logWeight }) => ({ logWeight, probability: share.get(members.join())! }))
    .sort((a, b) => a.logWeight - b.logWeight);
  let left = UNTYPICAL * listed.reduce((sum, { probability }) => sum + probability, 0);
  for (const { logWeight, probability } of listed) {
    left -= probability;
    if (left < 0) return logWeight;
  }
  return Number.POSITIVE_INFINITY;
}

/** What remains of a correction once the members have had their say. */
export function remainder(
  { constant, offsets }: MemberOffsets,
  { members, correction }: Omit<KnownModel, "logWeight">,
): number {
  return members.reduce((rest, j) => rest - offsets[j], correction - constant);
}

/** How many members each two models share, with the constant. */
function sharedMembers(models: readonly KnownModel[], candidates: number): Float64Array {
  const n = models.length;
  const shared = new Float64Array(n * n);
  const isIn = new Uint8Array(candidates);
  models.forEach(({ members }, a) => {
    isIn.fill(0);
    for (const j of members) isIn[j] = 1;
    for (let b = 0; b < n; b++) {
      shared[a * n + b] = models[b].members.reduce((sum, j) => sum + isIn[j], CONSTANT);
    }
  });
  return shared;
}
