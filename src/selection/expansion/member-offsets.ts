/**
 * What the members of a model have to do with how far the expansion misjudges it. From models that were worked out,
 *
 *     correction(S) ≈ c + Σ_{j ∈ S} a_j
 *
 * by ridge regression, whose penalty is the one that predicts left-out models best. Rare columns are misjudged each for
 * itself, so that this goes a long way, and it says what to expect of the models that nobody works out. The less
 * probable a model has turned out, the less it counts: far away the expansion errs in other ways.
 */

import { cholesky, inverse, multiply } from "../../math/linear.js";

export interface MemberOffsets {
  readonly constant: number;
  /** a_j of every candidate. */
  readonly offsets: Float64Array;
  /** The root mean square by which a model that was left out is mispredicted. */
  readonly error: number;
}

export interface KnownModel {
  readonly members: readonly number[];
  readonly correction: number;
  /** log p(S, y), up to a constant. */
  readonly logWeight: number;
}

const PENALTIES: readonly number[] = [0.003, 0.03, 0.3, 3, 30];
/** Prior variance of the constant beside that of a_j. */
const CONSTANT = 100;

export function memberOffsets(models: readonly KnownModel[], candidates: number): MemberOffsets {
  const n = models.length;
  const offsets = new Float64Array(candidates);
  if (n === 0) return { constant: 0, offsets, error: 0 };
  const top = models.reduce((most, { logWeight }) => Math.max(most, logWeight), Number.NEGATIVE_INFINITY);
  const counts = Float64Array.from(models, ({ logWeight }) =>
    Math.max(1e-12, Math.exp(0.5 * (logWeight - top))),
  );
  const total = counts.reduce((sum, c) => sum + c, 0);
  const level = models.reduce((sum, { correction }, m) => sum + counts[m] * correction, 0) / total;
  const away = Float64Array.from(models, ({ correction }) => correction - level);
  if (n === 1) return { constant: level, offsets, error: 0 };
  const shared = sharedMembers(models, candidates);
  let best: { alpha: Float64Array; error: number } | undefined;
  for (const penalty of PENALTIES) {
    const fitted = ridge(shared, away, counts, penalty);
    if (fitted && !(fitted.error >= (best?.error ?? Number.POSITIVE_INFINITY))) best = fitted;
  }
  if (!best) return { constant: level, offsets, error: rootMeanSquare(away, counts) };
  let constant = level;
  models.forEach(({ members }, m) => {
    constant += CONSTANT * best.alpha[m];
    for (const j of members) offsets[j] += best.alpha[m];
  });
  return { constant, offsets, error: best.error };
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

function rootMeanSquare(r: Float64Array, counts: Float64Array): number {
  const total = counts.reduce((sum, c) => sum + c, 0);
  return Math.sqrt(r.reduce((sum, x, m) => sum + counts[m] * x * x, 0) / total);
}

/** α = (K + λ/counts)⁻¹r; the residual of a model that is left out is α_m over its diagonal element of the inverse. */
function ridge(
  kernel: Float64Array,
  r: Float64Array,
  counts: Float64Array,
  penalty: number,
): { alpha: Float64Array; error: number } | undefined {
  const n = r.length;
  const factor = kernel.slice();
  for (let m = 0; m < n; m++) factor[m * n + m] += penalty / counts[m];
  if (!cholesky(factor, n)) return undefined;
  const solved = new Float64Array(n * n);
  inverse(solved, factor, n);
  const alpha = new Float64Array(n);
  multiply(alpha, solved, r, n, n);
  const left = alpha.map((a, m) => a / solved[m * n + m]);
  return { alpha, error: rootMeanSquare(left, counts) };
}
