/** Mini-batches: some of the rows of a store, with the three verbs that models are written in. */

import type { Kernels } from "../../kernels/interface.js";
import type { Rng } from "../../math/rng.js";
import { sample } from "../../math/shuffle.js";
import type { Batch, Vector } from "../../types.js";
import { blockOf, firstRow, rowsIn } from "../layout/layout.js";
import type { Entries } from "../layout/sparse-block.js";
import type { Store } from "../store.js";
import { type Arena, view } from "./arena.js";
import { panelProducts, stripOf } from "./passes.js";
import type { Scaling } from "./scaling.js";
import { asSeen, type WeighedRows, weightedSums } from "./weighted-sums.js";

/** Draws mini-batches. The batch it returns is valid until the next draw. */
export interface Batches<B extends Batch = Batch> {
  draw(rng: Rng): B;
}

/** Whole blocks, of which all columns can be read one after the other. */
export interface BlockBatch extends Batch {
  /** ⟨x_j, r⟩ of every column. */
  dots(r: Vector): Float64Array;
  /** Of every column x_j with a residual r and weights w of the rows: ⟨x_j, r⟩, ⟨x_j, w⟩ and ⟨x_j², w⟩, three a column. */
  newton(r: Vector, w: Vector): Float64Array;
}

/**
 * `count` whole blocks, uniformly without replacement. Each block is in with probability count/blocks, so the
 * weight blocks/count makes sums exactly unbiased even where blocks differ by a row.
 */
export function blockBatches(
  store: Store,
  scaling: Scaling,
  arena: Arena,
  count: number,
): Batches<BlockBatch> {
  const { layout, kernels } = store;
  const target = arena.vector(count * layout.stride);
  const chosen = new Uint32Array(count);
  const start = new Uint32Array(count + 1);
  const { slope, offset } = scaling;
  const sums = columnSums(store, scaling, arena);

  /** Of the blocks that are drawn, where their rows have a residual and weights. */
  const chosenRows = (r: Vector, w = r): WeighedRows[] =>
    Array.from(chosen, (block, i) => {
      const at = ({ pointer }: Vector): number => pointer + 4 * start[i];
      return { block, residual: at(r), weights: at(w) };
    });
  const batch = {
    rows: 0,
    weight: layout.blocks / count,
    target,
    axpy(out: Vector, a: number, j: number): void {
      for (let i = 0; i < count; i++) {
        const from = start[i];
        const at = out.pointer + 4 * from;
        const entries = store.entries(chosen[i], j);
        if (entries) {
          // A coefficient of 0 makes any numbers do for the constant part.
          if (offset[j] !== 0) kernels.affineAxpy(at, 0, a * offset[j], target.pointer, start[i + 1] - from);
          kernels.scatterAxpy(at, a * slope[j], entries.rows, entries.values, entries.count);
        } else {
          kernels.affineAxpy(at, a * slope[j], a * offset[j], store.run(chosen[i], j), start[i + 1] - from);
        }
      }
    },
    dot(j: number, r: Vector): number {
      let total = 0;
      for (let i = 0; i < count; i++) {
        const from = start[i];
        const at = r.pointer + 4 * from;
        const entries = store.entries(chosen[i], j);
        if (entries) {
          total += slope[j] * kernels.gatherDot(entries.rows, entries.values, at, entries.count);
          if (offset[j] !== 0)
            total += kernels.affineDot(0, offset[j], target.pointer, at, start[i + 1] - from);
        } else
          total += kernels.affineDot(slope[j], offset[j], store.run(chosen[i], j), at, start[i + 1] - from);
      }
      return total;
    },
    square(j: number, w: Vector): number {
      let total = 0;
      for (let i = 0; i < count; i++) {
        const n = start[i + 1] - start[i];
        const at = w.pointer + 4 * start[i];
        const entries = store.entries(chosen[i], j);
        if (entries) total += sparseSquare(j, entries, at, n);
        else total += squareOf(kernels, scaling, j, store.run(chosen[i], j), at, n);
      }
      return total;
    },
    dots: (r: Vector): Float64Array => sums.dots(chosenRows(r)),
    newton: (r: Vector, w: Vector): Float64Array => sums.newton(chosenRows(r, w)),
  };

  /** Σ w(su + o)² = s·Σ wu(su + 2o) + o²·Σ w, the first over the entries alone. */
  function sparseSquare(j: number, { rows, values, count: entered }: Entries, w: number, n: number): number {
    const [u, rowsOf, weights] = [
      new Float32Array(kernels.memory.buffer, values, entered),
      new Uint32Array(kernels.memory.buffer, rows, entered),
      new Float32Array(kernels.memory.buffer, w, n),
    ];
    let sum = 0;
    for (let e = 0; e < entered; e++) sum += weights[rowsOf[e]] * u[e] * (slope[j] * u[e] + 2 * offset[j]);
    const constant = offset[j] === 0 ? 0 : kernels.affineDot(0, offset[j] ** 2, w, w, n);
    return slope[j] * sum + constant;
  }

  return {
    draw(rng) {
      sample(rng, chosen, layout.blocks);
      for (let i = 0; i < count; i++) start[i + 1] = start[i] + rowsIn(layout, chosen[i]);
      batch.rows = start[count];
      kernels.fill(target.pointer, scaling.target.offset, batch.rows);
      for (let i = 0; i < count; i++) {
        const run = store.run(chosen[i], layout.columns);
        kernels.affineAxpy(
          target.pointer + 4 * start[i],
          scaling.target.slope,
          0,
          run,
          start[i + 1] - start[i],
        );
      }
      return batch;
    },
  };
}

/** Sums over all columns and some blocks, made ready when they are first asked for. */
function columnSums(store: Store, scaling: Scaling, arena: Arena) {
  type Sums = (blocks: readonly WeighedRows[]) => Float64Array;
  let [dots, newton]: (Sums | undefined)[] = [];
  return {
    dots(blocks: readonly WeighedRows[]): Float64Array {
      dots ??= residualSums(store, scaling, arena);
      return dots(blocks);
    },
    newton(blocks: readonly WeighedRows[]): Float64Array {
      newton ??= newtonSums(store, scaling, arena);
      return newton(blocks);
    },
  };
}

/**
 * Of every column as the model sees it: Σ x·r over the rows of some blocks, one block after the other: columns are
 * neighbours there, and are read at twice the speed of going through all blocks for each.
 */
function residualSums(store: Store, { slope, offset }: Scaling, arena: Arena) {
  const { kernels, layout } = store;
  const { columns } = layout;
  const { pointer, values } = arena.sums(columns);
  const products = panelProducts(store, arena, 1);
  return (blocks: readonly WeighedRows[]): Float64Array => {
    values.fill(0);
    let total = 0;
    for (const { block, residual } of blocks) {
      products.take(block, residual);
      products.add(pointer, 0, columns);
      total += kernels.affineDot(0, 1, residual, residual, rowsIn(layout, block));
    }
    return values.map((sum, j) => slope[j] * sum + offset[j] * total);
  };
}

/** Of every column as the model sees it: Σ x·r, Σ x·w and Σ x²·w over the rows of some blocks. */
function newtonSums(store: Store, { slope, offset }: Scaling, arena: Arena) {
  const { kernels, layout } = store;
  const { columns } = layout;
  // About its zero a column has no sum that cancels.
  const centres = Float32Array.from({ length: columns }, (_, j) =>
    slope[j] === 0 ? 0 : -offset[j] / slope[j],
  );
  const add = weightedSums(store, arena, centres);
  const strip = Math.min(columns, stripOf(layout, 24));
  const { pointer, values } = arena.sums(3 * strip);
  return (blocks: readonly WeighedRows[]): Float64Array => {
    const out = new Float64Array(3 * columns);
    const total = (of: "residual" | "weights"): number =>
      blocks.reduce((sum, rows) => {
        return sum + kernels.affineDot(0, 1, rows[of], rows[of], rowsIn(layout, rows.block));
      }, 0);
    const rows = { residual: total("residual"), weight: total("weights") };
    for (let from = 0; from < columns; from += strip) {
      const to = Math.min(columns, from + strip);
      values.fill(0);
      for (const some of blocks) add(pointer, some, from, to);
      for (let j = from; j < to; j++) {
        const [residual, weight, square] = values.subarray(3 * (j - from));
        const scale = { slope: slope[j], offset: offset[j], centre: centres[j] };
        const seen = asSeen({ residual, weight, square }, rows, scale);
        out[3 * j] = seen.residual;
        out[3 * j + 1] = seen.weight;
        out[3 * j + 2] = seen.square;
      }
    }
    return out;
  };
}

/**
 * `count` single rows, with or without replacement: step (i) of Algorithm 1 to the letter. Columns are gathered
 * row by row, which is several times slower than reading blocks; the answers are the same.
 */
export function rowBatches(
  store: Store,
  scaling: Scaling,
  arena: Arena,
  count: number,
  replacement: boolean,
): Batches {
  const { layout, kernels } = store;
  const target = arena.vector(count);
  const gathered = view(kernels.memory, arena.vector(count));
  const targets = view(kernels.memory, target);
  const rows = new Uint32Array(count);
  const block = new Uint32Array(count);
  const within = new Uint32Array(count);
  const { slope, offset } = scaling;
  const column = (j: number): Float32Array => {
    const numbers = new Float32Array(kernels.memory.buffer);
    for (let i = 0; i < count; i++) gathered[i] = numbers[store.run(block[i], j) / 4 + within[i]];
    return gathered;
  };

  const batch: Batch = {
    rows: count,
    weight: layout.rows / count,
    target,
    axpy(out, a, j) {
      kernels.affineAxpy(out.pointer, a * slope[j], a * offset[j], column(j).byteOffset, count);
    },
    dot: (j, r) => kernels.affineDot(slope[j], offset[j], column(j).byteOffset, r.pointer, count),
    square: (j, w) => squareOf(kernels, scaling, j, column(j).byteOffset, w.pointer, count),
  };

  return {
    draw(rng) {
      if (replacement) for (let i = 0; i < count; i++) rows[i] = rng.below(layout.rows);
      else sample(rng, rows, layout.rows);
      for (let i = 0; i < count; i++) {
        block[i] = blockOf(layout, rows[i]);
        within[i] = rows[i] - firstRow(layout, block[i]);
      }
      const stored = column(layout.columns);
      for (let i = 0; i < count; i++) targets[i] = scaling.target.slope * stored[i] + scaling.target.offset;
      return batch;
    },
  };
}

/** Σ w(su + o)², s being the slope of column j and o its offset. */
function squareOf(
  kernels: Kernels,
  { slope, offset }: Scaling,
  j: number,
  run: number,
  w: number,
  n: number,
): number {
  if (slope[j] === 0) return kernels.affineDot(0, offset[j] ** 2, w, w, n);
  return slope[j] ** 2 * kernels.weightedSquare(-offset[j] / slope[j], run, w, n);
}
