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

import { type FamilyName, familyNamed } from "../../families/register.js";
import { cholesky, solve } from "../../math/linear.js";
import { Rng } from "../../math/rng.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import { type Arena, view } from "../../store/batch/arena.js";
import { panelProducts } from "../../store/batch/passes.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { firstRow, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { type GlmPoint, linearPredictor, targetRun } from "../expansion/expansion.js";

/** Residuals with random signs; with the residual itself a multiple of four, which the kernels like. */
export const FLIPS = 15;
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
  /** Blocks, from the first on, whose rows are flipped and sketched. */
  readonly blocks: number;
  /** Length of a sketch; 0 for none. */
  readonly sketch: number;
  /** Which of the random signs residuals are flipped by, from 0 up; absent where they are not. */
  readonly flips?: number;
}

export interface ResidualScores {
  readonly first: number;
  readonly score: Float64Array;
  /** Over the first blocks alone: of the residual itself and its flips, FLIPS + 1 numbers a column. */
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
  const sketches = new Float64Array(STRIP * job.sketch);
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
    for (const sums of [products.values, flips.values, squares, sketches]) sums.fill(0);
    panel.reset();
    for (let b = 0; b < layout.blocks; b++) {
      const n = rowsIn(layout, b);
      panel.fill(b);
      addProducts(products.pointer, b, from, to, panel.weighted, basis + 1);
      if (b < job.blocks && width > 0) addProducts(flips.pointer, b, from, to, panel.flipped, width);
      for (let j = from; j < to; j++) {
        if (!job.wanted[j - job.first]) continue;
        const run = store.run(b, j);
        squares[j - from] += kernels.weightedSquare(job.means[j - job.first], run, panel.weights, n);
        if (b < job.blocks && job.sketch > 0) panel.addSketch(sketches, (j - from) * job.sketch, run, b);
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
        square: squares[at],
        products: products.values.subarray((basis + 1) * at, (basis + 1) * (at + 1)),
        flips: flips.values.subarray(width * at, width * (at + 1)),
        sketch: sketches.subarray(job.sketch * at, job.sketch * (at + 1)),
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
      for (let c = 0; c < basis; c++) value -= coefficients[c] * model.basisFlips[c * width + k];
      out.flipped[to * width + k] = (value / root) * (k === 0 ? 1 : model.inflation);
    }
    let length = 0;
    for (let i = 0; i < job.sketch; i++) {
      let value = column.slope * sketch[i] + column.offset * model.ones[i];
      for (let c = 0; c < basis; c++) value -= coefficients[c] * model.basisSketch[c * job.sketch + i];
      sketch[i] = value;
      length += value * value;
    }
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

interface PanelModel {
  /** Of B'WB, lower. */
  readonly factor: Float64Array;
  readonly totals: Float64Array;
  readonly flipTotals: Float64Array;
  readonly basisScore: Float64Array;
  readonly basisFlips: Float64Array;
  readonly basisSketch: Float64Array;
  readonly ones: Float64Array;
  readonly dispersion: number;
  /** A residual that was fitted is shorter than the noise that it stands for, and its flips are, too. */
  readonly inflation: number;
}

/** The columns that all others are multiplied with, block by block, and the sums over themselves. */
function residualPanel(store: Store, arena: Arena, job: ResidualScoresInput) {
  const { layout, kernels } = store;
  const { stride } = layout;
  const { slope, offset } = job.scaling;
  const { columns } = job.point;
  const likelihood = familyNamed(job.family).likelihood(kernels, { variance: 1 });
  // The constant comes first; without an intercept columns are not freed of it.
  const basis = columns.length + 1;
  const width = job.flips === undefined ? 0 : FLIPS + 1;
  const [plain, weighted, flipped] = [basis, basis + 1, Math.max(1, width)].map((k) =>
    arena.vector(k * stride),
  );
  const [eta, weights, signs] = Array.from({ length: 3 }, () => arena.vector(stride));
  const gram = arena.sums(basis * basis);
  const scores = arena.sums(basis * (width + 1));
  const totals = new Float64Array(basis + 1);
  const flipTotals = new Float64Array(width);
  const basisSketch = new Float64Array(basis * job.sketch);
  const onesSketch = new Float64Array(job.sketch);
  const sketchedRows = firstRow(layout, job.blocks);
  const { memory } = kernels;
  const at = (start: number, c: number): number => start + 4 * stride * c;
  let squares = 0;

  function reset(): void {
    for (const sums of [gram.values, scores.values, totals, flipTotals, basisSketch, onesSketch]) sums.fill(0);
    squares = 0;
  }

  function fill(b: number): void {
    const n = rowsIn(layout, b);
    linearPredictor(store, job.scaling, job.point, eta.pointer, b, n);
    likelihood.weights(weights.pointer, eta.pointer, n);
    kernels.fill(plain.pointer, 1, n);
    columns.forEach((j, c) => {
      kernels.fill(at(plain.pointer, c + 1), offset[j], n);
      kernels.affineAxpy(at(plain.pointer, c + 1), slope[j], 0, store.run(b, j), n);
    });
    for (let c = 0; c < basis; c++) {
      const row = at(weighted.pointer, c);
      kernels.product(row, at(plain.pointer, c), weights.pointer, n);
      kernels.exactDots(gram.pointer + 8 * basis * c, row, plain.pointer, stride, basis, n);
      totals[c] += kernels.affineDot(0, 1, row, row, n);
    }
    const residual = at(weighted.pointer, basis);
    likelihood.score(residual, eta.pointer, targetRun(store, job.scaling, signs.pointer, b, n), n);
    kernels.exactDots(scores.pointer, residual, plain.pointer, stride, basis, n);
    totals[basis] += kernels.affineDot(0, 1, residual, residual, n);
    const [r, w] = [view(memory, { pointer: residual, length: n }), view(memory, { ...weights, length: n })];
    for (let i = 0; i < n; i++) if (w[i] > 0) squares += (r[i] * r[i]) / w[i];
    if (b < job.blocks && job.flips !== undefined) flip(b, n, r, job.flips);
    if (b < job.blocks && job.sketch > 0) sign(b, n, w);
  }

  function flip(b: number, n: number, r: Float32Array, which: number): void {
    const rng = Rng.seeded(job.seed)
      .split(RUN_STREAMS.flips + which)
      .split(b);
    const words = Uint32Array.from({ length: n }, () => rng.uint32());
    for (let k = 0; k < width; k++) {
      const pointer = at(flipped.pointer, k);
      const out = view(memory, { pointer, length: n });
      // The residual itself comes first.
      for (let i = 0; i < n; i++) out[i] = k === 0 || (words[i] >>> k) & 1 ? r[i] : -r[i];
      flipTotals[k] += kernels.affineDot(0, 1, pointer, pointer, n);
      kernels.exactDots(scores.pointer + 8 * basis * (k + 1), pointer, plain.pointer, stride, basis, n);
    }
  }

  /** Random signs times the roots of the weights, and the sketches of the model's own columns. */
  function sign(b: number, n: number, w: Float32Array): void {
    const rng = Rng.seeded(job.seed).split(RUN_STREAMS.sketches).split(b);
    const sign = view(memory, { ...signs, length: n });
    for (let i = 0; i < n; i++) sign[i] = rng.uint32() & 1 ? Math.sqrt(w[i]) : -Math.sqrt(w[i]);
    for (let c = 0; c < basis; c++) addSketch(basisSketch, c * job.sketch, at(plain.pointer, c), b);
    for (let i = 0; i < n; i++) onesSketch[partOf(firstRow(layout, b) + i)] += sign[i];
  }

  function partOf(row: number): number {
    return Math.floor((row * job.sketch) / sketchedRows);
  }

  /** Adds the signed sums of a column over the parts that a block has a share in. */
  function addSketch(to: Float64Array, start: number, run: number, b: number): void {
    const before = firstRow(layout, b);
    const end = firstRow(layout, b + 1);
    for (let row = before; row < end; ) {
      const part = partOf(row);
      const next = Math.min(end, Math.ceil(((part + 1) * sketchedRows) / job.sketch));
      const shift = 4 * (row - before);
      to[start + part] += kernels.affineDot(1, 0, run + shift, signs.pointer + shift, next - row);
      row = next;
    }
  }

  function model(): PanelModel {
    if (!job.hasIntercept) {
      for (let c = 0; c < basis; c++) gram.values[c] = gram.values[c * basis] = c === 0 ? 1 : 0;
    }
    const factor = gram.values.slice();
    for (let ridge = 1e-10; !cholesky(factor, basis) && ridge < 1; ridge *= 100) {
      factor.set(gram.values);
      for (let c = 0; c < basis; c++) factor[c * basis + c] *= 1 + ridge;
    }
    const freedom = Math.max(1, layout.rows - basis);
    const basisFlips = new Float64Array(basis * width);
    for (let c = 0; c < basis; c++) {
      for (let k = 0; k < width; k++) basisFlips[c * width + k] = scores.values[basis * (k + 1) + c];
    }
    return {
      factor,
      totals,
      flipTotals,
      basisScore: scores.values.slice(0, basis),
      basisFlips,
      basisSketch,
      ones: onesSketch,
      dispersion: squares / freedom,
      inflation: Math.sqrt(layout.rows / freedom),
    };
  }

  return {
    basis,
    weighted: weighted.pointer,
    flipped: flipped.pointer,
    weights: weights.pointer,
    reset,
    fill,
    addSketch,
    model,
  };
}
