/**
 * Gradients of the log-likelihood over all rows at several points of coefficient space, in one pass: for each point
 * Σ_i x_ic·∂ log p(y_i | η_i)/∂η for the wanted coordinates c, and Σ_i x_ic·w_i·x_id at the first point, both times
 * the dispersion. Variable `columns` is the intercept.
 *
 * Threads take stretches of blocks that do not depend on how many threads there are; sums are added in order.
 */

import { type FamilyName, familyNamed } from "../../families/register.js";
import type { Arena } from "../../store/batch/arena.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { type Layout, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { blockPieces } from "../../workers/pieces.js";
import { targetRun } from "../expansion/expansion.js";

export interface ScorePoint {
  readonly variables: readonly number[];
  readonly values: readonly number[];
}

export interface ScoresInput {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  readonly points: readonly ScorePoint[];
  readonly coordinates: readonly number[];
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** C numbers per point, then C × C of the first point's information. */
export type Scores = Float64Array;

export function scoresOfBlocks(store: Store, arena: Arena, job: ScoresInput): Scores {
  const { quadratic } = familyNamed(job.family);
  return quadratic ? scoresFromProducts(store, arena, job) : scoresAtPoints(store, arena, job);
}

/** Σ x_c·(y − η) = Σ x_c·y − Σ_v θ_v Σ x_c·x_v: one look at every column does for all points. */
function scoresFromProducts(store: Store, arena: Arena, job: ScoresInput): Scores {
  const { kernels, layout } = store;
  const { slope, offset } = job.scaling;
  const { points, coordinates } = job;
  const count = coordinates.length;
  const variables = [...new Set([...coordinates, ...points.flatMap((point) => point.variables)])];
  const panel = arena.vector(count * layout.stride);
  const column = arena.vector(layout.stride).pointer;
  // The target is the last.
  const { pointer, values: products } = arena.sums((variables.length + 1) * count);
  products.fill(0);
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    const standard = (out: number, j: number): void => {
      kernels.affine(out, slope[j], offset[j], store.run(b, j), n);
    };
    const multiply = (place: number, x: number): void =>
      kernels.panelDots(pointer + 8 * count * place, x, panel.pointer, layout.stride, count, n);
    coordinates.forEach((j, c) => {
      standard(panel.pointer + 4 * layout.stride * c, j);
    });
    variables.forEach((j, place) => {
      standard(column, j);
      multiply(place, column);
    });
    multiply(variables.length, targetRun(store, job.scaling, column, b, n));
  }
  const from = new Map(variables.map((j, place) => [j, count * place]));
  const ofTarget = products.subarray(count * variables.length);
  return Float64Array.from([
    ...points.flatMap((point) =>
      coordinates.map((_, c) =>
        point.variables.reduce(
          (left, j, i) => left - point.values[i] * products[from.get(j)! + c],
          ofTarget[c],
        ),
      ),
    ),
    ...products.subarray(0, count * count),
  ]);
}

function scoresAtPoints(store: Store, arena: Arena, job: ScoresInput): Scores {
  const { kernels, layout } = store;
  const { slope, offset } = job.scaling;
  const likelihood = familyNamed(job.family).likelihood(kernels, { variance: 1 });
  const [eta, score, weights, column, room] = Array.from({ length: 5 }, () => arena.vector(layout.stride));
  const count = job.coordinates.length;
  const sums = new Float64Array(count * (job.points.length + count));
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    const y = targetRun(store, job.scaling, room.pointer, b, n);
    const dot = (j: number, r: number) => kernels.affineDot(slope[j], offset[j], store.run(b, j), r, n);
    job.points.forEach(({ variables, values }, p) => {
      kernels.fill(eta.pointer, 0, n);
      variables.forEach((j, i) => {
        kernels.affineAxpy(eta.pointer, slope[j] * values[i], offset[j] * values[i], store.run(b, j), n);
      });
      likelihood.score(score.pointer, eta.pointer, y, n);
      job.coordinates.forEach((j, c) => {
        sums[p * count + c] += dot(j, score.pointer);
      });
      if (p > 0) return;
      likelihood.weights(weights.pointer, eta.pointer, n);
      job.coordinates.forEach((j, c) => {
        kernels.affine(column.pointer, slope[j], offset[j], store.run(b, j), n);
        kernels.product(score.pointer, column.pointer, weights.pointer, n);
        for (let d = 0; d < count; d++) {
          sums[(job.points.length + c) * count + d] += dot(job.coordinates[d], score.pointer);
        }
      });
    });
  }
  return sums;
}

export const scoresJob = pass("scores", scoresOfBlocks);

export function scoreJobs(layout: Layout, job: Omit<ScoresInput, "firstBlock" | "lastBlock">): ScoresInput[] {
  return blockPieces(layout).map((piece) => ({ ...job, ...piece }));
}
