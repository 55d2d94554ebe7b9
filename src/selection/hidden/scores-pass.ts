/** How the pass over all columns is cut into jobs: how many rows it reads, and how long sketches are. */

import { nameOf } from "../../families/register.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { columnPieces } from "../../workers/pieces.js";
import type { GlmPoint } from "../expansion/expansion.js";
import type { Problem } from "../posterior/problem.js";
import type { ResidualScoresInput } from "./residual-scores.js";

/** That a pass has to read, by the first block. Where rows have weights, sparse columns are spelt out. */
function numbersInRow(store: Store, quadratic: boolean): number {
  const { columns, dense } = store.layout;
  if (!quadratic || dense === columns) return columns;
  let count = 0;
  for (let j = 0; j < columns; j++) count += store.entries(0, j)?.count ?? 0;
  return dense + count / rowsIn(store.layout, 0);
}

/**
 * Numbers that a pass reads, of sparse columns their entries: beyond, the first blocks alone, whose rows are as good as
 * any, but so many at least.
 */
const NUMBERS = 6e6;
const LEAST_ROWS = 1000;
/** Length of a sketch with up to so many columns, and with more. */
const SKETCH = { long: 128, columns: 3000, short: 64 };
/** Columns that are worth the flips that a job makes for itself. */
const LEAST_COLUMNS = 1000;

/**
 * The pass over all columns: for sketches at first, for flips when nothing is left to be found. Where it takes little,
 * the first flips come with the sketches: what is freed of the model is freed once.
 */
export function scoresPass(problem: Problem, point: GlmPoint) {
  const { store, scaling, screen, spec, target, seed } = problem;
  const { rows, columns, blocks: all } = store.layout;
  const wanted = new Uint8Array(columns);
  for (const j of problem.usable) wanted[j] = 1;
  for (const j of point.columns) wanted[j] = 0;
  const affordable = NUMBERS / numbersInRow(store, target.family.quadratic);
  const most = Math.max(LEAST_ROWS, affordable);
  const blocks = Math.max(1, Math.min(all, Math.round((most * all) / rows)));
  const length = Math.min(
    Math.floor((blocks * rows) / all),
    columns <= SKETCH.columns ? SKETCH.long : SKETCH.short,
  );
  const inputs = (kind: Pick<ResidualScoresInput, "sketch" | "flips">): ResidualScoresInput[] =>
    columnPieces(columns, LEAST_COLUMNS).map(({ first, last }) => ({
      family: nameOf(target.family),
      scaling,
      point,
      hasIntercept: spec.centred,
      seed,
      first,
      last,
      wanted: wanted.slice(first, last),
      means: screen.mean.slice(first, last),
      ...(target.family.quadratic && {
        squares: screen.sd.slice(first, last).map((sd) => sd * sd * (rows - 1)),
      }),
      blocks,
      ...kind,
    }));
  const flipsAtOnce = affordable >= LEAST_ROWS;
  return {
    blocks,
    flipsAtOnce,
    sketches: () => inputs({ sketch: length, ...(flipsAtOnce && { flips: 0 }) }),
    flips: (which: number) => inputs({ sketch: 0, flips: which }),
  };
}
