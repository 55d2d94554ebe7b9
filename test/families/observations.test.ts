import { describe, expect, it } from "vitest";
import { countQuantiles, measurementQuantiles } from "../../src/families/observations.js";
import { studentTQuantile } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";

const ENDS = [0.025, 0.975];
const part = (weight: number, mean: number, sd: number, freedom?: number) => ({ weight, mean, sd, freedom });

describe("quantiles of a new observation", () => {
  it("of a measurement are those of the t law that its model gives it", () => {
    // One model, RSS = 30, ν = 12, a row with leverage 0.1: t₁₂ with scale² RSS/ν·(0.1 + 1).
    const [rss, freedom] = [30, 12];
    const sd = Math.sqrt((0.1 * rss) / freedom);
    const found = measurementQuantiles([part(1, 5, sd, freedom)], ENDS, rss / (freedom - 2));
    const scale = Math.sqrt((1.1 * rss) / freedom);
    ENDS.forEach((q, i) => {
      expect(found[i]).toBeCloseTo(5 + scale * studentTQuantile(q, freedom), 6);
    });
  });

  it.each([
    ["few", [part(1, -2, 0.3)]],
    ["some", [part(1, 1.5, 0.2)]],
    ["some, of models that differ", [part(0.6, 1, 0.1), part(0.4, 2, 0.2)]],
    ["many", [part(1, 5, 0.05)]],
    ["very many", [part(0.5, 8, 0.02), part(0.5, 8.05, 0.02)]],
    ["uncertain ones", [part(1, 3, 0.5)]],
  ])("of counts leave what they should outside: %s", (_, parts) => {
    const rng = Rng.seeded(4);
    const [low, high] = countQuantiles(parts, ENDS);
    const draws = Array.from({ length: 40_000 }, () => {
      const from = parts[rng.uniform() < parts[0].weight ? 0 : 1] ?? parts[0];
      return poisson(rng, Math.exp(from.mean + from.sd * normal(rng)));
    });
    const share = (holds: (count: number) => boolean) => draws.filter(holds).length / draws.length;
    // A quantile of counts has at least its level up to it and less below; 0.004 is five standard errors of the draws.
    expect(share((count) => count <= low)).toBeGreaterThan(0.025 - 0.004);
    expect(share((count) => count < low)).toBeLessThan(0.025 + 0.004);
    expect(share((count) => count <= high)).toBeGreaterThan(0.975 - 0.004);
    expect(share((count) => count < high)).toBeLessThan(0.975 + 0.004);
  });
});
