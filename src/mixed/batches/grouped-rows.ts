/** The rows of one grouping, level after level, as plain data: what a mini-batch of levels reads. */

import type { FamilyName } from "../../families/register.js";
import { columnOf, type RowsPriors, type RowsProblem, type RowsTerm } from "../rows/problem.js";

export interface GroupedRows {
  readonly family: FamilyName;
  /** Levels of the grouping, fixed and random effects. */
  readonly groups: number;
  readonly p: number;
  readonly q: number;
  /** Rows of level i are [starts[i], starts[i + 1]). */
  readonly starts: Int32Array;
  /** Row after row: p and q numbers. */
  readonly x: Float64Array;
  readonly z: Float64Array;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
  readonly priors: RowsPriors;
  readonly resolutions: RowsTerm["resolutions"];
}

export function groupedRows(problem: RowsProblem): GroupedRows {
  const { terms, rows, fixed, y, weights, offset, family, priors } = problem;
  const [{ codes, levels, columns, resolutions }] = terms;
  const starts = new Int32Array(levels + 1);
  for (let i = 0; i < rows; i++) starts[codes[i] + 1]++;
  for (let j = 0; j < levels; j++) starts[j + 1] += starts[j];
  const next = starts.slice();
  const place = Int32Array.from(codes, (code) => next[code]++);
  const sorted = (values: Float64Array): Float64Array => {
    const out = new Float64Array(rows);
    for (let i = 0; i < rows; i++) out[place[i]] = values[i];
    return out;
  };
  const byRow = (places: readonly number[]): Float64Array => {
    const out = new Float64Array(rows * places.length);
    places.forEach((at, j) => {
      const column = columnOf(problem, at);
      for (let i = 0; i < rows; i++) out[place[i] * places.length + j] = column ? column[i] : 1;
    });
    return out;
  };
  return {
    family,
    groups: levels,
    p: fixed.length,
    q: columns.length,
    starts,
    x: byRow(fixed),
    z: byRow(columns),
    y: sorted(y),
    weights: weights && sorted(weights),
    offset: offset && sorted(offset),
    priors,
    resolutions,
  };
}
