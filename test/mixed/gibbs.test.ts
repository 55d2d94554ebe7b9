import { describe, expect, it } from "vitest";
import { mcseMean } from "../../src/diagnostics/mcse.js";
import { Rng } from "../../src/math/rng.js";
import { augmentationGibbs } from "../../src/mixed/gibbs.js";
import { layoutOf, unpack } from "../../src/mixed/model/chart.js";
import { emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";

describe.each([false, true])("Gibbs on groups without rows, collapsed: %s", (collapsed) => {
  const data = emptyCrossProducts(["(intercept)", "x"], "y", ["a", "b"]);
  const priors = {
    fixedVariance: 3,
    noiseDegrees: 8,
    noiseScale: 4,
    covarianceDegrees: 9,
    covarianceScale: 2,
  };
  const design = { columns: data.columns, fixed: [0, 1], random: [0, 1], priors };
  const layout = layoutOf(design);
  const point = unpack(layout);
  const draws: Record<string, number[]> = { beta: [], precision: [], d00: [], d10: [], d11: [] };
  let t = 0;
  for (const theta of augmentationGibbs(Rng.seeded(31), new Float64Array(layout.size), {
    data,
    design,
    collapsed,
  })) {
    point.read(theta);
    draws.beta.push(theta[0] ** 2 * point.precision);
    draws.precision.push(point.precision);
    draws.d00.push(point.inverseCovariance[0]);
    draws.d10.push(point.inverseCovariance[1]);
    draws.d11.push(point.inverseCovariance[2]);
    if (++t === 20_000) break;
  }

  // With ν and ψ: 1/σ² ~ χ²_8/4, D⁻¹ ~ Wishart(9, I/2), β₀²/σ² ~ 3χ²_1.
  it.each([
    ["beta", 3],
    ["precision", 2],
    ["d00", 4.5],
    ["d10", 0],
    ["d11", 4.5],
  ])("returns the prior: the mean of %s is %d", (name, expected) => {
    const values = Float64Array.from(draws[name]);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    // Ten comparisons at 4 standard errors: a false alarm once in 1500 seeds.
    expect(Math.abs(mean - expected)).toBeLessThan(4 * mcseMean([values])!);
  });
});
