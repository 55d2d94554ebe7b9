import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile } from "../../src/math/distributions.js";
import { edge, normal, R, tail, V } from "../../src/math/normal.js";
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

  it("accepts as often as the area under the density says, so the wedges are cut along the curve", () => {
    const source = Rng.seeded(55);
    const { uint32, uniform, uniformOpen } = Rng.prototype;
    let words = 0;
    let pairs = 0;
    source.uint32 = () => {
      words += 1;
      return uint32.call(source);
    };
    source.uniform = () => {
      pairs += 1;
      return uniform.call(source);
    };
    source.uniformOpen = () => {
      pairs += 1;
      return uniformOpen.call(source);
    };
    for (let i = 0; i < DRAWS; i++) normal(source);
    const rounds = words / 2 - pairs;
    const rate = Math.sqrt(Math.PI / 2) / (256 * V);
    const deviation = Math.sqrt((rate * (1 - rate)) / rounds);
    expect(Math.abs(DRAWS / rounds - rate)).toBeLessThan(Z * deviation);
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

  it("has the right mass beyond R, on both sides", () => {
    const source = Rng.seeded(77);
    let left = 0;
    let right = 0;
    for (let i = 0; i < 4_000_000; i++) {
      const x = normal(source);
      if (x > R) right += 1;
      if (x < -R) left += 1;
    }
    const expected = 4_000_000 * normalCdf(-R);
    expect(Math.abs(left - expected)).toBeLessThan(Z * Math.sqrt(expected));
    expect(Math.abs(right - expected)).toBeLessThan(Z * Math.sqrt(expected));
  });

  it("has the normal's shape beyond R", () => {
    const source = Rng.seeded(78);
    const beyond = Float64Array.from({ length: 200_000 }, () => tail(source));
    expect(kolmogorovP(beyond, (x) => 1 - normalCdf(-x) / normalCdf(-R))).toBeGreaterThan(ALPHA);
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
