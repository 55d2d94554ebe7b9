/**
 * The paper's simulated data: predictors with mutual correlation 0.5, z_ij = √½·(e_i + w_ij), and
 * β₁ … β₅ = b, β₆ … β₈ = −b, all others 0. As a table: no row is made before it is asked for.
 *
 * - linear: y = zβ + noise, b = 1 (supplement S4.1)
 * - logistic: log-odds zβ, b = 1, and exactly every second y is a 1 (supplement S4.2). A row of the wrong class is
 *   mirrored: (−z, 1 − y) has the same law as (z, y).
 * - poisson: log-mean zβ, b = 0.3, so that means stay within a few orders of magnitude. Not in the paper.
 */

import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import { poisson } from "../math/variates.js";
import type { Chunk, ColumnTable } from "../tables/table.js";

export type SimulationKind = "linear" | "logistic" | "poisson";

export interface Simulation {
  readonly kind: SimulationKind;
  readonly rows: number;
  readonly columns: number;
  readonly seed: number;
  readonly noiseVariance?: number;
}

const EFFECT: Record<SimulationKind, number> = { linear: 1, logistic: 1, poisson: 0.3 };

/** The true coefficients: eight of them, fewer when there are fewer columns. */
export function trueCoefficients(columns: number, kind: SimulationKind = "linear"): Float64Array {
  return Float64Array.from({ length: columns }, (_, j) => (j < 5 ? 1 : j < 8 ? -1 : 0) * EFFECT[kind]);
}

const CHUNK_ROWS = 1000;
const TRUE_COLUMNS = 8;

/** Columns z1, z2, … and, last, y. */
export function simulatedTable(simulation: Simulation): ColumnTable {
  const { kind, rows, columns, seed, noiseVariance = 1 } = simulation;
  const beta = trueCoefficients(columns, kind);
  const noise = Math.sqrt(noiseVariance);
  const half = Math.SQRT1_2;
  const causes = Math.min(TRUE_COLUMNS, columns);

  return {
    by: "columns",
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
          y[i] = kind === "linear" ? noise * normal(rng) : 0;
        }
        for (let j = 0; j < columns; j++) {
          const z = store[j];
          for (let i = 0; i < n; i++) z[i] = shared[i] + half * normal(rng);
          if (beta[j] !== 0) for (let i = 0; i < n; i++) y[i] += beta[j] * z[i];
          if (j + 1 === causes) respond(rng, n, from);
        }
        const all = [...store, y];
        yield { rows: n, columns: wanted.map((c) => all[c].subarray(0, n)) };
      }

      /** From linear predictors to targets, once the columns that cause them are there. */
      function respond(rng: Rng, n: number, from: number): void {
        if (kind === "poisson") for (let i = 0; i < n; i++) y[i] = poisson(rng, Math.exp(y[i]));
        if (kind !== "logistic") return;
        for (let i = 0; i < n; i++) {
          const wanted = (from + i) % 2;
          const drawn = rng.uniform() < 1 / (1 + Math.exp(-y[i])) ? 1 : 0;
          y[i] = wanted;
          if (drawn === wanted) continue;
          shared[i] = -shared[i];
          for (let j = 0; j < causes; j++) store[j][i] = -store[j][i];
        }
      }
    },
  };
}
