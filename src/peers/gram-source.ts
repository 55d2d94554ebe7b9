/**
 * Cross-products of the columns, each column of them computed when it is first asked for and kept: Σ u_j·u_k over
 * the rows of every fold, for all k. A pass takes a whole panel of columns, and what symmetry already gives is not
 * computed again, so that all of them cost N·p²/2.
 */

import { SparrowError } from "../errors.js";
import type { Store } from "../store/store.js";
import { option } from "../wording.js";
import type { Pool } from "../workers/pool.js";
import {
  type CrossProductInput,
  crossProductsJob,
  type FoldSumsInput,
  foldRows,
  foldSumsJob,
  PANEL,
  panelRoom,
} from "./cross-products.js";

/** Of the rows of a fold, or of all rows; the target is the last column. */
export interface Sums {
  readonly rows: number;
  readonly sum: Float64Array;
  readonly squares: Float64Array;
  readonly target: Float64Array;
}

export interface GramSource {
  /** Predictors. */
  readonly columns: number;
  /** What a column lost before it was stored: x = u + shift. */
  readonly shift: Float64Array;
  readonly folds: readonly Sums[];
  readonly total: Sums;
  has(j: number): boolean;
  load(variables: readonly number[]): Promise<void>;
  /** Σ u_j·u_k for every predictor k, over a fold or, without one, over all rows. */
  column(j: number, fold?: number): Float64Array;
  /** Lets go of all columns: whoever asks for one has it computed again. */
  forget(): void;
}

export interface GramSettings {
  readonly folds?: number;
  /** Bytes that columns may take up. */
  readonly most?: number | undefined;
}

/** Sums of one job: a good deal less than the scratch memory of a thread. */
const PIECE_BYTES = 16 * 2 ** 20;

export async function gramSource(
  store: Store,
  pool: Pool,
  { folds = 1, most = Number.POSITIVE_INFINITY }: GramSettings = {},
): Promise<GramSource> {
  const { columns, blocks } = store.layout;
  if (folds > blocks) throw new RangeError(`${folds} folds need as many blocks, and there are ${blocks}`);
  const parts = await foldParts(store, pool, folds);
  const loaded = new Map<number, { total: Float64Array; folds: Float64Array[] }>();

  async function loadPanel(panel: readonly number[]): Promise<void> {
    const against: number[] = [];
    for (let k = 0; k < columns; k++) if (!loaded.has(k)) against.push(k);
    const bytes = 8 * folds * against.length * panelRoom(panel.length);
    const pieces = Math.min(against.length, Math.max(pool.size, Math.ceil(bytes / PIECE_BYTES)));
    const jobs = Array.from(
      { length: pieces },
      (_, i): CrossProductInput => ({
        panel,
        against: Uint32Array.from(
          against.slice(
            Math.floor((i * against.length) / pieces),
            Math.floor(((i + 1) * against.length) / pieces),
          ),
        ),
        folds,
      }),
    );
    // Methods share what was computed: one that is resumed computes what those before it had.
    const results = await pool.run(crossProductsJob, jobs, { kept: false });
    const fresh = panel.map((j) => {
      const perFold = Array.from({ length: folds }, (_, f) => {
        const column = new Float64Array(columns);
        for (const [k, known] of loaded) column[k] = known.folds[f][j];
        return column;
      });
      return perFold;
    });
    const room = panelRoom(panel.length);
    jobs.forEach(({ against: others }, piece) => {
      const values = results[piece];
      for (let f = 0; f < folds; f++) {
        for (let i = 0; i < others.length; i++) {
          const at = (f * others.length + i) * room;
          for (let c = 0; c < panel.length; c++) fresh[c][f][others[i]] = values[at + c];
        }
      }
    });
    panel.forEach((j, c) => {
      loaded.set(j, { folds: fresh[c], total: folds === 1 ? fresh[c][0] : added(fresh[c]) });
    });
  }

  return {
    columns,
    shift: store.shift,
    folds: parts,
    total: addedSums(parts),
    has: (j) => loaded.has(j),
    async load(variables) {
      const missing = [...new Set(variables)].filter((j) => !loaded.has(j));
      refuseBeyond(most, loaded.size + missing.length, columns, folds);
      for (let from = 0; from < missing.length; from += PANEL)
        await loadPanel(missing.slice(from, from + PANEL));
    },
    column(j, fold) {
      const known = loaded.get(j)!;
      return fold === undefined ? known.total : known.folds[fold];
    },
    forget: () => loaded.clear(),
  };
}

function refuseBeyond(most: number, count: number, columns: number, folds: number): void {
  const bytes = 8 * count * columns * (folds === 1 ? 1 : folds + 1);
  if (bytes <= most) return;
  throw new SparrowError(
    `Products of ${count} columns with all ${columns}${folds > 1 ? `, by ${folds} folds,` : ""} take ${Math.round(bytes / 1e6)} MB, and ${option("memory")} leaves ${Math.round(most / 1e6)} MB for them; allow more, or leave columns out with ${option("exclude")}.`,
    "option",
  );
}

async function foldParts(store: Store, pool: Pool, folds: number): Promise<Sums[]> {
  const columns = store.layout.columns + 1;
  const pieces = Math.min(columns, pool.size);
  const jobs = Array.from({ length: pieces }, (_, i): FoldSumsInput => {
    const at = (piece: number) => Math.floor((piece * columns) / pieces);
    return { first: at(i), last: at(i + 1), folds };
  });
  const results = await pool.run(foldSumsJob, jobs);
  return Array.from({ length: folds }, (_, f) => {
    const [sum, squares, target] = [0, 1, 2].map((which) => {
      const out = new Float64Array(columns);
      jobs.forEach(({ first, last }, piece) => {
        for (let k = first; k < last; k++)
          out[k] = results[piece][3 * (f * (last - first) + k - first) + which];
      });
      return out;
    });
    return { rows: foldRows(store, f, folds), sum, squares, target };
  });
}

function added(arrays: readonly Float64Array[]): Float64Array {
  const total = arrays[0].slice();
  for (const array of arrays.slice(1)) for (let i = 0; i < total.length; i++) total[i] += array[i];
  return total;
}

export function addedSums(parts: readonly Sums[]): Sums {
  return {
    rows: parts.reduce((rows, part) => rows + part.rows, 0),
    sum: added(parts.map(({ sum }) => sum)),
    squares: added(parts.map(({ squares }) => squares)),
    target: added(parts.map(({ target }) => target)),
  };
}
