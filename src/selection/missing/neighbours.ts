/**
 * Of very many columns, those whose law is worth knowing: the candidates and, of every candidate with holes, the
 * columns that are correlated with it most. A joint Gaussian of these stands for that of all. Means stand in the
 * holes when the correlations are taken, so columns that are observed together count for more.
 */

import type { Arena } from "../../store/batch/arena.js";
import { panelProducts } from "../../store/batch/passes.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { type HoledProblem, MAX_COLUMNS } from "./problem.js";

export interface ProductsInput {
  /** Columns of the panel, and those that are multiplied with it. */
  readonly panel: readonly number[];
  readonly first: number;
  readonly last: number;
  readonly scaling: Scaling;
}

/** Σu_j·x_c of the columns j = first … last and the centred columns c of the panel, one row per j. */
export function productsOf(store: Store, arena: Arena, job: ProductsInput): Float64Array {
  const { layout, kernels } = store;
  const { slope, offset } = job.scaling;
  const k = job.panel.length;
  const panel = arena.vector(k * layout.stride);
  const { pointer, values } = arena.sums(k * (job.last - job.first));
  const products = panelProducts(store, arena, k);
  values.fill(0);
  for (let b = 0; b < layout.blocks; b++) {
    const n = rowsIn(layout, b);
    job.panel.forEach((column, c) => {
      const at = panel.pointer + 4 * layout.stride * c;
      kernels.affine(at, slope[column], offset[column], store.run(b, column), n);
    });
    products.take(b, panel.pointer);
    products.add(pointer, job.first, job.last);
  }
  return values.slice();
}

export const productsJob = pass("products", productsOf);

/** Neighbours of a column, where there is room. */
const NEIGHBOURS = 10;
/** Columns of a panel, and those that a job multiplies with it: they bound the scratch memory. */
const PANEL = 64;
const STRIP = 4096;

/** The candidates with their neighbours, in rising order; whole factors where they have holes. */
export async function withNeighbours(
  problem: HoledProblem,
  candidates: readonly number[],
): Promise<number[]> {
  const { holes, usable } = problem;
  const chosen = new Set(wholeFactors(problem, candidates));
  const incomplete = candidates.filter((j) => holes.missing[j] > 0);
  const each = Math.min(NEIGHBOURS, Math.floor((MAX_COLUMNS - chosen.size) / Math.max(1, incomplete.length)));
  for (let at = 0; at < incomplete.length && each > 0; at += PANEL) {
    const panel = incomplete.slice(at, at + PANEL);
    const correlation = await correlations(problem, panel);
    panel.forEach((_, c) => {
      const best = usable.filter((j) => !chosen.has(j));
      best.sort((a, b) => correlation(b, c) - correlation(a, c));
      for (const j of wholeFactors(problem, best.slice(0, each))) {
        if (chosen.size < MAX_COLUMNS) chosen.add(j);
      }
    });
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Levels of a text are missing together, so they must be drawn together. */
function wholeFactors({ holes }: HoledProblem, columns: readonly number[]): number[] {
  const own = new Map(holes.factors.flatMap((factor) => factor.columns.map((j) => [j, factor.columns])));
  return columns.flatMap((j) => own.get(j) ?? [j]);
}

/** |correlation| of any column with those of the panel, up to a factor that depends on the latter. */
async function correlations(
  { store, pool, scaling, screen }: HoledProblem,
  panel: readonly number[],
): Promise<(j: number, c: number) => number> {
  const { columns } = store.layout;
  const jobs = Array.from({ length: Math.ceil(columns / STRIP) }, (_, i): ProductsInput => {
    const [first, last] = [i * STRIP, Math.min(columns, (i + 1) * STRIP)];
    return { panel, first, last, scaling };
  });
  const parts = await pool.run(productsJob, jobs);
  return (j, c) => {
    const part = parts[Math.floor(j / STRIP)];
    return Math.abs(part[(j % STRIP) * panel.length + c]) / screen.sd[j];
  };
}
