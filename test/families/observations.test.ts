import { describe, expect, it } from "vitest";
import { countInterval, countIntervals, measurementInterval } from "../../src/families/observations.js";
import { studentTQuantile } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { logGamma } from "../../src/math/special.js";
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

  it.each([
    ["alike", 1, 0.2, [0.03, 0.1]],
    ["apart", 3, 1.5, [0.005, 0.2]],
    ["of which some are known and others hardly", 0, 0.5, [0.001, 0.6]],
    ["of hundreds", 5, 0.1, [0.03, 0.1]],
    ["so far apart that they share no places", -2, 8, [0.021, 0.03]],
  ] as const)(
    "of counts is that of Poisson laws added up on a fine grid, of many parts %s",
    (_, centre, spread, [least, most]) => {
      const rng = Rng.seeded(6);
      for (let row = 0; row < 20; row++) {
        const parts = Array.from({ length: 25 }, () => {
          const mean = Math.min(6, centre + spread * (rng.uniform() - 0.5));
          return part(0.04, mean, least + (most - least) * rng.uniform());
        });
        expect(countInterval(parts, 0.95)).toEqual(shortestOf(countLaw(parts), 0.95));
      }
    },
  );

  it("of counts is the same for many rows at once as for one after the other", () => {
    const rng = Rng.seeded(7);
    const parts = Array.from({ length: 7 }, () => part(rng.uniform(), 0, 0));
    const laws = parts.map(() =>
      Float64Array.from({ length: 120 }, (_, at) => (at % 2 ? 0.1 * rng.uniform() : at / 12 + rng.uniform())),
    );
    const all = countIntervals(parts, laws, 0.95);
    for (let at = 0; at < 120; at += 2) {
      const own = parts.map((one, f) => ({ ...one, mean: laws[f][at], sd: laws[f][at + 1] }));
      expect([all[at], all[at + 1]]).toEqual(countInterval(own, 0.95));
    }
  });
});

/** Probabilities of counts 0, 1, …, each log mean at 400 places over eight standard deviations on either side. */
function countLaw(parts: readonly { weight: number; mean: number; sd: number }[]): Float64Array {
  const law = new Float64Array(3000);
  const places = Array.from({ length: 401 }, (_, i) => -8 + 0.04 * i);
  const bells = places.map((z) => Math.exp(-0.5 * z * z));
  const total = bells.reduce((sum, bell) => sum + bell, 0);
  for (const { weight, mean, sd } of parts) {
    places.forEach((z, i) => {
      const log = mean + sd * z;
      const lambda = Math.exp(log);
      const from = Math.max(0, Math.floor(lambda - 9 * Math.sqrt(lambda) - 10));
      let mass = ((weight * bells[i]) / total) * Math.exp(from * log - lambda - logGamma(from + 1));
      for (let k = from; k < Math.min(law.length, lambda + 10 * Math.sqrt(lambda) + 20); k++) {
        law[k] += mass;
        mass *= lambda / (k + 1);
      }
    });
  }
  return law;
}

/** The shortest stretch with so much probability, of those the most probable, tried from every count. */
function shortestOf(law: Float64Array, coverage: number): [number, number] {
  let best = { from: 0, to: law.length, mass: 0 };
  for (let from = 0; from < law.length; from++) {
    let [to, mass] = [from - 1, 0];
    while (mass < coverage && to + 1 < law.length) mass += law[++to];
    const longer = to - from - (best.to - best.from);
    if (mass >= coverage && (longer < 0 || (longer === 0 && mass > best.mass))) best = { from, to, mass };
  }
  return [best.from, best.to];
}
