import { expect, it } from "vitest";
import {
  addGram,
  choleskyInPlace,
  invertLower,
  outerOfLower,
  packedSize,
  placeOf,
  solveLower,
  solveUpper,
  traceOfProduct,
} from "../../src/math/packed.js";

/** A = L·L′ with L = [[2], [1, 3], [−1, 2, 1]], after three numbers that belong to somebody else. */
const factor = [2, 1, 3, -1, 2, 1];
const matrix = [4, 2, 10, -2, 5, 6];
const at = 3;

it("factors, in the middle of an array, and leaves the rest alone", () => {
  const a = Float64Array.of(7, 8, 9, ...matrix, 10);
  expect(choleskyInPlace(a, at, 3)).toBe(true);
  expect([...a]).toEqual([7, 8, 9, ...factor, 10]);
});

it("says when a matrix is not positive definite", () => {
  expect(choleskyInPlace(Float64Array.of(1, 2, 1), 0, 2)).toBe(false);
  expect(choleskyInPlace(Float64Array.of(Number.NaN), 0, 1)).toBe(false);
});

it("solves with the factor and with its transpose", () => {
  const l = Float64Array.of(0, 0, 0, ...factor);
  const x = Float64Array.of(5, 2, 7, 4);
  solveLower(x, 1, l, at, 3);
  expect([...x]).toEqual([5, 1, 2, 1]);
  solveUpper(x, 1, l, at, 3);
  // L′x = (1, 2, 1)′: x₃ = 1, x₂ = 0, x₁ = (1 − 0 + 1)/2.
  expect([...x]).toEqual([5, 1, 0, 1]);
});

it("inverts: the Gram matrix of L⁻¹ is A⁻¹", () => {
  const inverse = new Float64Array(packedSize(3));
  invertLower(inverse, Float64Array.of(0, 0, 0, ...factor), at, 3);
  const out = new Float64Array(packedSize(3));
  addGram(out, 0, 1, inverse, 3);
  for (let j = 0; j < 3; j++) {
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += matrix[placeOf(j, i)] * out[placeOf(i, k)];
      expect(sum).toBeCloseTo(Number(j === k), 12);
    }
  }
  expect(traceOfProduct(Float64Array.from(matrix), out, 3)).toBeCloseTo(3, 12);
});

it("multiplies a factor out", () => {
  const out = new Float64Array(packedSize(3));
  outerOfLower(out, Float64Array.from(factor), 3);
  expect([...out]).toEqual(matrix);
});
