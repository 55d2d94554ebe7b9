import { describe, expect, it } from "vitest";
import {
  backSolve,
  cholesky,
  forwardSolve,
  inverse,
  logDeterminant,
  multiply,
  solve,
  squareLower,
} from "../../src/math/linear.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { symmetricEigen } from "../../src/math/symmetric-eigen.js";

const vector = (rng: Rng, n: number): Float64Array => Float64Array.from({ length: n }, () => normal(rng));

/** GGᵀ + I for a random G: positive definite, moderate condition. */
function definite(rng: Rng, n: number): Float64Array {
  const g = vector(rng, n * n);
  return Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    let sum = i === j ? 1 : 0;
    for (let l = 0; l < n; l++) sum += g[i * n + l] * g[j * n + l];
    return sum;
  });
}

function times(a: Float64Array, b: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, k) => {
    let sum = 0;
    for (let l = 0; l < n; l++) sum += a[Math.floor(k / n) * n + l] * b[l * n + (k % n)];
    return sum;
  });
}

const lower = (a: Float64Array, n: number): Float64Array =>
  a.map((x, k) => (k % n <= Math.floor(k / n) ? x : 0));
const transposed = (a: Float64Array, n: number): Float64Array =>
  a.map((_, k) => a[(k % n) * n + Math.floor(k / n)]);
const distance = (a: Float64Array, b: Float64Array): number =>
  Math.max(0, ...a.map((x, i) => Math.abs(x - b[i])));

describe("dense symmetric linear algebra", () => {
  it.each([1, 2, 5, 20])("factors, solves and inverts in dimension %i", (n) => {
    const rng = Rng.seeded(n);
    const a = definite(rng, n);
    const factor = a.slice();
    expect(cholesky(factor, n)).toBe(true);
    const l = lower(factor, n);
    const scale = Math.max(...a);
    expect(distance(times(l, transposed(l, n), n), a)).toBeLessThan(1e-14 * scale * n);

    const x = vector(rng, n);
    const b = new Float64Array(n);
    multiply(b, a, x, n, n);
    solve(factor, n, b);
    expect(distance(b, x)).toBeLessThan(1e-11);

    multiply(b, l, x, n, n);
    forwardSolve(factor, n, b);
    expect(distance(b, x)).toBeLessThan(1e-11);
    multiply(b, transposed(l, n), x, n, n);
    backSolve(factor, n, b);
    expect(distance(b, x)).toBeLessThan(1e-11);

    const inverted = new Float64Array(n * n);
    inverse(inverted, factor, n);
    const identity = a.map((_, k) => (k % n === Math.floor(k / n) ? 1 : 0));
    expect(distance(times(a, inverted, n), identity)).toBeLessThan(1e-11);
    expect(inverted).toEqual(transposed(inverted, n));

    squareLower(l, n);
    expect(distance(l, a)).toBeLessThan(1e-14 * scale * n);
  });

  it("knows the determinant of a matrix with known eigenvalues, and a product of a wide matrix", () => {
    const a = Float64Array.of(4, 1, 1, 3);
    expect(cholesky(a, 2)).toBe(true);
    expect(logDeterminant(a, 2)).toBeCloseTo(Math.log(11), 14);
    const out = new Float64Array(2);
    multiply(out, Float64Array.of(1, 2, 3, 4, 5, 6), Float64Array.of(1, 0, -1), 2, 3);
    expect(out).toEqual(Float64Array.of(-2, -2));
  });

  it("works inside a larger array by its stride", () => {
    const a = definite(Rng.seeded(3), 3);
    const wide = new Float64Array(15);
    for (let i = 0; i < 3; i++) wide.set(a.subarray(i * 3, i * 3 + 3), i * 5);
    const tight = a.slice();
    cholesky(tight, 3);
    expect(cholesky(wide, 3, 5)).toBe(true);
    expect(logDeterminant(wide, 3, 5)).toBe(logDeterminant(tight, 3));
    const x = Float64Array.of(1, 2, 3);
    const y = x.slice();
    solve(tight, 3, x);
    solve(wide, 3, y, 5);
    expect(y).toEqual(x);
  });

  it("refuses matrices that are indefinite, singular to rounding, or hold NaN or infinity", () => {
    expect(cholesky(Float64Array.of(1, 2, 2, 1), 2)).toBe(false);
    expect(cholesky(Float64Array.of(0), 1)).toBe(false);
    expect(cholesky(Float64Array.of(1, 1, 1, 1), 2)).toBe(false);
    expect(cholesky(Float64Array.of(0.1, 0.3, 0.3, 0.9), 2)).toBe(false);
    expect(cholesky(Float64Array.of(Number.NaN), 1)).toBe(false);
    expect(cholesky(Float64Array.of(Number.POSITIVE_INFINITY), 1)).toBe(false);
    // Positive definite, however badly scaled: the test is relative to the diagonal.
    expect(cholesky(Float64Array.of(1e-200, 0, 0, 1e200), 2)).toBe(true);
  });

  it("solves a Hilbert matrix with a small residual although its condition is 1e13", () => {
    const n = 10;
    const a = Float64Array.from({ length: n * n }, (_, k) => 1 / (Math.floor(k / n) + (k % n) + 1));
    const factor = a.slice();
    expect(cholesky(factor, n)).toBe(true);
    const b = new Float64Array(n).fill(1);
    const x = b.slice();
    solve(factor, n, x);
    const back = new Float64Array(n);
    multiply(back, a, x, n, n);
    // Backward stability: the residual is of the order of ε‖A‖‖x‖, whatever the condition.
    expect(distance(back, b)).toBeLessThan(n * 2 ** -52 * 2 * Math.max(...x.map(Math.abs)));
  });

  it.each([1, 2, 7, 25])("diagonalises in dimension %i: VΛVᵀ = A and VᵀV = I", (n) => {
    const rng = Rng.seeded(40 + n);
    const g = vector(rng, n * n);
    const a = g.map((x, k) => x + transposed(g, n)[k]);
    const values = a.slice();
    const v = new Float64Array(n * n);
    symmetricEigen(values, n, v);
    const diagonal = values.map((x, k) => (k % n === Math.floor(k / n) ? x : 0));
    const scale = Math.max(...a.map(Math.abs));
    expect(distance(times(times(v, diagonal, n), transposed(v, n), n), a)).toBeLessThan(
      1e-14 * n * n * scale,
    );
    const identity = a.map((_, k) => (k % n === Math.floor(k / n) ? 1 : 0));
    expect(distance(times(transposed(v, n), v, n), identity)).toBeLessThan(1e-14 * n);
  });

  it("finds known eigenvalues, with zeros and repetitions among them", () => {
    const eigenvalues = (a: number[], n: number): number[] => {
      const m = Float64Array.from(a);
      symmetricEigen(m, n);
      return Array.from({ length: n }, (_, i) => m[i * n + i]).sort((x, y) => x - y);
    };
    const close = (ours: number[], theirs: number[]): void =>
      ours.forEach((x, i) => {
        expect(Math.abs(x - theirs[i])).toBeLessThan(1e-14);
      });
    close(eigenvalues([2, 1, 1, 2], 2), [1, 3]);
    close(eigenvalues([1, 1, 1, 1, 1, 1, 1, 1, 1], 3), [0, 0, 3]);
    close(eigenvalues([0, 1, 1, 0], 2), [-1, 1]);
    close(eigenvalues([0, 0, 0, 0], 2), [0, 0]);
  });
});
