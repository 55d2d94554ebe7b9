import { expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { effectDraws, rhatOf, sweepsNeeded } from "../../../src/selection/missing/weights.js";

const rng = Rng.seeded(2);
const chain = (length: number, mean: number) => Float64Array.from({ length }, () => mean + normal(rng));

it("R-hat of chains that have met is one, whether they are short or long", () => {
  for (const length of [24, 1000]) {
    // Four halves vary by more than four times what chance has them vary by in one of 140 cases, a few more where
    // their effective draws are few and so poorly known.
    const far = Array.from({ length: 200 }, () => rhatOf([chain(length, 0), chain(length, 0)])).filter(
      (value) => value > 1.01,
    );
    expect(far.length).toBeLessThan(12);
  }
});

it("R-hat of chains that have not met is large, and that of chains with a trend above the 1.01 that is let pass", () => {
  expect(rhatOf([chain(200, 0), chain(200, 2)])).toBeGreaterThan(1.2);
  const trend = Float64Array.from({ length: 400 }, (_, t) => t / 100 + normal(rng));
  expect(rhatOf([trend, trend.map((value) => value + 0.01)])).toBeGreaterThan(1.01);
  expect(rhatOf([Float64Array.of(3, 3, 3, 3), Float64Array.of(4, 4, 4, 4)])).toBe(Number.POSITIVE_INFINITY);
  expect(rhatOf([Float64Array.of(3, 3, 3, 3), Float64Array.of(3, 3, 3, 3)])).toBe(1);
});

it("more sweeps are asked for while chains disagree about an inclusion probability", () => {
  const sweeps = (length: number, p: () => number) => Array.from({ length }, () => Float64Array.of(p()));
  const needed = (...inclusion: Float64Array[][]) => {
    const effects = inclusion.map((chain) => chain.map(() => Float64Array.of(0)));
    return sweepsNeeded({ inclusion, effects, effectSquares: Float64Array.of(1) });
  };
  expect(
    needed(
      sweeps(300, () => 0.3),
      sweeps(300, () => 0.3),
    ),
  ).toBeLessThan(1);
  expect(
    needed(
      sweeps(300, () => 0.3 + 0.1 * normal(rng)),
      sweeps(300, () => 0.3),
    ),
  ).toBeLessThan(1);
  expect(
    needed(
      sweeps(300, () => 0.5),
      sweeps(300, () => 0.2),
    ),
  ).toBeGreaterThan(2);
});

it("more sweeps are asked for while the effect of a variable that is certainly in moves slowly", () => {
  // An autoregression of variance one has (1 + a)/(1 - a) times as many sweeps as independent draws.
  const walk = (slowness: number) => {
    let at = normal(rng);
    return Array.from({ length: 2000 }, () => {
      at = slowness * at + Math.sqrt(1 - slowness ** 2) * normal(rng);
      return Float64Array.of(at);
    });
  };
  const record = (slowness: number, pip: number) => {
    const effects = [walk(slowness), walk(slowness)];
    const inclusion = effects.map((chain) => chain.map(() => Float64Array.of(pip)));
    return { inclusion, effects, effectSquares: Float64Array.of(1) };
  };
  const draws = effectDraws(record(0.9, 1), Float64Array.of(1));
  expect(draws / (4000 / 19)).toBeGreaterThan(0.5);
  expect(draws / (4000 / 19)).toBeLessThan(2);
  expect(sweepsNeeded(record(0, 1))).toBeLessThan(1);
  expect(sweepsNeeded(record(0.98, 1))).toBeGreaterThan(2);
  // Nobody reads the effect of what is out.
  expect(sweepsNeeded(record(0.98, 0))).toBeLessThan(1);
});
