/** Rows of a dense shape, a thousand at a time, and of each thousand some columns at a time: memory stays bounded. */

import { ChunkDraws, DRAWS_END } from "../../src/experiments/simulate/chunk-draws.js";
import { CHUNK_ROWS } from "../../src/experiments/simulated.js";
import { simulationRoom } from "../../src/kernels/simulation.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { type Shape, truth } from "./shapes.js";

export interface DrawnRows {
  /** Number of the first row. */
  readonly first: number;
  readonly rows: number;
  readonly y: Float64Array;
  /** All columns in turn, each good until the next is asked for. */
  columns(): Iterable<Float32Array>;
}

/** Columns that are drawn at once. */
const PANEL = 1000;

/** So many rows of the law of the shape; another seed, other rows. */
export function denseRows(shape: Shape, rows: number, seed: number): Iterable<DrawnRows> {
  return shape.law.kind === "blocks" ? blockRows(shape, rows, seed) : paperRows(shape, rows, seed);
}

function* paperRows({ law, columns }: Shape, rows: number, seed: number): Iterable<DrawnRows> {
  const rare = law.kind === "rare" ? law : undefined;
  const kind = law.kind === "paper" ? law.target : "linear";
  const draws = new ChunkDraws({ kind, rows, columns, seed, ...(rare && { noiseVariance: 0 }) });
  const room = simulationRoom();
  const out = room.free + DRAWS_END;
  const coins = Rng.seeded(seed).split(2 ** 31);
  const stride = 4 * CHUNK_ROWS;
  for (let first = 0; first < rows; first += CHUNK_ROWS) {
    draws.begin(first / CHUNK_ROWS);
    const y = draws.target.slice();
    if (rare) {
      for (let i = 0; i < y.length; i++) {
        const odds = Math.exp(rare.level + rare.effect * y[i]);
        y[i] = coins.uniform() < odds / (1 + odds) ? 1 : 0;
      }
    }
    yield {
      first,
      rows: y.length,
      y,
      *columns() {
        for (let from = 0; from < columns; from += PANEL) {
          const count = Math.min(PANEL, columns - from);
          const buffer = room.buffer(DRAWS_END + count * stride);
          draws.next(out, stride, count);
          for (let j = 0; j < count; j++) yield new Float32Array(buffer, out + j * stride, y.length);
        }
      },
    };
  }
}

/** x = √ρ·f + √(1 − ρ)·w, with one f for every block. */
function* blockRows(shape: Shape, rows: number, seed: number): Iterable<DrawnRows> {
  const { law, columns } = shape;
  if (law.kind !== "blocks") throw new RangeError(`The shape ${shape.name} has no blocks.`);
  const root = Rng.seeded(seed);
  const [common, own] = [Math.sqrt(law.correlation), Math.sqrt(1 - law.correlation)];
  const model = truth(shape);
  const effects = new Map(model.columns.map((j, k) => [j, model.values[k]]));
  const x = Array.from({ length: columns }, () => new Float32Array(CHUNK_ROWS));
  for (let first = 0; first < rows; first += CHUNK_ROWS) {
    const rng = root.split(first / CHUNK_ROWS);
    const n = Math.min(CHUNK_ROWS, rows - first);
    const y = Float64Array.from({ length: n }, () => normal(rng));
    let shared = new Float64Array(n);
    for (let j = 0; j < columns; j++) {
      if (j % law.size === 0) shared = shared.map(() => common * normal(rng));
      for (let i = 0; i < n; i++) x[j][i] = shared[i] + own * normal(rng);
      const effect = effects.get(j);
      if (effect !== undefined) for (let i = 0; i < n; i++) y[i] += effect * x[j][i];
    }
    yield { first, rows: n, y, columns: () => x.map((column) => column.subarray(0, n)) };
  }
}
