import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Moments } from "../../src/math/moments.js";
import { normal } from "../../src/math/normal.js";
import { quantile } from "../../src/math/quantile.js";
import { Rng } from "../../src/math/rng.js";

const reference = JSON.parse(readFileSync(new URL("../reference/moments.json", import.meta.url), "utf8"));
const { x, w } = reference as { x: number[]; w: number[] };

function moments(values: ArrayLike<number>, weights?: ArrayLike<number>): Moments {
  const out = new Moments();
  for (let i = 0; i < values.length; i++) out.add(values[i], weights?.[i]);
  return out;
}

describe("Moments", () => {
  it("gives R's mean and variance, and those of cov.wt with weights", () => {
    const plain = moments(x);
    expect(plain.mean).toBeCloseTo(reference.mean, 14);
    expect(plain.variance).toBeCloseTo(reference.variance, 12);
    expect(plain.deviation).toBeCloseTo(Math.sqrt(reference.variance), 12);
    expect(plain.effectiveCount).toBe(10);
    const weighted = moments(x, w);
    expect(weighted.mean).toBeCloseTo(reference.weightedMean, 14);
    expect(weighted.variance).toBeCloseTo(reference.weightedVariance, 12);
  });

  it("merges to the same as one pass, whatever the cut, the empty part included", () => {
    const whole = moments(x, w);
    for (let cut = 0; cut <= x.length; cut++) {
      const left = moments(x.slice(0, cut), w.slice(0, cut));
      const right = moments(x.slice(cut), w.slice(cut));
      left.merge(structuredClone(right));
      expect(left.weight).toBeCloseTo(whole.weight, 13);
      expect(left.mean).toBeCloseTo(whole.mean, 13);
      expect(left.variance).toBeCloseTo(whole.variance, 12);
      expect(left.effectiveCount).toBeCloseTo(whole.effectiveCount, 12);
    }
  });

  it("keeps its digits when the mean is 1e9 times the deviation", () => {
    const rng = Rng.seeded(1);
    const noise = Float64Array.from({ length: 10_000 }, () => Math.round(normal(rng) * 1024) / 1024);
    const shifted = noise.map((v) => v + 1e9);
    // With κ = mean/deviation = 1e9 the update loses about κε; Σx² − n·mean² would lose κ²ε, which is everything.
    const bound = 1e9 * 2 ** -52;
    const truth = moments(noise).variance;
    expect(Math.abs(moments(shifted).variance / truth - 1)).toBeLessThan(bound);
    const parts = moments(shifted.subarray(0, 3000));
    parts.merge(moments(shifted.subarray(3000)));
    expect(Math.abs(parts.variance / truth - 1)).toBeLessThan(bound);
  });

  it("has no variance below two observations, and none of zero weight counts", () => {
    expect(new Moments().variance).toBeNaN();
    expect(new Moments().effectiveCount).toBe(0);
    expect(moments([5]).variance).toBeNaN();
    expect(moments([5, 9], [1, 0]).mean).toBe(5);
    expect(moments([5, 9], [0, 0]).weight).toBe(0);
    expect(moments([5, 5, 5]).variance).toBe(0);
  });
});

describe("quantile", () => {
  it("gives R's default quantiles", () => {
    const sorted = Float64Array.from(x).sort();
    (reference.p as number[]).forEach((p, i) => {
      expect(quantile(sorted, p)).toBeCloseTo(reference.quantiles[i], 13);
    });
  });

  it("handles one value, none, infinities and a p outside [0, 1]", () => {
    expect(quantile([3], 0.7)).toBe(3);
    expect(quantile([], 0.5)).toBeNaN();
    expect(quantile([1, 2], 1.1)).toBeNaN();
    expect(quantile([1, Number.POSITIVE_INFINITY], 0)).toBe(1);
    expect(quantile([1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], 0.75)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});
