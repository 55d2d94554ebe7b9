/**
 * Large tables for the benchmarks of engines: uniform columns of standard deviation one, made of hashes of row and
 * column, and a target that eight of them explain. The same numbers wherever they are made of the same hash.
 */

/** What the target is made of: columns and coefficients, of which the last are weak. */
export const EFFECTS: readonly (readonly [number, number])[] = [
  [3, 0.5],
  [17, -0.4],
  [41, 0.3],
  [58, -0.2],
  [83, 0.1],
  [102, 0.05],
  [131, -0.02],
  [166, 0.01],
];

/** √12: a uniform number of this width has sd one. */
const WIDTH = 3.4641016151377544;

/** A table of columns x0, x1, … and y as a list of expressions, given how a hash of (row, column) is written. */
export function columnsSql(columns: number, hash: (column: number) => string, single: string): string[] {
  const uniform = (column: number) => `((${hash(column)} % 16777216) / 16777216e0 - 0.5e0) * ${WIDTH}`;
  const x = Array.from({ length: columns }, (_, j) => `${single}(${uniform(j)}) AS x${j}`);
  const signal = EFFECTS.map(([j, effect]) => `(${effect}e0) * ${uniform(j)}`).join(" + ");
  return [...x, `${single}(${signal} + ${uniform(columns)} + 1e0) AS y`];
}
