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
import type { Arena } from "../../store/batch/arena.js";
import { panelProducts } from "../../store/batch/passes.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import type { GlmPoint } from "../expansion/expansion.js";
import { FLIPS, type PanelModel, residualPanel } from "./residual-panel.js";

/** Columns at a time: bounds the scratch memory. */
const STRIP = 1024;
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

export function residualScores(store: Store, arena: Arena, job: ResidualScoresInput): ResidualScores {
  const { layout, kernels } = store;
  const { slope, offset } = job.scaling;
  const count = job.last - job.first;
  const panel = residualPanel(store, arena, job);
  const { basis } = panel;
  const width = job.flips === undefined ? 0 : FLIPS + 1;
  const products = arena.sums((basis + 1) * STRIP);
  const flips = arena.sums(Math.max(1, width) * STRIP);
  const squares = new Float64Array(STRIP);
  const sketches = arena.sums(Math.max(1, STRIP * job.sketch));
  const addProducts = panelProducts(store);
  const out = {
    first: job.first,
    score: new Float64Array(count),
    flipped: new Float32Array(count * width),
    sketch: new Float32Array(count * job.sketch),
    dispersion: 1,
  };
  for (let from = job.first; from < job.last; from += STRIP) {
    const to = Math.min(job.last, from + STRIP);
    for (const sums of [products.values, flips.values, squares, sketches.values]) sums.fill(0);
    panel.reset();
    for (let b = 0; b < job.blocks; b++) {
      const n = rowsIn(layout, b);
      panel.fill(b);
      addProducts(products.pointer, b, from, to, panel.weighted, basis + 1);
      if (width > 0) addProducts(flips.pointer, b, from, to, panel.flipped, width);
      if (job.squares && job.sketch === 0) continue;
      for (let j = from; j < to; j++) {
        if (!job.wanted[j - job.first]) continue;
        const run = store.run(b, j);
        if (!job.squares) {
          squares[j - from] += kernels.weightedSquare(job.means[j - job.first], run, panel.weights, n);
        }
        if (job.sketch > 0) panel.addSketch(sketches.pointer + 8 * (j - from) * job.sketch, run);
      }
    }
    const model = panel.model();
    out.dispersion = model.dispersion;
    for (let j = from; j < to; j++) {
      if (!job.wanted[j - job.first]) continue;
      const at = j - from;
      finish(model, {
        slope: slope[j],
        offset: offset[j],
        mean: job.means[j - job.first],
        square: job.squares?.[j - job.first] ?? squares[at],
        products: products.values.subarray((basis + 1) * at, (basis + 1) * (at + 1)),
        flips: flips.values.subarray(width * at, width * (at + 1)),
        sketch: sketches.values.subarray(job.sketch * at, job.sketch * (at + 1)),
        to: j - job.first,
      });
    }
  }
  return out;

  /** From sums of the stored numbers u to what is left of x = slope·u + offset. */
  function finish(model: PanelModel, column: ColumnSums): void {
    const { products: u, flips: f, sketch, to } = column;
    const own = ownSquare(column, u[0], model.totals[0]);
    for (let c = 0; c <= basis; c++) u[c] = column.slope * u[c] + column.offset * model.totals[c];
    if (!job.hasIntercept) u[0] = 0;
    const coefficients = u.slice(0, basis);
    solve(model.factor, basis, coefficients);
    let left = own;
    let score = u[basis];
    for (let c = 0; c < basis; c++) {
      left -= u[c] * coefficients[c];
      score -= coefficients[c] * model.basisScore[c];
    }
    if (!(left > DEPENDENT * own)) return;
    const root = Math.sqrt(left);
    out.score[to] = score / root;
    for (let k = 0; k < width; k++) {
      let value = column.slope * f[k] + column.offset * model.flipTotals[k];
      for (let c = 0; c < basis; c++) value -= coefficients[c] * model.basisFlips[k * basis + c];
      out.flipped[to * width + k] = (value / root) * (k === 0 ? 1 : model.inflation);
    }
    for (let i = 0; i < job.sketch; i++) sketch[i] = column.slope * sketch[i] + column.offset * model.ones[i];
    for (let c = 0; c < basis; c++) {
      const [share, start] = [coefficients[c], c * job.sketch];
      for (let i = 0; i < job.sketch; i++) sketch[i] -= share * model.basisSketch[start + i];
    }
    let length = 0;
    for (let i = 0; i < job.sketch; i++) length += sketch[i] * sketch[i];
    const unit = length > 0 ? 1 / Math.sqrt(length) : 0;
    for (let i = 0; i < job.sketch; i++) out.sketch[to * job.sketch + i] = unit * sketch[i];
  }
}

/** Σw(slope·u + offset)² from Σw(u − mean)², Σwu and Σw. */
function ownSquare({ slope, offset, mean, square }: ColumnSums, sum: number, weight: number): number {
  const centre = slope * mean + offset;
  return slope * slope * square + 2 * slope * centre * (sum - mean * weight) + centre * centre * weight;
}

export const residualScoresJob = pass("residual-scores", residualScores);

interface ColumnSums {
  readonly slope: number;
  readonly offset: number;
  readonly mean: number;
  readonly square: number;
  readonly products: Float64Array;
  readonly flips: Float64Array;
  readonly sketch: Float64Array;
  readonly to: number;
}
