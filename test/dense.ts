/** Dense linear algebra the slow and obvious way, for tests that must not share code with what they test. */

/** Inverse and log |determinant| by Gauss and Jordan with partial pivoting; rows of `a` are copied. */
export function invert(a: readonly (readonly number[])[]): { inverse: number[][]; logDeterminant: number } {
  const n = a.length;
  const work = a.map((row, i) => [...row, ...Array.from({ length: n }, (_, j) => (i === j ? 1 : 0))]);
  let logDeterminant = 0;
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(work[r][c]) > Math.abs(work[best][c])) best = r;
    [work[c], work[best]] = [work[best], work[c]];
    const pivot = work[c][c];
    logDeterminant += Math.log(Math.abs(pivot));
    for (let k = 0; k < 2 * n; k++) work[c][k] /= pivot;
    for (let r = 0; r < n; r++) {
      const factor = work[r][c];
      if (r === c || factor === 0) continue;
      for (let k = 0; k < 2 * n; k++) work[r][k] -= factor * work[c][k];
    }
  }
  return { inverse: work.map((row) => row.slice(n)), logDeterminant };
}

export function times(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  return a.map((row) => inner(row, b));
}

export function inner(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
