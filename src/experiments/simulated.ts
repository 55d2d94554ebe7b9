/**
 * The paper's simulated data: predictors with mutual correlation 0.5, z_ij = √½·(e_i + w_ij), and
 * β₁ … β₅ = 1, β₆ … β₈ = −1, all others 0. As a table: no row is made before it is asked for.
 */

import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import type { Chunk, Table } from "../sources/table.js";

export interface Simulation {
  readonly kind: "linear";
  readonly rows: number;
  readonly columns: number;
  readonly seed: number;
  readonly noiseVariance?: number;
}

/** The true coefficients: eight of them, fewer when there are fewer columns. */
export function trueCoefficients(columns: number): Float64Array {
  return Float64Array.from({ length: columns }, (_, j) => (j < 5 ? 1 : j < 8 ? -1 : 0));
}

const CHUNK_ROWS = 1000;

/** Columns z1, z2, … and, last, y. */
export function simulatedTable(simulation: Simulation): Table {
  const { rows, columns, seed, noiseVariance = 1 } = simulation;
  const beta = trueCoefficients(columns);
  const noise = Math.sqrt(noiseVariance);
  const half = Math.SQRT1_2;

  return {
    name: "the simulated data",
    columns: [...Array.from({ length: columns }, (_, j) => ({ name: `z${j + 1}` })), { name: "y" }],
    rows,
    *chunks(wanted): Iterable<Chunk> {
      const root = Rng.seeded(seed);
      const y = new Float64Array(CHUNK_ROWS);
      const shared = new Float64Array(CHUNK_ROWS);
      const store = Array.from({ length: columns }, () => new Float32Array(CHUNK_ROWS));
      for (let from = 0; from < rows; from += CHUNK_ROWS) {
        // A stream of its own for every chunk: rows do not depend on which columns are asked for.
        const rng = root.split(from / CHUNK_ROWS);
        const n = Math.min(CHUNK_ROWS, rows - from);
        for (let i = 0; i < n; i++) {
          shared[i] = half * normal(rng);
          y[i] = noise * normal(rng);
        }
        for (let j = 0; j < columns; j++) {
          const z = store[j];
          for (let i = 0; i < n; i++) z[i] = shared[i] + half * normal(rng);
          if (beta[j] !== 0) for (let i = 0; i < n; i++) y[i] += beta[j] * z[i];
        }
        const all = [...store, y];
        yield { rows: n, columns: wanted.map((c) => all[c].subarray(0, n)) };
      }
    },
  };
}
