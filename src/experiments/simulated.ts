/**
 * The paper's simulated data: predictors with mutual correlation 0.5, z_ij = √½·(e_i + w_ij), and
 * β₁ … β₅ = b, β₆ … β₈ = −b, all others 0. As a table: no row is made before it is asked for.
 *
 * - linear: y = zβ + noise, b = 1 (supplement S4.1)
 * - logistic: log-odds zβ, b = 1, and exactly every second y is a 1 (supplement S4.2). A row of the wrong class is
 *   mirrored: (−z, 1 − y) has the same law as (z, y).
 * - poisson: log-mean zβ, b = 0.3, so that means stay within a few orders of magnitude. Not in the paper.
 */

import { binomial } from "../families/binomial.js";
import type { Family } from "../families/family.js";
import { gaussian } from "../families/gaussian.js";
import { poisson } from "../families/poisson.js";
import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import type { Chunk, ColumnTable } from "../tables/table.js";

export interface SimulatedStudy {
  readonly family: Family;
  /** b. */
  readonly effect: number;
  /** Whether exactly every second target is a 1. */
  readonly balanced: boolean;
}

export const SIMULATIONS = {
  linear: { family: gaussian, effect: 1, balanced: false },
  logistic: { family: binomial, effect: 1, balanced: true },
  poisson: { family: poisson, effect: 0.3, balanced: false },
} satisfies Readonly<Record<string, SimulatedStudy>>;

export type SimulationKind = keyof typeof SIMULATIONS;

export interface Simulation {
  /** The law of the target. */
  readonly kind: SimulationKind;
  /** How many. */
  readonly rows: number;
  /** Predictors, the first eight of which matter. */
  readonly columns: number;
  /** Of the random numbers. */
  readonly seed: number;
  /** Of a linear target; 1 unless told. */
  readonly noiseVariance?: number;
}

/** The true coefficients: eight of them, fewer when there are fewer columns. */
export function trueCoefficients(columns: number, kind: SimulationKind = "linear"): Float64Array {
  return Float64Array.from(
    { length: columns },
    (_, j) => (j < 5 ? 1 : j < 8 ? -1 : 0) * SIMULATIONS[kind].effect,
  );
}

/** Every chunk of rows has a random stream of its own. */
export const CHUNK_ROWS = 1000;
export const TRUE_COLUMNS = 8;

/** Columns z1, z2, … and, last, y. */
export function simulatedTable(simulation: Simulation): ColumnTable {
  const { kind, rows, columns, seed, noiseVariance = 1 } = simulation;
  const study: SimulatedStudy = SIMULATIONS[kind];
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
          y[i] = study.family.noise ? noise * normal(rng) : 0;
        }
        for (let j = 0; j < columns; j++) {
          const z = store[j];
          for (let i = 0; i < n; i++) z[i] = shared[i] + half * normal(rng);
          if (beta[j] !== 0) for (let i = 0; i < n; i++) y[i] += beta[j] * z[i];
          if (j + 1 === causes)
            respond(study, rng, { first: from, rows: n, y, shared, causes: store.slice(0, causes) });
        }
        const all = [...store, y];
        yield { rows: n, columns: wanted.map((c) => all[c].subarray(0, n)) };
      }
    },
  };
}

/** Rows of which the columns that cause the target have been drawn. */
export interface CausedRows {
  /** The number of the first among all rows. */
  readonly first: number;
  readonly rows: number;
  /** Linear predictors, which become targets. */
  readonly y: Float64Array;
  /** What all columns have in common. */
  readonly shared: Float64Array;
  readonly causes: readonly Float32Array[];
}

/** From linear predictors to targets, once the columns that cause them are there. */
export function respond({ family, balanced }: SimulatedStudy, rng: Rng, drawn: CausedRows): void {
  if (family.noise) return;
  const { first, rows, y, shared, causes } = drawn;
  for (let i = 0; i < rows; i++) {
    const own = family.draw(rng, y[i], 1);
    const wanted = balanced ? (first + i) % 2 : own;
    y[i] = wanted;
    if (own === wanted) continue;
    shared[i] = -shared[i];
    for (const z of causes) z[i] = -z[i];
  }
}
