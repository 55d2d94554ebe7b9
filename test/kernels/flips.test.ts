import { expect, test } from "vitest";
import { type FlipArrays, type FlipTerms, referenceFlips } from "../../src/kernels/flips.js";
import { wasmFlips } from "../../src/kernels/wasm-flips.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

const unknownNoise = { power: 40, share: 0.02, saturated: 1e-12, worth: 0 };
const knownNoise = { power: 0, share: 0, saturated: 1e-12, worth: 0.7 };
const likelihoods = { unknownNoise, knownNoise };
const penalties = { ridge: { half: 0.5 }, zellner: { half: 0 } };

/** Some are members, some may not come in, and pivots and scores range over many orders of magnitude. */
function candidates(size: number, seed: number): FlipArrays {
  const rng = Rng.seeded(seed);
  const array = (value: (j: number) => number) => Float64Array.from({ length: size }, (_, j) => value(j));
  return {
    pivot: array((j) => (j % 7 === 3 ? 1e-14 : Math.exp(4 * normal(rng)))),
    score: array(() => 3 * normal(rng) * Math.exp(2 * normal(rng))),
    least: array(() => 1e-10),
    offset: array(() => normal(rng)),
    place: Int32Array.from({ length: size }, (_, j) => (j % 5 === 2 ? j : -1)),
    rate: new Float64Array(size).fill(Number.NaN),
    inside: new Float64Array(size).fill(Number.NaN),
  };
}

const cases = Object.entries(likelihoods).flatMap(([noise, likelihood]) =>
  Object.entries(penalties).flatMap(([slab, penalty]) =>
    [1, 2, 1, 41, 42, 41, 500, 2001, 3].map((size) => ({ noise, slab, size, likelihood, penalty })),
  ),
);

test.each(cases)("rates of $size candidates are those of the plain form: $noise, $slab", (one) => {
  const terms: FlipTerms = { base: -3, spread: 1 / one.size, top: 0, ...one.likelihood, ...one.penalty };
  const [plain, quick] = [candidates(one.size, 7), candidates(one.size, 7)];
  const [expected, found] = [referenceFlips(plain, terms), wasmFlips(quick, terms)];
  expect(found.shift).toBeCloseTo(expected.shift, 9);
  expect(Math.abs(found.sum / expected.sum - 1)).toBeLessThan(1e-11);
  for (let j = 0; j < one.size; j++) {
    for (const part of ["inside", "rate"] as const) {
      const due = plain[part][j];
      // Of rates in units of a very large one the small ones are nothing.
      const allowed = 1e-11 * due + (part === "rate" && expected.shift > 0 ? 1e-300 : 0);
      expect(Math.abs(quick[part][j] - due), `${part} ${j}`).toBeLessThanOrEqual(allowed);
    }
  }
});

test("other candidates of the same number have limits and offsets of their own", () => {
  const terms: FlipTerms = { base: -3, spread: 0.1, top: 0, ...unknownNoise, half: 0.5 };
  for (const seed of [1, 2, 1]) {
    const [plain, quick] = [candidates(10, seed), candidates(10, seed)];
    referenceFlips(plain, terms);
    wasmFlips(quick, terms);
    quick.inside.forEach((inside, j) => {
      expect(inside).toBeCloseTo(plain.inside[j], 9);
    });
  }
});
