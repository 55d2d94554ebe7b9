import { describe, expect, it } from "vitest";
import { countInterval, measurementInterval } from "../../src/families/observations.js";
import { studentTQuantile } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";

const ENDS = [0.025, 0.975];
const part = (weight: number, mean: number, sd: number, freedom?: number) => ({ weight, mean, sd, freedom });

describe("the interval of a new observation", () => {
  it("of a measurement has the ends of the t law that its model gives it", () => {
    // One model, RSS = 30, ν = 12, a row with leverage 0.1: t₁₂ with scale² RSS/ν·(0.1 + 1).
    const [rss, freedom] = [30, 12];
    const sd = Math.sqrt((0.1 * rss) / freedom);
    const found = measurementInterval([part(1, 5, sd, freedom)], 0.95, rss / (freedom - 2));
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
  ])("of counts is no longer than it must be: %s", (_, parts) => {
    const rng = Rng.seeded(4);
    const [low, high] = countInterval(parts, 0.95);
    const seen: number[] = [];
    const draws = 40_000;
    for (let i = 0; i < draws; i++) {
      const from = parts[rng.uniform() < parts[0].weight ? 0 : 1] ?? parts[0];
      const count = poisson(rng, Math.exp(from.mean + from.sd * normal(rng)));
      seen[count] = (seen[count] ?? 0) + 1;
    }
    const share = (from: number, to: number): number => {
      let sum = 0;
      for (let k = from; k <= to; k++) sum += seen[k] ?? 0;
      return sum / draws;
    };
    // Five standard errors of the draws.
    const error = 0.0055;
    expect(share(low, high)).toBeGreaterThan(0.95 - error);
    // Of the stretches that are shorter by one (of large counts by a hundredth) none holds as much.
    const length = Math.min(high - low, Math.ceil(0.99 * (high - low)));
    for (let from = 0; from < seen.length; from++) {
      expect(share(from, from + length - 1)).toBeLessThan(0.95 + error);
    }
  });
});
