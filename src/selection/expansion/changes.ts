/**
 * What the log-likelihood gains when the coefficients move from one point to others, or how far rows go: one pass over
 * them for many moves. Sparse columns cost as much as they have entries.
 */

import type { Likelihood } from "../../families/family.js";
import { type FamilyName, familyNamed } from "../../families/register.js";
import type { Arena } from "../../store/batch/arena.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { type GlmPoint, linearPredictor, targetRun } from "./expansion.js";

export interface ChangesInput {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  readonly point: GlmPoint;
  /** One after the other: of the intercept, then of the coefficients. */
  readonly moves: Float64Array;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** How far one move takes the rows of a block: a sum over them, of their ways in η. */
type Measure = (away: number) => number;

/** Of every move; `measure` is told of a block with its rows' η and targets. */
function overMoves(
  store: Store,
  arena: Arena,
  job: ChangesInput,
  measure: (likelihood: Likelihood, rows: { eta: number; y: number; n: number }) => Measure,
): Float64Array {
  const { layout, kernels } = store;
  const { moves, scaling } = job;
  const { columns } = job.point;
  const { slope, offset } = scaling;
  const likelihood = familyNamed(job.family).likelihood(kernels, { variance: 1 });
  const size = columns.length + 1;
  const count = moves.length / size;
  const out = new Float64Array(count);
  const [eta, target, away] = Array.from({ length: 3 }, () => arena.vector(layout.stride));
  const panel = arena.vector(Math.max(1, columns.length) * layout.stride);
  const at = (i: number): number => panel.pointer + 4 * layout.stride * i;
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    const y = targetRun(store, scaling, target.pointer, b, n);
    linearPredictor(store, scaling, job.point, eta.pointer, b, n);
    // Dense columns may not stay where they are; entries are looked up again.
    const isSparse = columns.map((j, i) => {
      if (store.entries(b, j)) return true;
      kernels.copy(at(i), store.run(b, j), n);
      return false;
    });
    const measured = measure(likelihood, { eta: eta.pointer, y, n });
    for (let m = 0; m < count; m++) {
      const move = moves.subarray(m * size, (m + 1) * size);
      let constant = move[0];
      for (let i = 1; i < size; i++) constant += move[i] * offset[columns[i - 1]];
      kernels.fill(away.pointer, constant, n);
      for (let i = 1; i < size; i++) {
        const j = columns[i - 1];
        const a = move[i] * slope[j];
        if (a === 0) continue;
        if (isSparse[i - 1]) {
          const { rows, values, count: entries } = store.entries(b, j)!;
          kernels.scatterAxpy(away.pointer, a, rows, values, entries);
        } else kernels.affineAxpy(away.pointer, a, 0, at(i - 1), n);
      }
      out[m] += measured(away.pointer);
    }
  }
  return out;
}

function changesOfBlocks(store: Store, arena: Arena, job: ChangesInput): Float64Array {
  return overMoves(
    store,
    arena,
    job,
    (likelihood, { eta, y, n }) =>
      (away) =>
        likelihood.change(away, eta, y, n),
  );
}

export const changesJob = pass("changes", changesOfBlocks);

/** Of every move Σ w|z|³, z being the way of a row and w its weight where the move begins. */
export function cubesOfBlocks(store: Store, arena: Arena, job: ChangesInput): Float64Array {
  const { kernels, layout } = store;
  const weights = arena.vector(layout.stride);
  return overMoves(store, arena, job, (likelihood, { eta, n }) => {
    likelihood.weights(weights.pointer, eta, n);
    return (away) => kernels.weightedCube(away, weights.pointer, n);
  });
}

export const cubesJob = pass("cubes", cubesOfBlocks);
