import { describe, expect, test } from "vitest";
import { langevinSpike } from "../../src/latent/pseudo-prior.js";
import { normalCdf } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { polynomial, valueAt } from "../../src/sampling/schedule.js";
import { kolmogorovP } from "../goodness.js";

const variance = 0.3;
const start = 1.5;
const schedules = [
  ["constant", 0.02],
  ["decaying", polynomial({ a: 0.3, b: 1, kappa: 0.6 })],
] as const;

/** Mean and variance of the plain recursion θ ← aθ + √(ετ)ξ after steps from … to. */
function exact(schedule: (typeof schedules)[number][1], from: number, to: number, temperature = 1) {
  let mean = start;
  let spread = 0;
  for (let t = from; t <= to; t++) {
    const step = valueAt(schedule, t);
    const a = 1 - step / (2 * variance);
    mean *= a;
    spread = a * a * spread + step * temperature;
  }
  return { mean, spread };
}

/** A generator whose every normal is the given one: shows mean (0) and spread (1) of a Gaussian draw exactly. */
function wokenWith(
  schedule: (typeof schedules)[number][1],
  sleepAt: number,
  wakeAt: number,
  temperature = 1,
) {
  const spike = langevinSpike({ variables: 2, variance, temperature });
  for (let t = 1; t <= sleepAt; t++) spike.advance(valueAt(schedule, t));
  spike.sleep(1);
  for (let t = sleepAt + 1; t <= wakeAt; t++) spike.advance(valueAt(schedule, t));
  return (rng: Rng): number => {
    const theta = Float64Array.of(0, start);
    spike.sleep(0);
    spike.wake(rng, theta, 1);
    return theta[1];
  };
}

describe("a sleeping coordinate", () => {
  test.each(schedules)(
    "wakes with the mean and variance of the steps it slept through (%s steps)",
    (_, schedule) => {
      for (const [from, to] of [
        [0, 1],
        [0, 40],
        [7, 8],
        [100, 400],
      ]) {
        for (const temperature of [0, 1, 2.5]) {
          const { mean, spread } = exact(schedule, from + 1, to, temperature);
          const seed = Rng.seeded(9);
          const xi = normal(Rng.seeded(9));
          // The draw is mean + √spread·ξ with the ξ of the same generator.
          expect(wokenWith(schedule, from, to, temperature)(seed)).toBeCloseTo(
            mean + Math.sqrt(spread) * xi,
            10,
          );
        }
      }
    },
  );

  // Kolmogorov and Smirnov at p > 1e-4, four tests with fixed seeds.
  test.each(schedules)("wakes with the law of the dense recursion (%s steps)", (_, schedule) => {
    const [from, to, n] = [10, 60, 5000];
    const { mean, spread } = exact(schedule, from + 1, to);
    const cdf = (x: number) => normalCdf((x - mean) / Math.sqrt(spread));
    const rng = Rng.seeded(3);
    const lazy = Float64Array.from({ length: n }, () => wokenWith(schedule, from, to)(rng));
    const dense = Float64Array.from({ length: n }, () => {
      let theta = start;
      for (let t = from + 1; t <= to; t++) {
        const step = valueAt(schedule, t);
        theta += -(0.5 * step * theta) / variance + Math.sqrt(step) * normal(rng);
      }
      return theta;
    });
    expect(kolmogorovP(lazy, cdf)).toBeGreaterThan(1e-4);
    expect(kolmogorovP(dense, cdf)).toBeGreaterThan(1e-4);
  });

  test("that is looked at on the way has the same law in the end", () => {
    // Mean and variance compose: with ξ = 0 at every look, twice half the way is the whole way.
    const spike = langevinSpike({ variables: 1, variance, temperature: 0 });
    const theta = Float64Array.of(start);
    for (let t = 1; t <= 60; t++) {
      spike.advance(0.02);
      if (t % 7 === 0) spike.wake(Rng.seeded(t), theta, 0);
    }
    spike.wake(Rng.seeded(1), theta, 0);
    expect(theta[0]).toBeCloseTo(exact(0.02, 1, 60, 0).mean, 12);
  });

  test("does not move when no step has passed, and then draws nothing", () => {
    const spike = langevinSpike({ variables: 1, variance });
    spike.advance(0.02);
    const theta = Float64Array.of(start);
    const rng = Rng.seeded(1);
    spike.wake(rng, theta, 0);
    const [once, saved] = [theta[0], rng.save()];
    spike.wake(rng, theta, 0);
    expect(theta[0]).toBe(once);
    expect(rng.save()).toEqual(saved);
  });

  test("keeps its variance over a million steps", () => {
    // The stationary variance of the discretisation is ετ / (1 − a²).
    const spike = langevinSpike({ variables: 1, variance });
    const step = 1e-3;
    for (let t = 0; t < 1_000_000; t++) spike.advance(step);
    const a = 1 - step / (2 * variance);
    const theta = Float64Array.of(start);
    spike.wake(Rng.seeded(9), theta, 0);
    expect(theta[0]).toBeCloseTo(Math.sqrt(step / (1 - a * a)) * normal(Rng.seeded(9)), 9);
  });
});

test("the gradient of the spike is the derivative of its log density", () => {
  const spike = langevinSpike({ variables: 1, variance });
  const h = 1e-5;
  for (const x of [-1, 0.2, 3]) {
    const difference = (spike.logDensity(0, x + h) - spike.logDensity(0, x - h)) / (2 * h);
    expect(spike.gradient(0, x)).toBeCloseTo(difference, 6);
  }
});
