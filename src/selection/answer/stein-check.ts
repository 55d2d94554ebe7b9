/**
 * Kernel Stein discrepancy of draws of the coefficients: how far they are from the posterior, of which all that is
 * asked are gradients over all rows at the draws. Given γ and σ² of each draw, the coefficients of some variables that
 * all of them hold are compared in coordinates u = L'θ with LL' the information there, so that T perfect draws have a
 * discrepancy of about C·√(2/T). For a Gaussian it finds errors of the chain or of the arithmetic, for classes and
 * counts those of the quadratic expansion as well.
 */

import { steinDiscrepancy } from "../../diagnostics/stein.js";
import type { FamilyName } from "../../families/register.js";
import { cholesky, forwardSolve } from "../../math/linear.js";
import type { Scaling } from "../../store/batch/scaling.js";
import type { Layout } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import type { Pool, RunOptions } from "../../workers/pool.js";
import type { SteinSummary } from "./result.js";
import { type ScorePoint, scoreJobs, scoresJob } from "./scores.js";

export interface SteinDraw extends ScorePoint {
  /** σ², 1 for classes and counts. */
  readonly dispersion: number;
}

export interface SteinProblem {
  readonly store: Store;
  readonly pool: Pool;
  readonly run: RunOptions;
  readonly family: FamilyName;
  readonly scaling: Scaling;
  /** In every draw. */
  readonly coordinates: readonly number[];
  /** −∂² log π(θ_S | γ, σ²) between variables a and b of a draw. */
  readonly priorPrecision: (a: number, b: number, draw: SteinDraw) => number;
}

/** Multiplications that the pass may take: a quarter of a look at all the data, or about a tenth of a second. */
const WORK = { share: 0.25, least: 1e8 };
/** How many draws are worth having. */
export const STEIN_DRAWS = { least: 20, most: 100 };

/** How many draws of a model of this size can be afforded; too few are none. */
export function affordableDraws({ rows, columns }: Layout, variables: number, coordinates: number): number {
  const work = Math.max(WORK.least, WORK.share * rows * columns);
  const count = Math.min(STEIN_DRAWS.most, Math.floor(work / (rows * (variables + coordinates))));
  return count < STEIN_DRAWS.least ? 0 : count;
}

export async function steinCheck(
  { store, pool, run, family, scaling, coordinates, priorPrecision }: SteinProblem,
  draws: readonly SteinDraw[],
): Promise<SteinSummary | undefined> {
  const count = coordinates.length;
  if (draws.length < STEIN_DRAWS.least || count === 0) return undefined;
  const points = draws.map(({ variables, values }) => ({ variables, values }));
  const parts = await pool.run(
    scoresJob,
    scoreJobs(store.layout, { family, scaling, points, coordinates }),
    run,
  );
  const sums = parts[0].slice();
  for (const part of parts.slice(1)) for (let i = 0; i < sums.length; i++) sums[i] += part[i];

  const factor = Float64Array.from({ length: count * count }, (_, i) => {
    const [a, b] = [Math.floor(i / count), i % count];
    const prior = priorPrecision(coordinates[a], coordinates[b], draws[0]);
    return sums[count * draws.length + i] / draws[0].dispersion + prior;
  });
  if (!cholesky(factor, count)) return undefined;
  const gradients = draws.map((draw, d) => {
    const gradient = sums.slice(d * count, (d + 1) * count).map((sum, c) => {
      const pull = draw.variables.reduce(
        (total, j, i) => total + priorPrecision(coordinates[c], j, draw) * draw.values[i],
        0,
      );
      return sum / draw.dispersion - pull;
    });
    forwardSolve(factor, count, gradient);
    return gradient;
  });
  const places = draws.map(({ variables, values }) => {
    const theta = coordinates.map((j) => values[variables.indexOf(j)]);
    return Float64Array.from(theta, (_, c) =>
      theta.reduce((total, value, i) => total + (i >= c ? factor[i * count + c] * value : 0), 0),
    );
  });
  if (!gradients.every((gradient) => gradient.every(Number.isFinite))) return undefined;
  return {
    discrepancy: steinDiscrepancy(places, gradients).total,
    expected: count * Math.sqrt(2 / draws.length),
    draws: draws.length,
    coefficients: count,
  };
}
