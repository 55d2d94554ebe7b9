/**
 * Small symmetric and triangular matrices, packed by rows of the lower triangle at an offset of a longer array:
 * element (j, k), k ≤ j, is a[at + j(j+1)/2 + k]. Thousands of them sit side by side without an object each.
 */

export const packedSize = (dimension: number): number => (dimension * (dimension + 1)) / 2;

/** Where element (j, k) of a symmetric matrix is. */
export const placeOf = (j: number, k: number): number =>
  j < k ? (k * (k + 1)) / 2 + j : (j * (j + 1)) / 2 + k;

/** A → L with A = L·L′, in place. Returns whether A was positive definite; if not, `a` is spoilt. */
export function choleskyInPlace(a: Float64Array, at: number, dimension: number): boolean {
  for (let j = 0, row = at; j < dimension; row += ++j) {
    for (let k = 0, other = at; k <= j; other += ++k) {
      let sum = a[row + k];
      for (let l = 0; l < k; l++) sum -= a[row + l] * a[other + l];
      if (k < j) a[row + k] = sum / a[other + k];
      else if (sum > 0) a[row + j] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** x ← L⁻¹x */
export function solveLower(
  x: Float64Array,
  atX: number,
  l: Float64Array,
  at: number,
  dimension: number,
): void {
  for (let j = 0, row = at; j < dimension; row += ++j) {
    let sum = x[atX + j];
    for (let k = 0; k < j; k++) sum -= l[row + k] * x[atX + k];
    x[atX + j] = sum / l[row + j];
  }
}

/** x ← L⁻ᵀx */
export function solveUpper(
  x: Float64Array,
  atX: number,
  l: Float64Array,
  at: number,
  dimension: number,
): void {
  for (let j = dimension - 1, row = at + packedSize(dimension - 1); j >= 0; row -= j--) {
    const value = x[atX + j] / l[row + j];
    x[atX + j] = value;
    for (let k = 0; k < j; k++) x[atX + k] -= l[row + k] * value;
  }
}

/** out ← L⁻¹, lower triangular. */
export function invertLower(out: Float64Array, l: Float64Array, at: number, dimension: number): void {
  for (let j = 0, row = at, to = 0; j < dimension; row += j + 1, to += ++j) {
    const pivot = 1 / l[row + j];
    for (let k = 0; k < j; k++) {
      let sum = 0;
      for (let i = k, from = packedSize(k); i < j; from += ++i) sum += l[row + i] * out[from + k];
      out[to + k] = -sum * pivot;
    }
    out[to + j] = pivot;
  }
}

/** out += scale · M′M for a lower triangular M: with M = L⁻¹ this is the inverse of L·L′. */
export function addGram(
  out: Float64Array,
  at: number,
  scale: number,
  m: Float64Array,
  dimension: number,
): void {
  for (let i = 0, row = 0; i < dimension; row += ++i) {
    for (let j = 0, to = at; j <= i; to += ++j) {
      const value = scale * m[row + j];
      for (let k = 0; k <= j; k++) out[to + k] += value * m[row + k];
    }
  }
}

/** out ← M·M′ for a lower triangular M. */
export function outerOfLower(out: Float64Array, m: Float64Array, dimension: number): void {
  for (let j = 0, row = 0; j < dimension; row += ++j) {
    for (let k = 0, other = 0; k <= j; other += ++k) {
      let sum = 0;
      for (let i = 0; i <= k; i++) sum += m[row + i] * m[other + i];
      out[row + k] = sum;
    }
  }
}

/** tr(A·B) of two symmetric matrices. */
export function traceOfProduct(a: Float64Array, b: Float64Array, dimension: number): number {
  let sum = 0;
  for (let j = 0, at = 0; j < dimension; j++) {
    for (let k = 0; k <= j; k++, at++) sum += (j === k ? 1 : 2) * a[at] * b[at];
  }
  return sum;
}
