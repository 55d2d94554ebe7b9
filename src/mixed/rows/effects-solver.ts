/**
 * H = Z′VZ + blocks of Σ_t⁻¹, the precision of the effects of all terms together: its determinant, and H⁻¹g. Levels of one
 * term do not see each other, so that those of the largest are eliminated one by one (Schur); what is left, the effects of
 * all other terms, is a dense matrix.
 */

import { cholesky, logDeterminant, solve } from "../../math/linear.js";
import { choleskyInPlace, packedSize, placeOf, solveLower, solveUpper } from "../../math/packed.js";
import { columnOf, type RowsProblem, type RowsTerm } from "./problem.js";

export interface FactoredEffects {
  readonly logDeterminant: number;
  /** H⁻¹g, term after term. */
  solve(g: readonly Float64Array[]): Float64Array[];
}

/** Effects that may be left when the largest term is gone: 2000³/3 products take some three seconds. */
const MOST = 2000;

/** A level of the largest term: the factor R of its own block, and R⁻¹ times the columns of the effects that it meets. */
interface Level {
  readonly factor: Float64Array;
  readonly met: readonly number[];
  readonly columns: Float64Array;
}

/** From minus the curvatures of the rows, and all Σ_t⁻¹; undefined where what is left would be too much. */
export function effectsSolver(
  problem: RowsProblem,
): ((bends: Float64Array, inverses: readonly Float64Array[]) => FactoredEffects | undefined) | undefined {
  const { terms, rows } = problem;
  const sizes = terms.map(({ levels, columns }) => levels * columns.length);
  const first = sizes.indexOf(Math.max(...sizes));
  const others = terms.flatMap((_, t) => (t === first ? [] : [t]));
  const from = new Map<number, number>();
  let size = 0;
  for (const t of others) {
    from.set(t, size);
    size += sizes[t];
  }
  if (size > MOST) return undefined;
  const inOrder = rowsByLevel(terms[first], rows);

  return (bends, inverses) => {
    const dense = new Float64Array(size * size);
    for (const t of others) addBlocks(dense, size, from.get(t) as number, terms[t], inverses[t]);
    const meeting = meetings(problem, others, from);
    for (let i = 0; i < rows; i++) {
      const { places, values } = meeting(i);
      for (let a = 0; a < places.length; a++) {
        for (let b = 0; b < places.length; b++) {
          if (places[b] <= places[a]) dense[places[a] * size + places[b]] += bends[i] * values[a] * values[b];
        }
      }
    }
    const eliminated = eliminate(problem, terms[first], inverses[first], { inOrder, bends, meeting, size });
    let logs = 0;
    for (const { factor, met, columns } of eliminated) {
      const q = terms[first].columns.length;
      for (let k = 0; k < q; k++) logs += 2 * Math.log(factor[placeOf(k, k)]);
      for (let a = 0; a < met.length; a++) {
        for (let b = 0; b < met.length; b++) {
          if (met[b] > met[a]) continue;
          let sum = 0;
          for (let k = 0; k < q; k++) sum += columns[a * q + k] * columns[b * q + k];
          dense[met[a] * size + met[b]] -= sum;
        }
      }
    }
    if (!cholesky(dense, size)) return undefined;
    return {
      logDeterminant: logs + logDeterminant(dense, size),
      solve: (g) => solved(g, { first, others, eliminated, dense, size }),
    };
  };
}

interface Eliminated {
  readonly first: number;
  readonly others: readonly number[];
  readonly eliminated: readonly Level[];
  readonly dense: Float64Array;
  readonly size: number;
}

function solved(g: readonly Float64Array[], { first, others, eliminated, dense, size }: Eliminated) {
  const out = g.map((values) => values.slice());
  const q = out[first].length / eliminated.length;
  const rest = Float64Array.from(others.flatMap((t) => Array.from(g[t])));
  eliminated.forEach(({ factor, met, columns }, j) => {
    solveLower(out[first], j * q, factor, 0, q);
    met.forEach((place, a) => {
      for (let k = 0; k < q; k++) rest[place] -= columns[a * q + k] * out[first][j * q + k];
    });
  });
  solve(dense, size, rest);
  let at = 0;
  for (const t of others) {
    out[t].set(rest.subarray(at, at + out[t].length));
    at += out[t].length;
  }
  eliminated.forEach(({ factor, met, columns }, j) => {
    met.forEach((place, a) => {
      for (let k = 0; k < q; k++) out[first][j * q + k] -= columns[a * q + k] * rest[place];
    });
    solveUpper(out[first], j * q, factor, 0, q);
  });
  return out;
}

/** The effects of the other terms that a row has a part in, and by how much. */
function meetings(problem: RowsProblem, others: readonly number[], from: ReadonlyMap<number, number>) {
  const parts = others.flatMap((t) => {
    const { codes, columns } = problem.terms[t];
    const start = from.get(t) as number;
    return columns.map((column, k) => ({
      codes,
      q: columns.length,
      start: start + k,
      z: columnOf(problem, column),
    }));
  });
  const places = new Int32Array(parts.length);
  const values = new Float64Array(parts.length);
  return (i: number) => {
    parts.forEach(({ codes, q, start, z }, a) => {
      places[a] = start + codes[i] * q;
      values[a] = z ? z[i] : 1;
    });
    return { places, values };
  };
}

interface Rows {
  readonly inOrder: ReturnType<typeof rowsByLevel>;
  readonly bends: Float64Array;
  readonly meeting: ReturnType<typeof meetings>;
  readonly size: number;
}

function eliminate(problem: RowsProblem, term: RowsTerm, inverse: Float64Array, rows: Rows): Level[] {
  const { inOrder, bends, meeting, size } = rows;
  const q = term.columns.length;
  const own = term.columns.map((column) => columnOf(problem, column));
  const place = new Int32Array(size).fill(-1);
  return Array.from({ length: term.levels }, (_, j): Level => {
    const factor = inverse.slice(0, packedSize(q));
    const met: number[] = [];
    const products: number[] = [];
    for (let at = inOrder.starts[j]; at < inOrder.starts[j + 1]; at++) {
      const i = inOrder.order[at];
      const z = own.map((column) => (column ? column[i] : 1));
      for (let k = 0; k < q; k++) {
        for (let l = 0; l <= k; l++) factor[placeOf(k, l)] += bends[i] * z[k] * z[l];
      }
      const { places, values } = meeting(i);
      for (let a = 0; a < places.length; a++) {
        if (place[places[a]] < 0) {
          place[places[a]] = met.length;
          met.push(places[a]);
          for (let k = 0; k < q; k++) products.push(0);
        }
        const column = place[places[a]] * q;
        for (let k = 0; k < q; k++) products[column + k] += bends[i] * z[k] * values[a];
      }
    }
    choleskyInPlace(factor, 0, q);
    const columns = Float64Array.from(products);
    for (let a = 0; a < met.length; a++) {
      solveLower(columns, a * q, factor, 0, q);
      place[met[a]] = -1;
    }
    return { factor, met, columns };
  });
}

/** Places of the rows, level after level, and where each level begins. */
function rowsByLevel({ codes, levels }: RowsTerm, rows: number): { order: Int32Array; starts: Int32Array } {
  const starts = new Int32Array(levels + 1);
  for (let i = 0; i < rows; i++) starts[codes[i] + 1]++;
  for (let j = 0; j < levels; j++) starts[j + 1] += starts[j];
  const next = starts.slice();
  const order = new Int32Array(rows);
  for (let i = 0; i < rows; i++) order[next[codes[i]]++] = i;
  return { order, starts };
}

/** dense += Σ⁻¹ for every level, from a place on. */
function addBlocks(
  dense: Float64Array,
  size: number,
  from: number,
  { levels, columns }: RowsTerm,
  inverse: Float64Array,
): void {
  const q = columns.length;
  for (let j = 0, at = from; j < levels; j++, at += q) {
    for (let k = 0; k < q; k++) {
      for (let l = 0; l <= k; l++) dense[(at + k) * size + at + l] += inverse[placeOf(k, l)];
    }
  }
}
