/**
 * A stand-in for the Pascal challenge data *epsilon*: features with mean zero and variance one, rows then scaled to
 * unit length, labels −1 and 1 from a logistic model with many small effects. A tenth of the features matter, with
 * normal coefficients, scaled so that the log-odds have standard deviation 4: the best possible classifier then
 * errs on about one row in seven.
 */

import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import { sample } from "../math/shuffle.js";
import type { Chunk, ColumnTable } from "../tables/table.js";

const CHUNK_ROWS = 500;
const LOG_ODDS_SD = 4;

export interface EpsilonLike {
  readonly rows: number;
  readonly columns: number;
  readonly seed: number;
  /** Both parts share coefficients; their rows are different. */
  readonly part: "train" | "test";
}

/** Columns 1, 2, … and, last, label: the names that a LIBSVM file has. */
export function epsilonLikeTable({ rows, columns, seed, part }: EpsilonLike): ColumnTable {
  const root = Rng.seeded(seed);
  const beta = coefficients(root.split(0), columns);
  const stream = root.split(part === "train" ? 1 : 2);
  return {
    by: "columns",
    name: "the simulated stand-in for epsilon",
    columns: [...Array.from({ length: columns }, (_, j) => ({ name: String(j + 1) })), { name: "label" }],
    rows,
    *chunks(wanted): Iterable<Chunk> {
      const x = Array.from({ length: columns }, () => new Float32Array(CHUNK_ROWS));
      const label = new Float32Array(CHUNK_ROWS);
      const all = [...x, label];
      for (let from = 0; from < rows; from += CHUNK_ROWS) {
        const rng = stream.split(from / CHUNK_ROWS);
        const n = Math.min(CHUNK_ROWS, rows - from);
        const squares = new Float64Array(n);
        const logOdds = new Float64Array(n);
        for (let j = 0; j < columns; j++) {
          for (let i = 0; i < n; i++) {
            const value = normal(rng);
            x[j][i] = value;
            squares[i] += value * value;
            logOdds[i] += beta[j] * value;
          }
        }
        for (let i = 0; i < n; i++) {
          const length = Math.sqrt(squares[i]);
          // After scaling to unit length a coefficient of β√p does what β did before.
          const eta = (logOdds[i] * Math.sqrt(columns)) / length;
          label[i] = rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
          for (let j = 0; j < columns; j++) x[j][i] /= length;
        }
        yield { rows: n, columns: wanted.map((c) => all[c].subarray(0, n)) };
      }
    },
  };
}

function coefficients(rng: Rng, columns: number): Float64Array {
  const chosen = new Uint32Array(Math.max(1, Math.round(columns / 10)));
  sample(rng, chosen, columns);
  const beta = new Float64Array(columns);
  for (const j of chosen) beta[j] = normal(rng);
  const length = Math.hypot(...beta);
  return beta.map((b) => (LOG_ODDS_SD * b) / length);
}
