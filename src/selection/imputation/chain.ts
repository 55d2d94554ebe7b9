/**
 * Data augmentation over models, coefficients, the law of the predictors and the missing entries (Tanner and Wong
 * 1987). A sweep draws in turn
 *
 *     S | X, y                     a walk over models by their exact marginal likelihoods
 *     β_S, σ², α | S, X, y         normal and inverse gamma
 *     μ, Σ | X                     normal and inverse Wishart
 *     x_mis | x_obs, y, everything normal, row by row
 *
 * so its stationary law is the posterior with the holes integrated out. What is reported are averages over sweeps of
 * exact conditionals given the completed data: inclusion probabilities, and the t distributions of coefficients.
 */

import type { Regression } from "../../latent/missing.js";
import { cholesky } from "../../math/linear.js";
import { normal } from "../../math/normal.js";
import { Rng } from "../../math/rng.js";
import { inverseGamma, multivariateNormal } from "../../math/variates.js";
import { drawJointGaussian } from "../../models/joint-gaussian.js";
import type { AutoProblem } from "../candidates.js";
import { Evidence, type ModelPosterior, type SufficientStatistics } from "../evidence.js";
import { addGrams, gramJobs } from "../gram.js";
import type { Component } from "../mixture.js";
import type { ModelSpace } from "../model-weights.js";
import type { Specification } from "../specification.js";
import { standardStatistics } from "../standard-statistics.js";
import type { Holes } from "./holes.js";
import { type ImputeJob, imputeStretches } from "./impute-blocks.js";
import { walkModels } from "./model-walk.js";
import { pairwiseStatistics } from "./pairwise.js";
import { accurate } from "./weights.js";

export interface ChainSettings {
  readonly sweeps: number;
  readonly burnIn: number;
  /** As long as the inclusion probabilities are not accurate, the number of sweeps doubles, up to this many. */
  readonly most: number;
}

/** What the sweeps after the burn-in leave behind. */
export interface ChainRecord {
  /** All sweeps, and those that count. */
  readonly sweeps: number;
  readonly kept: number;
  /** Whether someone stopped the chain before its end. */
  readonly stopped: boolean;
  /** Per sweep: inclusion probabilities given the completed data, averaged along the walk. */
  readonly inclusion: Float64Array[];
  /** Sizes of the drawn models, in order. */
  readonly sizes: number[];
  /** Models with the time spent at them. */
  readonly visits: ReadonlyMap<string, { readonly members: readonly number[]; readonly time: number }>;
  readonly mixture: readonly Component[];
  /** Averages of the completed data: statistics of the candidates, and their means on the model's scale. */
  readonly statistics: SufficientStatistics;
  readonly means: Float64Array;
}

/** Models drawn per sweep, and the time between two of them. */
const DRAWN = 4;
const SPAN = 5;
const STREAM = 3_000_029;

export async function imputationChain(
  problem: AutoProblem,
  spec: Specification,
  holes: Holes,
  candidates: readonly number[],
  space: ModelSpace,
  { sweeps, burnIn, most }: ChainSettings,
): Promise<ChainRecord> {
  const { store, team, scaling, screen, options, seed } = problem;
  const { layout } = store;
  const { rows } = layout;
  const size = candidates.length;
  const columns = [...candidates, layout.columns];
  const slope = Float64Array.from(candidates, (j) => scaling.slope[j]);
  const offset = Float64Array.from([...candidates.map((j) => scaling.offset[j]), scaling.target.offset]);
  const variance = Float64Array.from(candidates, (j, i) => (slope[i] * screen.sd[j]) ** 2);
  const observed = Float64Array.from(candidates, (j) => 1 - holes.missing[j] / rows);
  const stretches = imputeStretches(layout, holes, candidates);
  const root = Rng.seeded(seed).split(STREAM);

  const inclusion: Float64Array[] = [];
  const sizes: number[] = [];
  const visits = new Map<string, { members: readonly number[]; time: number }>();
  const drawn: Component[] = [];
  const gram = new Float64Array(size * size);
  const cross = new Float64Array(size);
  const meanSum = new Float64Array(size);
  let members: readonly number[] = space.always;
  let targetSquares = 0;

  let stopped = false;
  let end = sweeps;
  let t = 0;
  for (; t < end; t++) {
    // Whoever stops a chain is answered from two sweeps at least, typical or not.
    stopped ||= options.signal?.aborted === true;
    if (stopped && inclusion.length >= 2) break;
    options.onProgress?.({ stage: "sample", done: t, total: end });
    const rng = root.split(t);
    const sums = addGrams(await team.run(gramJobs(layout, columns)));
    const means = Float64Array.from(candidates, (_, i) => (slope[i] * sums[i]) / rows + offset[i]);
    const targetMean = sums[size] / rows + offset[size];
    const filled = standardStatistics(sums, rows, slope, { centred: true });
    // The first values are means: what they do to variances and covariances can be undone.
    const centred = t === 0 ? pairwiseStatistics(filled, observed) : filled;
    const statistics = spec.centred ? centred : uncentred(centred, rows, means, targetMean);

    const evidence = new Evidence(statistics, spec.slab, spec.noiseVariance);
    evidence.rebuild(members);
    const counts = t >= burnIn || stopped;
    const share = new Float64Array(size);
    const posteriors: ModelPosterior[] = [];
    for (let d = 0; d < DRAWN; d++) {
      walkModels(rng, evidence, space, SPAN, (visited, conditional, time) => {
        if (!counts) return;
        for (let j = 0; j < size; j++) share[j] += (time * conditional[j]) / (DRAWN * SPAN);
        const sorted = [...visited].sort((a, b) => a - b);
        const key = sorted.join();
        visits.set(key, { members: sorted, time: time + (visits.get(key)?.time ?? 0) });
      });
      posteriors.push(evidence.posterior());
    }
    members = [...evidence.members];
    if (counts) {
      inclusion.push(share);
      const raw = candidates.map((j, i) => slope[i] * (sums[i] / rows + store.shift[j]));
      for (const posterior of posteriors) {
        sizes.push(posterior.members.length);
        drawn.push({ probability: 1, posterior, means: raw });
      }
      for (let i = 0; i < gram.length; i++) gram[i] += statistics.gram[i];
      for (let j = 0; j < size; j++) {
        cross[j] += statistics.cross[j];
        meanSum[j] += means[j];
      }
      targetSquares = statistics.targetSquares;
    }

    const regression = drawRegression(rng, posteriors[DRAWN - 1], spec, { rows, means, targetMean });
    const joint = drawJointGaussian(rng, { rows, mean: means, squares: centred.gram }, variance);
    const common = { kind: "impute", columns: candidates, slope, offset, joint, regression } as const;
    await team.run(stretches.map((stretch): ImputeJob => ({ ...common, ...stretch, seed, sweep: t })));
    if (t + 1 === end && end < most && !accurate(inclusion)) end = Math.min(most, 2 * end);
  }
  const kept = inclusion.length;
  const freedom = rows - (spec.centred ? 1 : 0);
  return {
    ...{ sweeps: t, kept, stopped, inclusion, sizes, visits },
    mixture: drawn.map((component) => ({ ...component, probability: 1 / drawn.length })),
    statistics: {
      ...{ size, targetSquares, freedom },
      gram: gram.map((value) => value / kept),
      cross: cross.map((value) => value / kept),
    },
    means: meanSum.map((value) => value / kept),
  };
}

/** Without an intercept columns keep their means: Σxx' = S + N·x̄x̄'. */
function uncentred(
  of: SufficientStatistics,
  rows: number,
  means: Float64Array,
  targetMean: number,
): SufficientStatistics {
  const { size } = of;
  return {
    size,
    gram: of.gram.map((value, e) => value + rows * means[Math.floor(e / size)] * means[e % size]),
    cross: of.cross.map((value, j) => value + rows * means[j] * targetMean),
    targetSquares: of.targetSquares + rows * targetMean ** 2,
    freedom: rows,
  };
}

interface CompletedMeans {
  readonly rows: number;
  readonly means: Float64Array;
  readonly targetMean: number;
}

function drawRegression(
  rng: Rng,
  posterior: ModelPosterior,
  spec: Specification,
  { rows, means, targetMean }: CompletedMeans,
): Regression {
  const { members, mean, covariance, freedom, residualSquares } = posterior;
  const k = members.length;
  const noiseVariance = spec.noiseVariance ?? inverseGamma(rng, freedom / 2, residualSquares / 2);
  // The scale matrix belongs to the typical σ².
  const widen = spec.noiseVariance === undefined ? (noiseVariance * freedom) / residualSquares : 1;
  const factor = covariance.map((value) => widen * value);
  for (let ridge = 1e-14; !cholesky(factor, k); ridge *= 10) {
    covariance.forEach((value, e) => {
      factor[e] = widen * value * (e % (k + 1) === 0 ? 1 + ridge : 1);
    });
  }
  const drawn = new Float64Array(k);
  multivariateNormal(rng, drawn, mean, factor);
  const coefficients = new Float64Array(means.length);
  let intercept = spec.centred ? targetMean + Math.sqrt(noiseVariance / rows) * normal(rng) : 0;
  members.forEach((j, i) => {
    coefficients[j] = drawn[i];
    if (spec.centred) intercept -= drawn[i] * means[j];
  });
  return { intercept, coefficients, noiseVariance };
}
