/**
 * A triangular factor whose transpose L' stands in some columns of a list of rows: (L')_rc = rows[r][members[c]], c ≥ r.
 * What follows from it for A = LL', in the order of the members.
 */

export interface RowsOfFactor {
  readonly members: readonly number[];
  readonly rows: readonly Float64Array[];
}

/** Solves L'z = x in place. */
export function solveTransposed({ members, rows }: RowsOfFactor, x: Float64Array): void {
  const k = members.length;
  for (let r = k - 1; r >= 0; r--) {
    for (let c = r + 1; c < k; c++) x[r] -= rows[r][members[c]] * x[c];
    x[r] /= rows[r][members[r]];
  }
}

/** L by itself, row-major. */
export function lowerFactor({ members, rows }: RowsOfFactor): Float64Array {
  const k = members.length;
  const factor = new Float64Array(k * k);
  for (let c = 0; c < k; c++) for (let r = c; r < k; r++) factor[r * k + c] = rows[c][members[r]];
  return factor;
}

/** The diagonal of A⁻¹: (A⁻¹)_ii is the squared length of column i of L⁻¹. */
export function inverseDiagonal({ members, rows }: RowsOfFactor): Float64Array {
  const k = members.length;
  const diagonal = new Float64Array(k);
  const x = new Float64Array(k);
  for (let i = 0; i < k; i++) {
    x[i] = 1 / rows[i][members[i]];
    diagonal[i] = x[i] * x[i];
    for (let r = i + 1; r < k; r++) {
      let sum = 0;
      for (let c = i; c < r; c++) sum += rows[c][members[r]] * x[c];
      x[r] = -sum / rows[r][members[r]];
      diagonal[i] += x[r] * x[r];
    }
  }
  return diagonal;
}
