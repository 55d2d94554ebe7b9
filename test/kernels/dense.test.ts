import { describe, expect, it } from "vitest";
import { denseFactor } from "../../src/kernels/dense.js";
import { cholesky, inverse, logDeterminant } from "../../src/math/linear.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** XX' of a square X: positive definite, and about as badly conditioned as p². */
function squaresOf(p: number, rng: Rng): Float64Array {
  const x = Float64Array.from({ length: p * (p + 4) }, () => normal(rng));
  const out = new Float64Array(p * p);
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < p; j++) {
      for (let k = 0; k < p + 4; k++) out[i * p + j] += x[i * (p + 4) + k] * x[j * (p + 4) + k];
    }
  }
  return out;
}

describe.each([1, 2, 3, 4, 5, 7, 8, 12, 33, 70])("a factor of %i rows", (p) => {
  const rng = Rng.seeded(p);
  const squares = squaresOf(p, rng);
  const plus = Float64Array.from({ length: p }, () => 0.5 + rng.uniform());
  const known = squares.slice();
  for (let i = 0; i < p; i++) known[i * p + i] += plus[i];
  const lower = known.slice();
  cholesky(lower, p);
  const inverted = new Float64Array(p * p);
  inverse(inverted, lower, p);
  const scale = Math.max(...inverted.map(Math.abs));

  it("has the determinant that plain loops find", () => {
    expect(denseFactor(squares, plus)!.logDeterminant).toBeCloseTo(logDeterminant(lower, p), 10);
  });

  it("gives its inverse in any order, of all rows or some", () => {
    const all = Array.from({ length: p }, (_, i) => (i * 5 + 2) % p);
    for (const order of [all.filter((j, i) => all.indexOf(j) === i), [p - 1, 0].slice(0, p)]) {
      const { values, stride } = denseFactor(squares, plus)!.inverseOf(order);
      order.forEach((i, t) => {
        for (let u = t; u < order.length; u++) {
          expect(Math.abs(values[t * stride + u] - inverted[i * p + order[u]])).toBeLessThan(1e-12 * scale);
        }
      });
    }
  });

  it("keeps the inverse of a matrix of which one diagonal element after the other changes", () => {
    const order = Array.from({ length: p }, (_, i) => i);
    const waiting = denseFactor(squares, plus)!.inverseOf(order);
    const changed = known.slice();
    for (let t = 0; t < p; t++) {
      lower.set(changed);
      cholesky(lower, p);
      inverse(inverted, lower, p);
      for (let u = t; u < p; u++) {
        expect(Math.abs(waiting.values[t * waiting.stride + u] - inverted[t * p + u])).toBeLessThan(
          1e-10 * scale,
        );
      }
      const change = 0.3 + t / p;
      waiting.loseSquare(t, change / (1 + change * waiting.values[t * waiting.stride + t]));
      changed[t * p + t] += change;
    }
  });

  it("squares its root times a triangle", () => {
    const triangle = Float64Array.from({ length: p * p }, (_, e) =>
      e % p <= Math.floor(e / p) ? normal(rng) : 0,
    );
    const { root, square } = denseFactor(squares, plus)!.squareWith((row, i) => {
      row.set(triangle.subarray(i * p, i * p + i + 1));
    });
    const [w, s] = [root, square].map(
      ({ values, stride }) =>
        (i: number, j: number) =>
          values[i * stride + j],
    );
    const factor = known.slice();
    cholesky(factor, p);
    let largest = 0;
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) {
        // L'W = B', and S = WW'.
        let [back, sum] = [0, 0];
        for (let k = i; k < p; k++) back += factor[k * p + i] * (k <= j ? w(k, j) : 0);
        for (let k = Math.max(i, j); k < p; k++) sum += w(i, k) * w(j, k);
        expect(Math.abs(back - triangle[j * p + i])).toBeLessThan(1e-11);
        largest = Math.max(largest, Math.abs(sum));
        expect(Math.abs(sum - s(i, j))).toBeLessThan(1e-12 * (1 + largest));
      }
    }
  });
});

it("a matrix that is not positive definite has no factor", () => {
  expect(denseFactor(Float64Array.of(1, 2, 2, 1), [0, 0])).toBeUndefined();
  expect(denseFactor(Float64Array.of(1, 1, 1, 1), [0, 0])).toBeUndefined();
  expect(denseFactor(Float64Array.of(Number.NaN), [1])).toBeUndefined();
  expect(denseFactor(Float64Array.of(1, 1, 1, 1), [1e-9, 1e-9])).toBeDefined();
});
