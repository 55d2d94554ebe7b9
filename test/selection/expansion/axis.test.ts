import { describe, expect, test } from "vitest";
import { axisDensity, FIRST_KNOTS, type Knot, missingKnots } from "../../../src/selection/expansion/axis.js";

/** Log densities, zero at zero, with what they are like. */
const DENSITIES: Record<string, (t: number) => number> = {
  normal: (t) => -0.5 * t * t,
  "skewed, as of three events": (t) => 3 * (t / Math.sqrt(3) - Math.expm1(t / Math.sqrt(3))),
  "cut off on the right, as without an event": (t) => -0.5 * t * t - 0.01 * Math.expm1(24 * t) + 0.24 * t,
  "with exponential tails": (t) => 1 - Math.sqrt(1 + t * t),
  "a cliff": (t) => (t > 0.37 ? -1e6 : -0.5 * t * t),
};

function known(f: (t: number) => number): Knot[] {
  const knots: Knot[] = [0, ...FIRST_KNOTS].map((t) => ({ t, f: f(t) }));
  for (let round = 0; round < 12; round++) {
    knots.sort((a, b) => a.t - b.t);
    knots.push(...missingKnots(knots).map((t) => ({ t, f: f(t) })));
  }
  return knots.sort((a, b) => a.t - b.t);
}

/** ∫ g(t) exp f(t) dt on a fine grid. */
function integral(f: (t: number) => number, g: (t: number) => number): number {
  const step = 1e-3;
  let sum = 0;
  for (let t = -60; t < 60; t += step) sum += g(t) * Math.exp(f(t)) * step;
  return sum;
}

describe.each(Object.entries(DENSITIES))("a density on a line: %s", (_, f) => {
  const density = axisDensity(known(f));
  const mass = integral(f, () => 1);

  test("has nearly the right mass and moments from few knots", () => {
    expect(known(f).length).toBeLessThan(60);
    expect(Math.abs(density.logMass - Math.log(mass / Math.sqrt(2 * Math.PI)))).toBeLessThan(0.05);
    const mean = integral(f, (t) => t) / mass;
    const sd = Math.sqrt(integral(f, (t) => t * t) / mass - mean * mean);
    expect(Math.abs(density.mean - mean)).toBeLessThan(0.1 * sd);
    expect(Math.abs(Math.sqrt(density.square - density.mean ** 2) / sd - 1)).toBeLessThan(0.1);
  });

  // Whatever the table is, importance sampling from it is exact: the mean of exp f / q over the quantiles.
  test("tells its own density at its own quantiles", () => {
    const n = 20_000;
    let sum = 0;
    let first = 0;
    for (let i = 0; i < n; i++) {
      const { t, logDensity } = density.draw((i + 0.5) / n);
      sum += Math.exp(f(t) - logDensity) / n;
      first += t / n;
    }
    expect(Math.abs(sum / mass - 1)).toBeLessThan(0.002);
    expect(Math.abs(first - density.mean)).toBeLessThan(0.002);
  });
});
