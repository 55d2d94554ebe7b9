/**
 * How far the log-likelihood bends away from its quadratic expansion when one sparse column's coefficient moves. With
 * score r_i and weight w_i of row i at the point of the expansion, over the rows where the column is not zero,
 *
 *     δ(t) = Σ_i  ℓ_i(η_i + t·u_i) − ℓ_i(η_i) − t·u_i·r_i + ½t²·u_i²·w_i
 *
 * The other rows do not move: what they would do is the intercept's affair. So a column costs as much as it has entries.
 */

import { type FamilyName, familyNamed } from "../../families/register.js";
import { type Arena, view } from "../../store/batch/arena.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { type GlmPoint, linearPredictor, targetRun } from "./expansion.js";

export interface BendsInput {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  /** Only columns with coefficients. */
  readonly point: GlmPoint;
  /** Columns, which are sparse, and where their moves end. */
  readonly columns: readonly number[];
  readonly ends: readonly number[];
  /** Of coefficients, on the model's scale. */
  readonly moves: Float64Array;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** Of every move; then of every column what its rows weigh, Σ_i u_i²·w_i on the model's scale. */
function bendsOfBlocks(store: Store, arena: Arena, job: BendsInput): Float64Array {
  const { layout, kernels } = store;
  const { scaling, columns, ends, moves } = job;
  const likelihood = familyNamed(job.family).likelihood(kernels, { variance: 1 });
  const out = new Float64Array(moves.length + columns.length);
  const [eta, target, ownEta, ownTarget, away, slopes] = Array.from({ length: 6 }, () =>
    arena.vector(layout.stride),
  );
  const at = (pointer: number, length: number) => view(kernels.memory, { pointer, length });
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    const y = targetRun(store, scaling, target.pointer, b, n);
    linearPredictor(store, scaling, job.point, eta.pointer, b, n);
    const [etas, targets] = [at(eta.pointer, n), at(y, n)];
    for (let c = 0; c < columns.length; c++) {
      const { rows, values, count } = store.entries(b, columns[c])!;
      if (count === 0) continue;
      const which = new Uint32Array(kernels.memory.buffer, rows, count);
      const u = at(values, count);
      const [ownEtas, ownTargets] = [at(ownEta.pointer, count), at(ownTarget.pointer, count)];
      for (let e = 0; e < count; e++) {
        ownEtas[e] = etas[which[e]];
        ownTargets[e] = targets[which[e]];
      }
      const slope = at(slopes.pointer, count);
      likelihood.score(slopes.pointer, ownEta.pointer, ownTarget.pointer, count);
      let [first, second] = [0, 0];
      for (let e = 0; e < count; e++) first += slope[e] * u[e];
      likelihood.weights(slopes.pointer, ownEta.pointer, count);
      for (let e = 0; e < count; e++) second += slope[e] * u[e] * u[e];
      out[moves.length + c] += scaling.slope[columns[c]] ** 2 * second;
      for (let m = c === 0 ? 0 : ends[c - 1]; m < ends[c]; m++) {
        const t = scaling.slope[columns[c]] * moves[m];
        if (t === 0) continue;
        kernels.fill(away.pointer, 0, count);
        kernels.affineAxpy(away.pointer, t, 0, values, count);
        const change = likelihood.change(away.pointer, ownEta.pointer, ownTarget.pointer, count);
        out[m] += change - t * first + 0.5 * t * t * second;
      }
    }
  }
  return out;
}

export const bendsJob = pass("bends", bendsOfBlocks);
