/**
 * How far the log-likelihood bends away from its quadratic expansion when one column's coefficient moves. With score r_i
 * and weight w_i of row i at the point of the expansion, over the rows where the stored number u is not zero,
 *
 *     δ(t) = Σ_i  ℓ_i(η_i + t·u_i) − ℓ_i(η_i) − t·u_i·r_i + ½t²·u_i²·w_i
 *
 * The other rows do not move: what they would do is the intercept's affair. So a sparse column costs as much as it has
 * entries.
 */

import { type FamilyName, familyNamed } from "../../families/register.js";
import { type Arena, view } from "../../store/batch/arena.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { blockPieces } from "../../workers/pieces.js";
import { type GlmPoint, linearPredictor, targetRun } from "./expansion.js";
import type { ModeSettings } from "./mode.js";

export interface BendsInput {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  /** Only columns with coefficients. */
  readonly point: GlmPoint;
  /** Columns, and where their moves end. */
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
      const entries = store.entries(b, columns[c]);
      const count = entries?.count ?? n;
      if (count === 0) continue;
      const [ownEtas, ownTargets] = [at(ownEta.pointer, count), at(ownTarget.pointer, count)];
      if (entries) {
        const which = new Uint32Array(kernels.memory.buffer, entries.rows, count);
        for (let e = 0; e < count; e++) {
          ownEtas[e] = etas[which[e]];
          ownTargets[e] = targets[which[e]];
        }
      } else {
        ownEtas.set(etas);
        ownTargets.set(targets);
      }
      const values = entries?.values ?? store.run(b, columns[c]);
      const u = at(values, count);
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

/** A column and how far its coefficient is to move. */
export interface Asked {
  readonly column: number;
  readonly moves: readonly number[];
}

export interface Bends {
  readonly bends: Float64Array;
  /** Σ_i u_i²·w_i on the model's scale. */
  readonly weight: number;
}

/** Asks how the likelihood bends around a point. */
export function bendsAt({ store, pool, family, scaling, density }: ModeSettings, point: GlmPoint) {
  const used = point.columns.flatMap((_, i) => (point.theta[i] === 0 ? [] : [i]));
  const active = {
    columns: used.map((i) => point.columns[i]),
    theta: Float64Array.from(used, (i) => point.theta[i]),
    intercept: point.intercept,
  };
  return async (asked: readonly Asked[]): Promise<Bends[]> => {
    const ends: number[] = [];
    for (const { moves } of asked) ends.push((ends.at(-1) ?? 0) + moves.length);
    const columns = asked.map(({ column }) => column);
    const moves = Float64Array.from(asked.flatMap((one) => [...one.moves]));
    const entries = asked.reduce((sum, one) => sum + density(one.column) * (one.moves.length + 1), 0);
    const job = { family, scaling, point: active, columns, ends, moves };
    const pieces = blockPieces(store.layout, LIKELIHOOD * store.layout.rows * (entries + 1));
    const parts = await pool.run(
      bendsJob,
      pieces.map((piece) => ({ ...job, ...piece })),
    );
    const sumOf = (place: number): number => parts.reduce((sum, part) => sum + part[place], 0);
    return asked.map((one, a) => ({
      bends: Float64Array.from(one.moves, (_, m) => sumOf(ends[a] - one.moves.length + m)),
      weight: sumOf(moves.length + a),
    }));
  };
}

/** Multiplications that are worth a row's likelihood. */
const LIKELIHOOD = 8;
