import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile } from "../../src/math/distributions.js";
import { edge, normal, R, V } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { erfc } from "../../src/math/special.js";
import { chiSquareP, kolmogorovP, meanZ } from "../goodness.js";

// False-alarm rate for a fresh seed: 1e-4 for each p-value, 6e-5 for each |z| < 4. Seeds are fixed.
const ALPHA = 1e-4;
const Z = 4;
const DRAWS = 1_000_000;

const rng = Rng.seeded(20_200);
const draws = Float64Array.from({ length: DRAWS }, () => normal(rng));

describe("the ziggurat", () => {
  it("has layers of one area that close at the top of the density", () => {
    const density = (x: number): number => Math.exp(-0.5 * x * x);
    // The bottom layer, its rectangle and the tail, has area V; the top one ends at height 1.
    expect((R * density(R) + Math.sqrt(Math.PI / 2) * erfc(R / Math.SQRT2)) / V).toBeCloseTo(1, 13);
    expect(V / edge[255] + density(edge[255])).toBeCloseTo(1, 12);
    for (let i = 1; i < 256; i++) {
      expect((edge[i] * (density(edge[i + 1]) - density(edge[i]))) / V).toBeCloseTo(1, 9);
    }
  });
});

describe("normal", () => {
  it("has the moments of the standard normal up to the sixth", () => {
    [0, 1, 0, 3, 0, 15].forEach((expected, i) => {
      const power = draws.map((x) => x ** (i + 1));
      expect(Math.abs(meanZ(power, expected))).toBeLessThan(Z);
    });
  });

  it("fits 2,000 equally likely cells", () => {
    const counts = new Float64Array(2000);
    for (const x of draws) counts[Math.floor(normalCdf(x) * 2000)] += 1;
    expect(
      chiSquareP(
        counts,
        counts.map(() => 1),
      ),
    ).toBeGreaterThan(ALPHA);
  });

  it("fits the cells cut by the ziggurat's own edges, where a wrong table would show", () => {
    const cuts = [...edge.slice(1)].reverse();
    const counts = new Float64Array(257);
    for (const x of draws) {
      let low = 0;
      let high = cuts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (cuts[middle] <= Math.abs(x)) low = middle + 1;
        else high = middle;
      }
      counts[low] += 1;
    }
    const probability = counts.map((_, i) => {
      const above = i === 0 ? 0.5 : normalCdf(-cuts[i - 1]);
      return above - (i < cuts.length ? normalCdf(-cuts[i]) : 0);
    });
    expect(chiSquareP(counts, probability)).toBeGreaterThan(ALPHA);
  });

  it("has the normal's tail beyond R, in mass, in shape and on both sides", () => {
    const source = Rng.seeded(77);
    const beyond: number[] = [];
    let right = 0;
    for (let i = 0; i < 4_000_000; i++) {
      const x = normal(source);
      if (Math.abs(x) <= R) continue;
      beyond.push(Math.abs(x));
      if (x > 0) right += 1;
    }
    const mass = 2 * normalCdf(-R);
    const expected = 4_000_000 * mass;
    expect(Math.abs(beyond.length - expected)).toBeLessThan(Z * Math.sqrt(expected));
    expect(Math.abs(right - beyond.length / 2)).toBeLessThan((Z * Math.sqrt(beyond.length)) / 2);
    const p = kolmogorovP(Float64Array.from(beyond), (x) => 1 - (2 * normalCdf(-x)) / mass);
    expect(p).toBeGreaterThan(ALPHA);
  });

  it("is symmetric: the sign is a fair coin in every decile of |x|", () => {
    const positive = new Float64Array(10);
    const all = new Float64Array(10);
    for (const x of draws) {
      const cell = Math.min(9, Math.floor((1 - 2 * normalCdf(-Math.abs(x))) * 10));
      all[cell] += 1;
      if (x > 0) positive[cell] += 1;
    }
    for (let i = 0; i < 10; i++) {
      expect(Math.abs(positive[i] - all[i] / 2)).toBeLessThan((Z * Math.sqrt(all[i])) / 2);
    }
  });

  it("has no correlation at small lags, of values or of squares", () => {
    for (const lag of [1, 2, 3, 10]) {
      const values = draws.slice(lag).map((x, i) => x * draws[i]);
      const squares = draws.slice(lag).map((x, i) => (x * x - 1) * (draws[i] ** 2 - 1));
      expect(Math.abs(meanZ(values, 0))).toBeLessThan(Z);
      expect(Math.abs(meanZ(squares, 0))).toBeLessThan(Z);
    }
  });

  it("is not a lattice: within one narrow cell the draws are uniform and distinct", () => {
    const left = normalQuantile(0.6);
    const width = 1e-3;
    const inside = draws.filter((x) => x >= left && x < left + width);
    expect(new Set(inside).size).toBe(inside.length);
    const mass = normalCdf(left + width) - normalCdf(left);
    const p = kolmogorovP(inside, (x) => (normalCdf(x) - normalCdf(left)) / mass);
    expect(p).toBeGreaterThan(ALPHA);
  });
});
