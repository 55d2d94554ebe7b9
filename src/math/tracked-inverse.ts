/**
 * The inverse of a symmetric matrix A, by rows, kept up while A grows or loses a row and column: O(k²) each, where
 * working it out takes O(k³). Rounding piles up, so whoever uses it works it out anew now and then.
 */

/**
 * A gets a last column c, of which its pivot d = a − c'A⁻¹c is known. With w = A⁻¹c the inverse becomes A⁻¹ + ww'/d,
 * bordered by −w/d and 1/d.
 */
export function border(inverse: Float64Array[], c: Float64Array, d: number): void {
  const k = inverse.length;
  const w = inverse.map((row) => {
    let sum = 0;
    for (let b = 0; b < k; b++) sum += row[b] * c[b];
    return sum;
  });
  for (let a = 0; a < k; a++) {
    const row = new Float64Array(k + 1);
    for (let b = 0; b < k; b++) row[b] = inverse[a][b] + (w[a] * w[b]) / d;
    row[k] = -w[a] / d;
    inverse[a] = row;
  }
  const last = Float64Array.from({ length: k + 1 }, (_, b) => (b < k ? -w[b] / d : 1 / d));
  inverse.push(last);
}

/** A loses a row and column: with i its place, the rest of A⁻¹ loses its part along column i. */
export function shrink(inverse: Float64Array[], i: number): void {
  const [out] = inverse.splice(i, 1);
  const k = inverse.length;
  for (let a = 0; a < k; a++) {
    const row = inverse[a];
    const share = row[i] / out[i];
    for (let b = 0; b < k; b++) {
      const from = b < i ? b : b + 1;
      row[b] = row[from] - share * out[from];
    }
  }
}
