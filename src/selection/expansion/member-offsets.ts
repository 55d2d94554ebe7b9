/**
 * What the members of a model have to do with how far the expansion misjudges it. From models that were worked out,
 *
 *     correction(S) ≈ c + Σ_{j ∈ S} a_j
 *
 * by ridge regression. Rare columns are misjudged each for itself, so that this goes a long way, and it says what to
 * expect of the models that nobody works out. The less probable a model has turned out, the less it counts: far away
 * the expansion errs in other ways.
 */

import { cholesky, solve } from "../../math/linear.js";

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

/** Variance of what members do not explain beside that of a_j: next to none, as every a_j rests on one or two models. */
const PENALTY = 0.01;
/** Prior variance of the constant beside that of a_j. */
const CONSTANT = 100;

export function memberOffsets(models: readonly KnownModel[], candidates: number): MemberOffsets {
  const n = models.length;
  const offsets = new Float64Array(candidates);
  if (n === 0) return { constant: 0, offsets };
  const top = models.reduce((most, { logWeight }) => Math.max(most, logWeight), Number.NEGATIVE_INFINITY);
  const counts = models.map(({ logWeight }) => Math.max(1e-12, Math.exp(0.5 * (logWeight - top))));
  const total = counts.reduce((sum, c) => sum + c, 0);
  const level = models.reduce((sum, { correction }, m) => sum + counts[m] * correction, 0) / total;
  const factor = sharedMembers(models, candidates);
  for (let m = 0; m < n; m++) factor[m * n + m] += PENALTY / counts[m];
  if (!cholesky(factor, n)) return { constant: level, offsets };
  const alpha = Float64Array.from(models, ({ correction }) => correction - level);
  solve(factor, n, alpha);
  let constant = level;
  models.forEach(({ members }, m) => {
    constant += CONSTANT * alpha[m];
    for (const j of members) offsets[j] += alpha[m];
  });
  return { constant, offsets };
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
