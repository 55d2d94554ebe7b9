/**
 * Small dense symmetric linear algebra: matrices are row-major Float64Arrays of dimension n, with `stride`
 * numbers from one row to the next (n unless told). A factor L is lower triangular with A = LLᵀ; only its lower
 * triangle is ever read. Results are written in place or to `out`; no function makes an array of its own.
 */

/** A pivot below this fraction of its diagonal element is rounding error, not information. */
const SINGULAR = 2 ** -52;

/**
 * Overwrites the lower triangle of `a` by its factor. Returns false, with `a` spoilt, when a pivot is not above n
 * rounding errors of its diagonal element: the matrix is not positive definite to working precision.
 */
export function cholesky(a: Float64Array, n: number, stride = n): boolean {
  for (let first = 0; first < n; first += 4) {
    // Rows together, as far as they do not need each other.
    const together = first + 4 <= n ? first : 0;
    if (together > 0) solveFourRows(a, first, stride);
    for (let i = first; i < Math.min(n, first + 4); i++) {
      const row = i * stride;
      const diagonal = a[row + i];
      for (let j = together; j < i; j++) {
        const other = j * stride;
        a[row + j] = (a[row + j] - dot(a, row, a, other, j)) / a[other + j];
      }
      const pivot = diagonal - dot(a, row, a, row, i);
      if (!(pivot > n * SINGULAR * diagonal && pivot < Number.POSITIVE_INFINITY)) return false;
      a[row + i] = Math.sqrt(pivot);
    }
  }
  return true;
}

/** The elements before column i of rows i … i + 3 of the factor: to read a row above once for all four is what counts. */
function solveFourRows(a: Float64Array, i: number, stride: number): void {
  const [p, q, r, s] = [i * stride, (i + 1) * stride, (i + 2) * stride, (i + 3) * stride];
  for (let j = 0; j < i; j++) {
    const other = j * stride;
    let [t, u, v, w] = [0, 0, 0, 0];
    for (let k = 0; k < j; k++) {
      const value = a[other + k];
      t += a[p + k] * value;
      u += a[q + k] * value;
      v += a[r + k] * value;
      w += a[s + k] * value;
    }
    const pivot = a[other + j];
    a[p + j] = (a[p + j] - t) / pivot;
    a[q + j] = (a[q + j] - u) / pivot;
    a[r + j] = (a[r + j] - v) / pivot;
    a[s + j] = (a[s + j] - w) / pivot;
  }
}

/** x ← L⁻¹x. */
export function forwardSolve(factor: Float64Array, n: number, x: Float64Array, stride = n): void {
  for (let i = 0; i < n; i++) {
    x[i] = (x[i] - dot(factor, i * stride, x, 0, i)) / factor[i * stride + i];
  }
}

/** x ← L⁻ᵀx. */
export function backSolve(factor: Float64Array, n: number, x: Float64Array, stride = n): void {
  for (let i = n - 1; i >= 0; i--) {
    const row = i * stride;
    x[i] /= factor[row + i];
    for (let j = 0; j < i; j++) x[j] -= factor[row + j] * x[i];
  }
}

/** x ← A⁻¹x, A = LLᵀ. */
export function solve(factor: Float64Array, n: number, x: Float64Array, stride = n): void {
  forwardSolve(factor, n, x, stride);
  backSolve(factor, n, x, stride);
}

/** log |A|, A = LLᵀ. */
export function logDeterminant(factor: Float64Array, n: number, stride = n): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.log(factor[i * stride + i]);
  return 2 * sum;
}

/** out ← A⁻¹ = L⁻ᵀL⁻¹, A = LLᵀ, both triangles; `out` is not the factor. All loops run along rows. */
export function inverse(out: Float64Array, factor: Float64Array, n: number, stride = n): void {
  out.fill(0, 0, n * n);
  // L⁻¹, row by row: the rows before, combined.
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const weights = i * stride;
    let j = 0;
    for (; j + 4 <= i; j += 4) subtractFourRows(out, row, j, n, factor, weights + j);
    for (; j < i; j++) {
      const weight = factor[weights + j];
      for (let x = 0, other = j * n; x <= j; x++) out[row + x] -= weight * out[other + x];
    }
    const pivot = factor[weights + i];
    out[row + i] = 1;
    for (let x = 0; x <= i; x++) out[row + x] /= pivot;
  }
  // Its square, from the first row on: a row is needed by those before it alone, and by itself at the last.
  for (let first = 0; first < n; first += 4) {
    const together = first + 4 <= n ? first : 0;
    for (let j = 0; j < together; j++) addFourRows(out, j, first, n);
    for (let i = first; i < Math.min(n, first + 4); i++) {
      const row = i * n;
      for (let j = together; j < i; j++) {
        const weight = out[row + j];
        for (let x = 0, other = j * n; x <= j; x++) out[other + x] += weight * out[row + x];
      }
      const weight = out[row + i];
      for (let x = 0; x <= i; x++) out[row + x] *= weight;
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) out[j * n + i] = out[i * n + j];
}

/** The row at `row` less rows j … j + 3 of a lower triangle, with four weights from `at` on. */
function subtractFourRows(
  out: Float64Array,
  row: number,
  j: number,
  n: number,
  weights: Float64Array,
  at: number,
): void {
  const [a, b, c, d] = [j * n, (j + 1) * n, (j + 2) * n, (j + 3) * n];
  const [t, u, v, w] = [weights[at], weights[at + 1], weights[at + 2], weights[at + 3]];
  for (let x = 0; x <= j + 3; x++) {
    out[row + x] = out[row + x] - t * out[a + x] - u * out[b + x] - v * out[c + x] - w * out[d + x];
  }
}

/** Row j, up to its diagonal, and rows i … i + 3, each as often as it says in column j. */
function addFourRows(out: Float64Array, j: number, i: number, n: number): void {
  const row = j * n;
  const [a, b, c, d] = [i * n, (i + 1) * n, (i + 2) * n, (i + 3) * n];
  const [t, u, v, w] = [out[a + j], out[b + j], out[c + j], out[d + j]];
  for (let x = 0; x <= j; x++) {
    out[row + x] = out[row + x] + t * out[a + x] + u * out[b + x] + v * out[c + x] + w * out[d + x];
  }
}

/** out ← Ax for a matrix of any shape. */
export function multiply(
  out: Float64Array,
  a: Float64Array,
  x: Float64Array,
  rows: number,
  columns: number,
  stride = columns,
): void {
  for (let i = 0; i < rows; i++) out[i] = dot(a, i * stride, x, 0, columns);
}

/** Overwrites a lower triangular X by the whole of XXᵀ. */
export function squareLower(x: Float64Array, n: number): void {
  // From the last element backwards: element (i, j) needs only what comes before it.
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i; j >= 0; j--) x[i * n + j] = dot(x, i * n, x, j * n, j + 1);
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) x[j * n + i] = x[i * n + j];
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number, n: number): number {
  let sum = 0;
  for (let k = 0; k < n; k++) sum += a[i + k] * b[j + k];
  return sum;
}
