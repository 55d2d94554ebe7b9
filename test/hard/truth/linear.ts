/** The little linear algebra that the truth needs. */

/** L with LL' = A, lower triangular by rows; throws where A is not positive definite. */
export function choleskyOf(a: readonly (readonly number[])[]): number[][] {
  const l: number[][] = [];
  for (let i = 0; i < a.length; i++) {
    l.push([]);
    for (let j = 0; j <= i; j++) {
      let sum = a[i][j];
      for (let k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      if (i === j && !(sum > 0)) throw new Error("not positive definite");
      l[i].push(i === j ? Math.sqrt(sum) : sum / l[j][j]);
    }
  }
  return l;
}

/** L⁻¹b. */
export function forward(l: readonly (readonly number[])[], b: readonly number[]): number[] {
  const x: number[] = [];
  for (let i = 0; i < l.length; i++) {
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= l[i][k] * x[k];
    x.push(sum / l[i][i]);
  }
  return x;
}

/** L'⁻¹b. */
export function backward(l: readonly (readonly number[])[], b: readonly number[]): number[] {
  const x = [...b];
  for (let i = l.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < l.length; k++) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
  }
  return x;
}

/** The diagonal of (LL')⁻¹. */
export function inverseDiagonal(l: readonly (readonly number[])[]): number[] {
  return l.map((_, i) => {
    const unit = l.map((__, k) => (k === i ? 1 : 0));
    return forward(l, unit).reduce((sum, x) => sum + x * x, 0);
  });
}

export const logDeterminant = (l: readonly (readonly number[])[]): number =>
  2 * l.reduce((sum, row, i) => sum + Math.log(row[i]), 0);

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Less its mean, over its standard deviation (n − 1); and what one unit of that is in the units of the data. */
export function standardised(values: Float64Array): { readonly x: Float64Array; readonly sd: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const centred = values.map((value) => value - mean);
  const sd = Math.sqrt(dot(centred, centred) / (values.length - 1));
  return { x: centred.map((value) => value / sd), sd };
}
