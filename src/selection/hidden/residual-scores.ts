/**
 * One pass over all columns given a model S: what each says of the residual, what it would say of residuals that mean
 * nothing, and a sketch of it by which columns can be compared with each other. With r the score of the likelihood at
 * S, W its weights, e_j what is left of x_j after a weighted regression on S and the intercept, and d_j = e_j'We_j:
 *
 *     score    z_j = e_j'r / √d_j
 *     flipped  e_j'(ε·r) / √d_j with random signs ε, one for each row: the same where no column matters (Wu 1986)
 *     sketch   sums of ±√W·e_j over disjoint sets of rows (Charikar, Chen and Farach-Colton 2002). Angles between a
 *              few columns survive it to about one in the root of its length, near dependence included.
 */

import type { FamilyName } from "../../families/register.js";
import { solve } from "../../math/linear.js";
import { type Arena, view } from "../../store/batch/arena.js";
import { panelProducts, stripOf } from "../../store/batch/passes.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import type { Vector } from "../../types.js";
import { pass } from "../../workers/job.js";
import type { GlmPoint } from "../expansion/expansion.js";
import { FLIPS, type PanelModel, residualPanel } from "./residual-panel.js";

/** A column of which the model leaves less than this share is the model's. */
const DEPENDENT = 1e-7;

export interface ResidualScoresInput {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  /** The model: where the score is taken, and what columns are freed of. */
  readonly point: GlmPoint;
  readonly hasIntercept: boolean;
  readonly seed: number;
  readonly first: number;
  readonly last: number;
  /** Which of these columns are looked at. */
  readonly wanted: Uint8Array;
  /** Means of the stored numbers of the columns first … last. */
  readonly means: Float64Array;
  /** Their sums of squares about the means, where rows weigh the same: then no pass is needed for them. */
  readonly squares?: Float64Array;
  /** Blocks, from the first on, that the pass goes through; rows are in random order. */
  readonly blocks: number;
  /** Length of a sketch; 0 for none. */
  readonly sketch: number;
  /** Which of the random signs residuals are flipped by, from 0 up; absent where they are not. */
  readonly flips?: number;
}

export interface ResidualScores {
  readonly first: number;
  readonly score: Float64Array;
  /** Of the residual itself and its flips, FLIPS + 1 numbers a column. */
  readonly flipped: Float32Array;
  /** Of unit length; zeros where nothing of the column is left. */
  readonly sketch: Float32Array;
  /** Σr²/W over the rows less the size of the model. */
  readonly dispersion: number;
}

type Written = { -readonly [Part in keyof ResidualScores]: ResidualScores[Part] };

export function residualScores(store: Store, arena: Arena, job: ResidualScoresInput): ResidualScores {
  const { layout, kernels } = store;
  const count = job.last - job.first;
  const panel = residualPanel(store, arena, job);
  const { basis } = panel;
  const width = job.flips === undefined ? 0 : FLIPS + 1;
  const strip = Math.min(count, stripOf(layout, 8 * (basis + 1) + 12 * (width + job.sketch)));
  const products = arena.sums((basis + 1) * strip);
  const flips = arena.sums(Math.max(1, width) * strip);
  const squares = new Float64Array(strip);
  const sketches = arena.sums(Math.max(1, strip * job.sketch));
  const left = {
    flips: arena.vector(Math.max(1, width) * strip),
    sketches: arena.vector(Math.max(1, job.sketch) * strip),
  };
  const coefficients = arena.sums(basis);
  const ofPanel = panelProducts(store, arena, basis + 1);
  const ofFlips = panelProducts(store, arena, width);
  const out: Written = {
    first: job.first,
    score: new Float64Array(count),
    flipped: new Float32Array(count * width),
    sketch: new Float32Array(count * job.sketch),
    dispersion: 1,
  };
  for (let from = job.first; from < job.last; from += strip) {
    const to = Math.min(job.last, from + strip);
    for (const sums of [products.values, flips.values, squares, sketches.values]) sums.fill(0);
    panel.reset();
    for (let b = 0; b < job.blocks; b++) {
      const n = rowsIn(layout, b);
      panel.fill(b);
      ofPanel.take(b, panel.weighted);
      ofPanel.add(products.pointer, from, to);
      if (width > 0) {
        ofFlips.take(b, panel.flipped);
        ofFlips.add(flips.pointer, from, to);
      }
      if (job.squares && job.sketch === 0) continue;
      for (let j = from; j < to; j++) {
        const sketch = sketches.pointer + 8 * (j - from) * job.sketch;
        const sparse = job.squares && store.entryStretch(b, j, to);
        if (sparse && sparse.columns > 0) {
          panel.addEntries(sketch, sparse);
          j += sparse.columns - 1;
          continue;
        }
        if (!job.wanted[j - job.first]) continue;
        const run = store.run(b, j);
        if (!job.squares) {
          squares[j - from] += kernels.weightedSquare(job.means[j - job.first], run, panel.weights, n);
        }
        if (job.sketch > 0) panel.addSketch(sketch, run);
      }
    }
    const model = panel.model();
    out.dispersion = model.dispersion;
    for (const { pointer, length } of [left.flips, left.sketches]) kernels.fill(pointer, 0, length);
    for (let j = from; j < to; j++) {
      if (!job.wanted[j - job.first]) continue;
      const sums = products.values.subarray((basis + 1) * (j - from), (basis + 1) * (j - from + 1));
      const square = job.squares?.[j - job.first] ?? squares[j - from];
      const root = freed(job, model, coefficients.values, { j, sums, square }, out);
      if (root === 0) continue;
      const slope = job.scaling.slope[j];
      const rest = (sums: number, of: number, n: number): number =>
        kernels.combine(sums, slope, of, coefficients.pointer, basis, n);
      if (width > 0) {
        const at = flips.pointer + 8 * width * (j - from);
        rest(at, model.flips, width);
        const to = left.flips.pointer + 4 * width * (j - from);
        // The residual itself comes first.
        kernels.narrow(to, at, 1 / root, 1);
        kernels.narrow(to + 4, at + 8, model.inflation / root, width - 1);
      }
      if (job.sketch > 0) {
        const at = sketches.pointer + 8 * job.sketch * (j - from);
        const length = Math.sqrt(rest(at, model.sketches, job.sketch));
        const to = left.sketches.pointer + 4 * job.sketch * (j - from);
        if (length > 0) kernels.narrow(to, at, 1 / length, job.sketch);
      }
    }
    const written = (vector: Vector, size: number): Float32Array =>
      view(kernels.memory, { ...vector, length: size * (to - from) });
    out.flipped.set(written(left.flips, width), width * (from - job.first));
    out.sketch.set(written(left.sketches, job.sketch), job.sketch * (from - job.first));
  }
  return out;
}

/**
 * From sums of the stored numbers u to what is left of x = slope·u + offset: its score is written, the root of its square
 * returned, 0 where nothing is left. `weights` become what B is multiplied with in the difference x − slope·u − Bb.
 */
function freed(
  { scaling, means, first, hasIntercept }: ResidualScoresInput,
  { totals, factor, basisScore }: PanelModel,
  weights: Float64Array,
  column: { readonly j: number; readonly sums: Float64Array; readonly square: number },
  out: Written,
): number {
  const { j, sums: u, square } = column;
  const basis = basisScore.length;
  const [slope, offset] = [scaling.slope[j], scaling.offset[j]];
  const own = ownSquare({ slope, offset, mean: means[j - first], square }, u[0], totals[0]);
  for (let c = 0; c <= basis; c++) u[c] = slope * u[c] + offset * totals[c];
  if (!hasIntercept) u[0] = 0;
  for (let c = 0; c < basis; c++) weights[c] = u[c];
  solve(factor, basis, weights);
  let left = own;
  let score = u[basis];
  for (let c = 0; c < basis; c++) {
    left -= u[c] * weights[c];
    score -= weights[c] * basisScore[c];
    weights[c] = -weights[c];
  }
  // The constant is the first column of B.
  weights[0] += offset;
  if (!(left > DEPENDENT * own)) return 0;
  const root = Math.sqrt(left);
  out.score[j - first] = score / root;
  return root;
}

/** Σw(slope·u + offset)² from Σw(u − mean)², Σwu and Σw. */
function ownSquare({ slope, offset, mean, square }: ColumnSums, sum: number, weight: number): number {
  const centre = slope * mean + offset;
  return slope * slope * square + 2 * slope * centre * (sum - mean * weight) + centre * centre * weight;
}

export const residualScoresJob = pass("residual-scores", residualScores, ({ score, flipped, sketch }) => [
  ...[score, flipped, sketch],
]);

interface ColumnSums {
  readonly slope: number;
  readonly offset: number;
  readonly mean: number;
  /** About the mean. */
  readonly square: number;
}
