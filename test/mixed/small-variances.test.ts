import { describe, expect, it } from "vitest";
import { mixed } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { fitMixed } from "../../src/mixed/fit.js";
import { layoutOf, thetaOf } from "../../src/mixed/model/chart.js";
import { marginalMixed } from "../../src/mixed/model/marginal.js";
import { everyUnit, simulatedUnits } from "../models/simulated-units.js";

const small = (units: number, sd: number, seed: number) =>
  simulatedUnits(Rng.seeded(seed), { units, rows: () => 10, beta: [1, 0.5], sd: [sd], noise: 1 });

const asked = { target: "y", group: "g", fixed: ["x1"] } as const;

describe("a group standard deviation of a tenth of the noise", () => {
  const data = small(100, 0.1, 4);

  it("is within the interval, and the verdict is clean", async () => {
    const { result } = await fitMixed(data, asked);
    const [{ lower, upper, median }] = result.random.sd;
    expect(lower).toBeLessThan(0.1);
    expect(upper).toBeGreaterThan(0.1);
    expect(upper).toBeLessThan(0.3);
    expect(median).toBeLessThan(0.2);
    expect(result.verdict).toBe("No problems found.");
    expect(result.prior).toContain("half-t with 2 degrees of freedom");
  });

  it("is excluded by the paper's law, which says so", async () => {
    const { result } = await fitMixed(data, { ...asked, prior: "inverse-wishart" });
    expect(result.random.sd[0].lower).toBeGreaterThan(0.1);
    expect(result.verdict).toContain('The prior decides much of how "intercept" differs');
    expect(result.prior).toContain("inverse-Wishart");
  });
});

it("warns where mini-batches are asked for and a standard deviation may be zero", async () => {
  const { result } = await fitMixed(small(600, 0, 5), { ...asked, method: "esgld", iterations: 500 });
  expect(result.verdict).toContain("may be zero, which mini-batches cannot show");
});

it("goes on where the first round does not settle, and not where a length was asked for", async () => {
  const data = small(12, 0.2, 6);
  const once = await fitMixed(data, { ...asked, iterations: 40 });
  expect(once.result.settings.iterations).toBe(40);
  const { result } = await fitMixed(data, asked);
  expect(result.settings.iterations % 1000).toBe(0);
  expect(result.diagnostics.rhat).toBeLessThan(1.01);
  expect(result.diagnostics.ess).toBeGreaterThan(400);
});

it("mixes in sweeps over thousands of groups that each say little", async () => {
  // Without steps that integrate effects out there were 50 effective draws of 16,000.
  const { result } = await fitMixed(small(3000, 0.05, 8), { ...asked, method: "gibbs", iterations: 1000 });
  expect(result.diagnostics.ess).toBeGreaterThan(400);
  expect(result.verdict).toBe("No problems found.");
});

it("gives no density where rounding leaves D without a factor", () => {
  const data = simulatedUnits(Rng.seeded(7), {
    units: 50,
    rows: () => 8,
    beta: [1, 1, 1],
    sd: [1, 1, 1],
    noise: 1,
  });
  const design = { columns: data.columns, fixed: [0], random: [0, 1, 2] };
  const layout = layoutOf(design);
  // Columns of L that are nearly dependent: D⁻¹ has elements of 10²⁰ that must cancel.
  const theta = thetaOf(layout, [0], 1, [1, 1, 1e-9, -1, 1, 1e-10]);
  const value = marginalMixed(design).logJoint(theta, null, { data, units: everyUnit(data), weight: 1 });
  expect(value).toBeLessThan(0);
});

it("says which columns were left out because they hold no numbers", async () => {
  const rng = Rng.seeded(8);
  const g = Array.from({ length: 60 }, (_, i) => `g${i % 10}`);
  const y = g.map(() => normal(rng));
  const table = { g, y, x: g.map(() => normal(rng)), note: g.map((_, i) => `n${i % 3}`) };
  const { result } = await mixed(table, { target: "y", group: "g", iterations: 50 });
  expect(result.notes?.join()).toContain(`left out: "note"`);
});
