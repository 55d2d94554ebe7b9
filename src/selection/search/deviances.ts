/**
 * Deviances of all one-variable models, for the proposal weights of generalised linear models (supplement,
 * section S3): d_j = −2·log-likelihood of the model with the intercept and variable j, at its maximum.
 *
 * Newton's method for all columns together: every iteration is one pass over the blocks, in which each column that
 * has not converged adds its log-likelihood, gradient and information. Columns are centred and scaled, which leaves
 * d_j unchanged. Starting values come from the screen: one Newton step from the null model needs only the
 * correlation with the target. Threads split the columns, so the result does not depend on how many there are.
 *
 * Separated columns have no maximum: a step never moves the linear predictor of a typical row by more than
 * MAX_STEP, a step that lowers the likelihood is halved, and a column stops when its likelihood has stopped
 * growing, so that its deviance comes out near its infimum.
 */

import { type FamilyName, familyNamed } from "../../families/register.js";
import type { Arena } from "../../store/batch/arena.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";

export interface DeviancePlan {
  readonly family: FamilyName;
  /** Mean and standard deviation of the stored numbers of every column, and correlation with the target. */
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  readonly correlation: Float64Array;
  /** Mean of the target as the model sees it, and its standard deviation. */
  readonly targetMean: number;
  readonly targetSd: number;
  readonly target: Scaling["target"];
}

export interface DevianceInput {
  readonly plan: DeviancePlan;
  readonly first: number;
  readonly last: number;
}

export interface Deviances {
  readonly first: number;
  readonly deviance: Float64Array;
  /** Passes over the data that were needed. */
  readonly passes: number;
}

const MAX_PASSES = 25;
/** A column is done when one more step would gain less log-likelihood than this. */
const CONVERGED = 1e-5;
const MAX_STEP = 4;

export function deviancesOf(store: Store, arena: Arena, { plan, first, last }: DevianceInput): Deviances {
  const { layout, kernels } = store;
  const { mean, sd, targetMean } = plan;
  const count = last - first;
  const family = familyNamed(plan.family);
  const oneVariable = family.oneVariable.kernel(kernels);
  const { pointer, values: sums } = arena.sums(6 * count);
  const y = arena.vector(layout.stride);
  const nullVariance = family.variance(targetMean);
  const nullIntercept = family.link(targetMean);
  const constant = (c: number): boolean => sd[first + c] === 0;

  const a = new Float64Array(count).fill(nullIntercept);
  const b = Float64Array.from({ length: count }, (_, c) => {
    const step = (plan.correlation[first + c] * plan.targetSd) / nullVariance;
    return Math.max(-1, Math.min(1, step));
  });
  const best = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const stepA = new Float64Array(count);
  const stepB = b.slice();
  const active = Array.from({ length: count }, (_, c) => c).filter((c) => !constant(c));
  // A constant column is evaluated once, at the null model.
  const once = Array.from({ length: count }, (_, c) => c).filter(constant);
  for (const c of once) {
    b[c] = 0;
    active.push(c);
  }

  let passes = 0;
  while (active.length > 0 && passes < MAX_PASSES) {
    passes += 1;
    sums.fill(0);
    for (let block = 0; block < layout.blocks; block++) {
      const n = rowsIn(layout, block);
      kernels.affine(y.pointer, plan.target.slope, plan.target.offset, store.run(block, layout.columns), n);
      for (const c of active) {
        const scale = constant(c) ? 0 : 1 / sd[first + c];
        const x = store.run(block, first + c);
        oneVariable(pointer + 48 * c, a[c], b[c], mean[first + c], scale, x, y.pointer, n);
      }
    }
    let kept = 0;
    for (const c of active) if (advance(c)) active[kept++] = c;
    active.length = kept;
  }
  return { first, deviance: best.map((value) => -2 * value), passes };

  /** One safeguarded Newton step of column c; false when it is done. */
  function advance(c: number): boolean {
    const [value, g0, g1, h00, h01, h11] = sums.subarray(6 * c, 6 * c + 6);
    if (constant(c)) {
      best[c] = value;
      return false;
    }
    if (!(value >= best[c] - family.oneVariable.rounding * Math.abs(best[c])) && best[c] > -Infinity) {
      // Too far: half way back.
      a[c] -= stepA[c] /= 2;
      b[c] -= stepB[c] /= 2;
      return Math.abs(stepA[c]) + Math.abs(stepB[c]) > 1e-9;
    }
    best[c] = Math.max(best[c], value);
    const determinant = h00 * h11 - h01 * h01;
    // A flat likelihood: separated as far as single precision can tell.
    if (!(determinant > 1e-12 * h00 * h11)) return false;
    let da = (h11 * g0 - h01 * g1) / determinant;
    let db = (h00 * g1 - h01 * g0) / determinant;
    // ½g'H⁻¹g is what a quadratic likelihood still has to gain.
    const gain = 0.5 * (da * g0 + db * g1);
    if (gain < CONVERGED) {
      best[c] += gain;
      return false;
    }
    const longest = Math.max(Math.abs(da), Math.abs(db)) / MAX_STEP;
    if (longest > 1) {
      da /= longest;
      db /= longest;
    }
    stepA[c] = da;
    stepB[c] = db;
    a[c] += da;
    b[c] += db;
    return true;
  }
}

export const devianceJob = pass("deviances", deviancesOf);

/**
 * Weights of the supplement, section S3: w_j = exp{−(d_j − min d)/(5σ_d) − 0.1}, with the intercept's exp(−0.1).
 * Equal deviances give equal weights.
 */
export function devianceWeights(deviance: Float64Array, interceptWeight: number): Float64Array {
  const p = deviance.length;
  const mean = deviance.reduce((sum, d) => sum + d, 0) / p;
  const sd = Math.sqrt(deviance.reduce((sum, d) => sum + (d - mean) ** 2, 0) / Math.max(1, p - 1));
  const least = deviance.reduce((smallest, d) => Math.min(smallest, d), Number.POSITIVE_INFINITY);
  const weights = new Float64Array(p + 1);
  for (let j = 0; j < p; j++) {
    weights[j] = Math.exp(-(sd > 0 ? (deviance[j] - least) / (5 * sd) : 0) - 0.1);
  }
  weights[p] = interceptWeight;
  return weights;
}
