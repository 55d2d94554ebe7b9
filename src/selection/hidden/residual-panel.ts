/** What all columns are multiplied with in the pass of residual-scores.ts, block by block, and sums over it alone. */

import { familyNamed } from "../../families/register.js";
import { cholesky } from "../../math/linear.js";
import { Rng } from "../../math/rng.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import { type Arena, view } from "../../store/batch/arena.js";
import { firstRow, rowsIn } from "../../store/layout/layout.js";
import type { EntryStretch } from "../../store/layout/sparse-block.js";
import type { Store } from "../../store/store.js";
import { linearPredictor, targetRun } from "../expansion/expansion.js";
import type { ResidualScoresInput } from "./residual-scores.js";

/** Residuals with random signs; with the residual itself a multiple of four, which the kernels like. */
export const FLIPS = 15;

/** Sums over the panel, once all blocks have been through it. */
export interface PanelModel {
  /** Of B'WB, lower, where B holds the constant and the columns of the model. */
  readonly factor: Float64Array;
  /** Sums of the weighted columns and of the residual, and B'r. */
  readonly totals: Float64Array;
  readonly basisScore: Float64Array;
  /** Where products of B with the flips are, and sketches of B: for each of its columns a vector of float64. */
  readonly flips: number;
  readonly sketches: number;
  readonly dispersion: number;
  /** A residual that was fitted is shorter than the noise that it stands for, and its flips are, too. */
  readonly inflation: number;
}

export function residualPanel(store: Store, arena: Arena, job: ResidualScoresInput) {
  const { layout, kernels } = store;
  const { stride } = layout;
  const { slope, offset } = job.scaling;
  const { columns } = job.point;
  const likelihood = familyNamed(job.family).likelihood(kernels, { variance: 1 });
  // The constant comes first; without an intercept columns are not freed of it.
  const basis = columns.length + 1;
  const [plain, weighted] = [basis, basis + 1].map((k) => arena.vector(k * stride));
  const [eta, weights, target] = Array.from({ length: 3 }, () => arena.vector(stride));
  const gram = arena.sums(basis * basis);
  const scores = arena.sums(basis);
  const totals = new Float64Array(basis + 1);
  const flips = flippedResiduals(store, arena, job, basis);
  const sketches = rowSketches(store, arena, job);
  const basisSketch = arena.sums(Math.max(1, basis * job.sketch));
  const at = (start: number, c: number): number => start + 4 * stride * c;
  let squares = 0;
  return {
    basis,
    weighted: weighted.pointer,
    weights: weights.pointer,
    flipped: flips.pointer,
    addSketch: sketches.add,
    addEntries: sketches.addEntries,
    reset(): void {
      for (const sums of [gram.values, scores.values, totals, basisSketch.values]) sums.fill(0);
      flips.reset();
      squares = 0;
    },
    fill(b: number): void {
      const n = rowsIn(layout, b);
      linearPredictor(store, job.scaling, job.point, eta.pointer, b, n);
      likelihood.weights(weights.pointer, eta.pointer, n);
      kernels.fill(plain.pointer, 1, n);
      columns.forEach((j, c) => {
        kernels.affine(at(plain.pointer, c + 1), slope[j], offset[j], store.run(b, j), n);
      });
      for (let c = 0; c < basis; c++) {
        const row = at(weighted.pointer, c);
        kernels.product(row, at(plain.pointer, c), weights.pointer, n);
        kernels.exactDots(gram.pointer + 8 * basis * c, row, plain.pointer, stride, basis, n);
        totals[c] += kernels.affineDot(0, 1, row, row, n);
      }
      const residual = at(weighted.pointer, basis);
      likelihood.score(residual, eta.pointer, targetRun(store, job.scaling, target.pointer, b, n), n);
      kernels.exactDots(scores.pointer, residual, plain.pointer, stride, basis, n);
      totals[basis] += kernels.affineDot(0, 1, residual, residual, n);
      const [r, w] = [residual, weights.pointer].map((pointer) =>
        view(kernels.memory, { pointer, length: n }),
      );
      for (let i = 0; i < n; i++) if (w[i] > 0) squares += (r[i] * r[i]) / w[i];
      if (job.flips !== undefined) flips.fill(b, residual, plain.pointer, job.flips);
      if (job.sketch === 0) return;
      sketches.fill(b, w);
      for (let c = 0; c < basis; c++) {
        sketches.add(basisSketch.pointer + 8 * c * job.sketch, at(plain.pointer, c));
      }
    },
    model(): PanelModel {
      if (!job.hasIntercept) {
        for (let c = 0; c < basis; c++) gram.values[c] = gram.values[c * basis] = c === 0 ? 1 : 0;
      }
      const factor = gram.values.slice();
      for (let ridge = 1e-10; !cholesky(factor, basis) && ridge < 1; ridge *= 100) {
        factor.set(gram.values);
        for (let c = 0; c < basis; c++) factor[c * basis + c] *= 1 + ridge;
      }
      const rows = firstRow(layout, job.blocks);
      const freedom = Math.max(1, rows - basis);
      return {
        factor,
        totals,
        basisScore: scores.values.slice(),
        flips: flips.products,
        sketches: basisSketch.pointer,
        dispersion: squares / freedom,
        inflation: Math.sqrt(rows / freedom),
      };
    },
  };
}

/** The residual and its flips, with their products with the constant and the model's own columns. */
function flippedResiduals(store: Store, arena: Arena, { flips, seed }: ResidualScoresInput, basis: number) {
  const { layout, kernels } = store;
  const { stride } = layout;
  const width = flips === undefined ? 0 : FLIPS + 1;
  const { pointer } = arena.vector(Math.max(1, width) * stride);
  const products = arena.sums(Math.max(1, width * basis));
  const words = arena.vector(stride);
  return {
    pointer,
    products: products.pointer,
    reset: () => products.values.fill(0),
    /** `r` is the residual of a block, `plain` the model's columns there. */
    fill(b: number, r: number, plain: number, which: number): void {
      const n = rowsIn(layout, b);
      const rng = Rng.seeded(seed)
        .split(RUN_STREAMS.flips + which)
        .split(b);
      const bits = new Uint32Array(kernels.memory.buffer, words.pointer, n);
      for (let i = 0; i < n; i++) bits[i] = rng.uint32();
      // The residual itself comes first.
      kernels.copy(pointer, r, n);
      for (let k = 1; k < width; k++) kernels.flip(pointer + 4 * stride * k, r, words.pointer, k, n);
      for (let c = 0; c < basis; c++) {
        const to = products.pointer + 8 * width * c;
        kernels.exactDots(to, plain + 4 * stride * c, pointer, stride, width, n);
      }
    },
  };
}

/** Sums over sets of neighbouring rows, which are in random order, times random signs and the roots of the weights. */
function rowSketches(store: Store, arena: Arena, { seed, sketch, blocks }: ResidualScoresInput) {
  const { layout, kernels } = store;
  const signs = arena.vector(layout.stride);
  const places = arena.vector(sketch + 1);
  const ends = new Uint32Array(kernels.memory.buffer, places.pointer, places.length);
  /** Of every row the part that it belongs to, for those who come by entries. */
  const parts = arena.vector(layout.dense < layout.columns ? layout.stride : 0);
  const partsOf = new Uint32Array(kernels.memory.buffer, parts.pointer, parts.length);
  const rows = firstRow(layout, blocks);
  const partOf = (row: number): number => Math.floor((row * sketch) / rows);
  let [part, count] = [0, 0];
  return {
    fill(b: number, w: Float32Array): void {
      const rng = Rng.seeded(seed).split(RUN_STREAMS.sketches).split(b);
      const sign = view(kernels.memory, { ...signs, length: w.length });
      const before = firstRow(layout, b);
      part = partOf(before);
      count = partOf(before + w.length - 1) - part + 1;
      for (let s = 0; s < count; s++) {
        ends[s] = Math.min(w.length, Math.ceil(((part + s + 1) * rows) / sketch) - before);
        if (parts.length > 0) partsOf.fill(part + s, s === 0 ? 0 : ends[s - 1], ends[s]);
      }
      for (let i = 0; i < w.length; i++) sign[i] = rng.uint32() & 1 ? Math.sqrt(w[i]) : -Math.sqrt(w[i]);
    },
    /** Adds the signed sums of a column over the parts that the block has a share in to float64 sums at `out`. */
    add(out: number, run: number): void {
      kernels.stretchDots(out + 8 * part, run, signs.pointer, places.pointer, count);
    },
    /** The same of sparse columns that follow each other, by their entries alone. */
    addEntries(out: number, { ids, starts, rows: at, values, count: many, first }: EntryStretch): void {
      kernels.entryParts(out, ids, starts, at, values, many, first, signs.pointer, parts.pointer, sketch);
    },
  };
}
