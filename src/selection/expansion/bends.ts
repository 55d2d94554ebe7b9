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
import type { Arena } from "../../store/batch/arena.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { blockPieces } from "../../workers/pieces.js";
import { type Expansion, type GlmPoint, linearPredictor, targetRun } from "./expansion.js";
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

/** Of every move what the log-likelihood gains. */
function bendsOfBlocks(store: Store, arena: Arena, job: BendsInput): Float64Array {
  const { layout, kernels } = store;
  const { scaling, columns, ends, moves } = job;
  const likelihood = familyNamed(job.family).likelihood(kernels, { variance: 1 });
  const out = new Float64Array(moves.length);
  const [eta, target, ownEta, ownTarget, away] = Array.from({ length: 5 }, () => arena.vector(layout.stride));
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    const y = targetRun(store, scaling, target.pointer, b, n);
    linearPredictor(store, scaling, job.point, eta.pointer, b, n);
    for (let c = 0; c < columns.length; c++) {
      const entries = store.entries(b, columns[c]);
      const count = entries?.count ?? n;
      if (count === 0) continue;
      if (entries) {
        kernels.gather(ownEta.pointer, eta.pointer, entries.rows, count);
        kernels.gather(ownTarget.pointer, y, entries.rows, count);
      }
      const [etas, targets] = entries ? [ownEta.pointer, ownTarget.pointer] : [eta.pointer, y];
      const values = entries?.values ?? store.run(b, columns[c]);
      for (let m = c === 0 ? 0 : ends[c - 1]; m < ends[c]; m++) {
        kernels.affine(away.pointer, scaling.slope[columns[c]] * moves[m], 0, values, count);
        out[m] += likelihood.change(away.pointer, etas, targets, count);
      }
    }
  }
  return out;
}

export const bendsJob = pass("bends", bendsOfBlocks);

/** A column, by its place in the expansion's point, and how far its coefficient is to move. */
export interface Asked {
  readonly place: number;
  readonly moves: readonly number[];
}

/** What an expansion has to say of a column's own rows, where its stored number u is not zero, on the model's scale. */
export interface OwnRows {
  /** Σ_i u_i·r_i and Σ_i u_i²·w_i: with x = u + offset they are in the sums over all rows. */
  readonly score: number;
  readonly weight: number;
}

/** Of the column at a place of the expansion's point. */
export function ownRows(
  { scaling }: ModeSettings,
  { point, score, information }: Expansion,
  place: number,
): OwnRows {
  const size = score.length;
  const at = place + 1;
  const offset = scaling.offset[point.columns[place]];
  return {
    score: score[at] - offset * score[0],
    weight: information[at * size + at] - 2 * offset * information[at] + offset * offset * information[0],
  };
}

/** Asks how the likelihood bends around the point of an expansion: for every column its bends at the moves. */
export function bendsAt(settings: ModeSettings, expansion: Expansion) {
  const { store, pool, family, scaling, density } = settings;
  const { point } = expansion;
  const used = point.columns.flatMap((_, i) => (point.theta[i] === 0 ? [] : [i]));
  const active = {
    columns: used.map((i) => point.columns[i]),
    theta: Float64Array.from(used, (i) => point.theta[i]),
    intercept: point.intercept,
  };
  return async (asked: readonly Asked[]): Promise<Float64Array[]> => {
    const ends: number[] = [];
    for (const { moves } of asked) ends.push((ends.at(-1) ?? 0) + moves.length);
    const columns = asked.map(({ place }) => point.columns[place]);
    const moves = Float64Array.from(asked.flatMap((one) => [...one.moves]));
    const entries = asked.reduce((sum, one, a) => sum + density(columns[a]) * (one.moves.length + 1), 0);
    const job = { family, scaling, point: active, columns, ends, moves };
    const pieces = blockPieces(store.layout, LIKELIHOOD * store.layout.rows * (entries + 1));
    const parts = await pool.run(
      bendsJob,
      pieces.map((piece) => ({ ...job, ...piece })),
    );
    return asked.map((one, a) => {
      const { score, weight } = ownRows(settings, expansion, one.place);
      return Float64Array.from(one.moves, (t, m) => {
        const change = parts.reduce((sum, part) => sum + part[ends[a] - one.moves.length + m], 0);
        return change - t * score + 0.5 * t * t * weight;
      });
    });
  };
}

/** Multiplications that are worth a row's likelihood. */
const LIKELIHOOD = 8;
