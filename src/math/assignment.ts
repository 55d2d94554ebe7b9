/**
 * The cheapest one-to-one assignment of rows to columns of a square cost matrix, by shortest augmenting paths with
 * potentials (the Hungarian method in the form of Jonker and Volgenant 1987), O(n³). Returns the column of each row.
 */
export function assignment(cost: readonly (readonly number[])[]): number[] {
  const n = cost.length;
  // No path would be the shortest one.
  if (!cost.every((row) => row.every(Number.isFinite))) throw new RangeError("a cost is not a finite number");
  const rowPotential = new Float64Array(n + 1);
  const columnPotential = new Float64Array(n + 1);
  /** The row matched to a column, 1-based; column 0 holds the row that seeks a place. */
  const rowOf = new Int32Array(n + 1);
  const cameFrom = new Int32Array(n + 1);
  for (let row = 1; row <= n; row++) {
    rowOf[0] = row;
    const reach = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
    const done = new Uint8Array(n + 1);
    let column = 0;
    do {
      done[column] = 1;
      const from = rowOf[column];
      let shortest = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let j = 1; j <= n; j++) {
        if (done[j]) continue;
        const reduced = cost[from - 1][j - 1] - rowPotential[from] - columnPotential[j];
        if (reduced < reach[j]) {
          reach[j] = reduced;
          cameFrom[j] = column;
        }
        if (reach[j] < shortest) {
          shortest = reach[j];
          next = j;
        }
      }
      for (let j = 0; j <= n; j++) {
        if (done[j]) {
          rowPotential[rowOf[j]] += shortest;
          columnPotential[j] -= shortest;
        } else {
          reach[j] -= shortest;
        }
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      rowOf[column] = rowOf[cameFrom[column]];
      column = cameFrom[column];
    }
  }
  const columnOf = new Array<number>(n);
  for (let j = 1; j <= n; j++) columnOf[rowOf[j] - 1] = j - 1;
  return columnOf;
}
