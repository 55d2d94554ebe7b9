/**
 * Data augmentation over models, coefficients, the law of the predictors and the missing entries (Tanner and Wong
 * 1987). A sweep draws in turn
 *
 *     S | X, y                     a walk over models by their marginal likelihoods
 *     β_S, σ², α | S, X, y         normal and inverse gamma
 *     ν, φ | X                     how far Σ is shrunk (models/shrinkage.ts)
 *     μ, Σ, π | ν, φ, X            normal, inverse Wishart and Dirichlet
 *     x_mis | x_obs, y, everything row by row (latent/missing.ts)
 *
 * so its stationary law is the posterior with the holes integrated out: exactly where the likelihood of the completed
 * data is Gaussian or made so, as far as a quadratic expansion goes where it is not (completed.ts). What is reported
 * are averages over sweeps of conditionals: inclusion probabilities, and the laws of coefficients.
 */

import { nameOf } from "../../families/register.js";
import type { Factor, Regression } from "../../latent/missing.js";
import { cholesky } from "../../math/linear.js";
import { normal } from "../../math/normal.js";
import { Rng } from "../../math/rng.js";
import { inverseGamma, multivariateNormal } from "../../math/variates.js";
import { drawShrinkage, type Shrinkage, weakShrinkage } from "../../models/shrinkage.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import { sharedWith } from "../../workers/crew.js";
import type { ColumnShapes } from "../expansion/column-shapes.js";
import type { WeightedCentre } from "../expansion/expansion.js";
import { Evidence, type ModelPosterior } from "../posterior/evidence.js";
import type { ModelSpace } from "../posterior/model-weights.js";
import { drawFrom, scaleLaw } from "../posterior/scale-law.js";
import { slabAt } from "../posterior/slab.js";
import type { Specification } from "../posterior/specification.js";
import { startFromAll } from "../posterior/walks/ascent.js";
import { type Completed, completion } from "./completed.js";
import { type Holes, holesAmong, type StoredFactor } from "./holes.js";
import { type ImputeInput, imputeJob, imputeStretches } from "./impute-blocks.js";
import { drawLaw } from "./law.js";
import { walkModels } from "./model-walk.js";
import type { HoledProblem } from "./problem.js";

/** What a sweep found out about the data that the one before had completed. */
export interface Sweep {
  readonly completed: Completed;
  /** Inclusion probabilities given the completed data, averaged along the walk. */
  readonly inclusion: Float64Array;
  /** Probabilities of the scales of the slab, given the models along the walk. */
  readonly scale: Float64Array;
  /** Models along the walk, with the time spent at them. */
  readonly visits: readonly { readonly members: readonly number[]; readonly time: number }[];
  /** Posteriors of the coefficients of the models that were drawn. */
  readonly drawn: readonly ModelPosterior[];
}

/** Where a chain stands between two sweeps, as plain data. */
export interface ImputationStanding {
  readonly members: readonly number[];
  readonly regression: Regression | undefined;
  readonly completed: Completed | undefined;
  readonly shrinkage: Shrinkage;
  readonly shapes: ColumnShapes;
  readonly sweep: number;
}

export interface ImputationChain {
  save(): ImputationStanding;
  restore(standing: ImputationStanding): void;
  /** Looks at the completed data, which must stand in the store, and completes them afresh. */
  sweep(): Promise<Sweep>;
}

/** Models drawn per sweep, and the time between two of them. */
const DRAWN = 4;
const SPAN = 5;
/** Draws of ν and φ in the first sweep, which begin anywhere. */
const AT_FIRST = 20;
/** The share of the covariances that chains in turn start from. */
const KEEP = [1, 0.5];

export function imputationChain(
  problem: HoledProblem,
  candidates: readonly number[],
  space: ModelSpace,
  chain: number,
): ImputationChain {
  const { store, pool, screen, scaling, target, spec, holes, seed } = problem;
  const { rows } = store.layout;
  const size = candidates.length;
  const slope = Float64Array.from([...candidates.map((j) => scaling.slope[j]), target.scaling.slope]);
  const offset = Float64Array.from([...candidates.map((j) => scaling.offset[j]), target.scaling.offset]);
  const sd = (j: number): number => (holes.missing[j] > 0 ? holes.sd[j] : screen.sd[j]);
  const variance = Float64Array.from(candidates, (j, i) => (slope[i] * sd(j)) ** 2);
  const scaled = (i: number, u: number): number => slope[i] * u + offset[i];
  const factors = factorsAmong(holes.factors, candidates, scaled);
  const categories = factors.length > 0 ? factorsAmong(categoriesBeside(holes), candidates, scaled) : [];
  const stretches = imputeStretches(store.layout, holesAmong(holes, candidates), candidates);
  const data = completion(problem, candidates);
  // Every stretch of rows is told of it in every sweep.
  const precision = sharedWith(pool, new Float64Array(size * size));
  const root = Rng.seeded(seed).split(RUN_STREAMS.imputation + chain);
  const first = {
    observed: Float64Array.from(candidates, (j) => 1 - holes.missing[j] / rows),
    factor: new Int32Array(size).fill(-1),
    keep: KEEP[chain % KEEP.length],
  };
  factors.forEach(({ columns }, f) => {
    for (const i of columns) first.factor[i] = f;
  });

  let members: readonly number[] = space.always;
  let regression: Regression | undefined;
  let completed: Completed | undefined;
  let shrinkage = weakShrinkage(variance);
  let sweep = 0;
  return {
    save: () => ({ members, regression, completed, shrinkage, shapes: data.shapes, sweep }),
    restore(standing) {
      ({ members, regression, completed, shrinkage, sweep } = standing);
      for (const [column, shape] of standing.shapes) data.shapes.set(column, shape);
    },
    async sweep() {
      const rng = root.split(sweep);
      const streams = { seed, chain, sweep };
      const state = { members, streams, ...(regression && { regression }) };
      completed = await data.look(state, completed, completed ? undefined : first);
      const { statistics } = completed;
      const { slab, noiseVariance } = spec;
      if (sweep === 0) members = startFromAll({ statistics, slab, noiseVariance, space })?.members ?? members;
      const scale = new Float64Array(slab.scales.length);
      const inclusion = new Float64Array(size);
      const visits: { members: readonly number[]; time: number }[] = [];
      const drawn: ModelPosterior[] = [];
      for (let d = 0; d < DRAWN; d++) {
        const law = scaleLaw(statistics, slab, noiseVariance, members);
        law.probability.forEach((p, s) => {
          scale[s] += p / DRAWN;
        });
        const evidence = new Evidence(
          statistics,
          slabAt(slab, drawFrom(rng, law.probability)),
          noiseVariance,
        );
        evidence.rebuild(members);
        walkModels(rng, evidence, space, SPAN, (visited, conditional, time) => {
          for (let j = 0; j < size; j++) inclusion[j] += (time * conditional[j]) / (DRAWN * SPAN);
          visits.push({ members: [...visited].sort((a, b) => a - b), time });
        });
        drawn.push(evidence.posterior());
        members = [...evidence.members];
      }

      const coefficients = drawRegression(rng, drawn[DRAWN - 1], spec, completed.centre);
      const { scatter } = completed;
      const centred = { rows: scatter.rows - 1, squares: scatter.squares };
      for (let k = 0; k < (sweep === 0 ? AT_FIRST : 1); k++) {
        shrinkage = drawShrinkage(rng, centred, shrinkage, variance);
      }
      const law = drawLaw(rng, scatter, shrinkage, categories, precision);
      regression = { family: nameOf(target.family), ...coefficients };
      const common = { columns: candidates, slope, offset, factors, ...law, regression } as const;
      await pool.run(
        imputeJob,
        stretches.map((stretch): ImputeInput => ({ ...common, ...stretch, ...streams })),
      );
      sweep += 1;
      return { completed, inclusion, scale, visits, drawn };
    },
  };
}

/** More columns than these would take long in every sweep. */
const MOST_CATEGORICAL = 300;

/** The categories with holes, and as many others as there is room for, those with the fewest levels first. */
function categoriesBeside({ factors, categories }: Holes): readonly StoredFactor[] {
  const kept = [...factors];
  let room = MOST_CATEGORICAL - factors.reduce((sum, { columns }) => sum + columns.length, 0);
  const others = categories.filter((factor) => !factors.includes(factor));
  for (const factor of others.sort((a, b) => a.columns.length - b.columns.length)) {
    room -= factor.columns.length;
    if (room >= 0) kept.push(factor);
  }
  return kept;
}

/** Those of the factors that are among the candidates, on the model's scale. */
function factorsAmong(
  factors: readonly StoredFactor[],
  candidates: readonly number[],
  scaled: (i: number, stored: number) => number,
): Factor[] {
  const position = new Map(candidates.map((j, i) => [j, i]));
  return factors.flatMap(({ columns, low, high }) => {
    const kept = columns.flatMap((j, a) => (position.has(j) ? [{ i: position.get(j)!, a }] : []));
    if (kept.length === 0) return [];
    return {
      columns: kept.map(({ i }) => i),
      low: kept.map(({ i, a }) => scaled(i, low[a])),
      high: kept.map(({ i, a }) => scaled(i, high[a])),
    };
  });
}

function drawRegression(
  rng: Rng,
  posterior: ModelPosterior,
  spec: Specification,
  centre: WeightedCentre,
): Omit<Regression, "family"> {
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
  const coefficients = new Float64Array(centre.means.length);
  const spread = Math.sqrt(noiseVariance * centre.variance);
  let intercept = spec.centred ? centre.intercept + spread * normal(rng) : 0;
  members.forEach((j, i) => {
    coefficients[j] = drawn[i];
    if (spec.centred) intercept -= drawn[i] * centre.means[j];
  });
  return { intercept, coefficients, noiseVariance };
}
