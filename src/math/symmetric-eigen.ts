/**
 * Eigenvalues of a symmetric matrix by cyclic Jacobi rotations (Golub and Van Loan, section 8.5). On return the
 * diagonal of `a` holds the eigenvalues, in no order; `vectors`, when given, holds the eigenvector of the k-th in
 * its k-th column.
 */
export function symmetricEigen(a: Float64Array, n: number, vectors?: Float64Array): void {
  if (vectors) {
    vectors.fill(0, 0, n * n);
    for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  }
  // Convergence is quadratic; ten sweeps are ample for n in the hundreds.
  for (let sweep = 0; sweep < 30; sweep++) {
    let rotated = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const apq = a[p * n + q];
        const app = a[p * n + p];
        const aqq = a[q * n + q];
        if (Math.abs(apq) <= 2 ** -54 * Math.sqrt(Math.abs(app)) * Math.sqrt(Math.abs(aqq))) continue;
        if (Math.abs(apq) < Number.MIN_VALUE * 2 ** 60) continue;
        rotated = true;
        const tau = (aqq - app) / (2 * apq);
        const t = Math.sign(tau || 1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
        const c = 1 / Math.sqrt(1 + t * t);
        const s = t * c;
        for (let k = 0; k < n; k++) rotate(a, k * n + p, k * n + q, c, s);
        for (let k = 0; k < n; k++) rotate(a, p * n + k, q * n + k, c, s);
        if (vectors) for (let k = 0; k < n; k++) rotate(vectors, k * n + p, k * n + q, c, s);
      }
    }
    if (!rotated) return;
  }
}

function rotate(a: Float64Array, i: number, j: number, c: number, s: number): void {
  const x = a[i];
  const y = a[j];
  a[i] = c * x - s * y;
  a[j] = s * x + c * y;
}
