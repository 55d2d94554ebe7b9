import { describe, expect, it } from "vitest";
import { mixed } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";
import { groupedRows } from "../../src/mixed/batches/grouped-rows.js";
import { levelModel } from "../../src/mixed/batches/marginal.js";
import { drawnNodes, hermiteNodes } from "../../src/mixed/batches/nodes.js";
import { ONES, type RowsProblem } from "../../src/mixed/rows/problem.js";

const families = ["binomial", "poisson"] as const;

function simulated(family: (typeof families)[number], groups: number, rows: number, slopes: boolean) {
  const rng = Rng.seeded(groups);
  const levels = Array.from({ length: groups }, () => [0.8 * normal(rng), slopes ? 0.4 * normal(rng) : 0]);
  const g = Array.from({ length: groups * rows }, (_, i) => (i * 7) % groups);
  const x = g.map(() => normal(rng));
  const y = g.map((j, i) => {
    const eta = 0.3 + 0.5 * x[i] + levels[j][0] + levels[j][1] * x[i];
    return family === "poisson"
      ? poisson(rng, Math.exp(eta))
      : Number(rng.uniform() < 1 / (1 + Math.exp(-eta)));
  });
  return { g: g.map((j) => `g${j}`), x, y, codes: g };
}

function problemOf(family: (typeof families)[number], slopes: boolean): RowsProblem {
  const { x, y, codes } = simulated(family, 6, 5, slopes);
  const resolutions = [
    { unit: 0.5, groups: 6 },
    { unit: 0.3, groups: 6 },
  ];
  return {
    family,
    rows: y.length,
    columns: Float64Array.from(x),
    fixed: [ONES, 0],
    y: Float64Array.from(y),
    weights: undefined,
    offset: undefined,
    terms: [
      {
        codes: Int32Array.from(codes),
        levels: 6,
        columns: slopes ? [ONES, 0] : [ONES],
        shifts: [],
        resolutions,
      },
    ],
    nests: [],
    priors: { fixedPrecision: 0.01, law: "spike-and-slab", degrees: 2, spread: 2.5 },
  };
}

describe.each(families)("levels of %s targets", (family) => {
  it.each([false, true])(
    "have a gradient that agrees with differences of their integral; slopes: %s",
    (slopes) => {
      const rows = groupedRows(problemOf(family, slopes));
      const nodes = hermiteNodes(rows.q);
      const model = levelModel(rows, nodes.count);
      const batch = { levels: Uint32Array.of(0, 2, 3, 5), weight: 1.5, nodes };
      const theta = Float64Array.from(slopes ? [0.2, 0.4, -0.3, 0.25, -0.8] : [0.2, 0.4, -0.3]);
      const gradient = new Float64Array(theta.length);
      model.addGrad(gradient, 1, theta, null, batch);
      for (const [j, value] of theta.entries()) {
        const at = (moved: number) => model.logJoint(theta.with(j, moved), null, batch);
        // Fisher's identity holds for the integral itself: what is left is the error of the quadrature.
        expect(gradient[j]).toBeCloseTo((at(value + 1e-4) - at(value - 1e-4)) / 2e-4, slopes ? 2 : 4);
      }
    },
  );

  it("have the integral that a fine grid gives, by quadrature and, on average, by draws", () => {
    const rows = groupedRows(problemOf(family, false));
    const theta = Float64Array.of(0.2, 0.4, -0.3);
    const [tau, level] = [Math.exp(-0.3), 3];
    let sum = 0;
    for (let b = -8; b <= 8; b += 0.01) {
      let log = -0.5 * (b / tau) ** 2 - Math.log(tau) - 0.5 * Math.log(2 * Math.PI);
      for (let r = rows.starts[level]; r < rows.starts[level + 1]; r++) {
        const eta = theta[0] + theta[1] * rows.x[2 * r + 1] + b;
        log += rows.y[r] * eta - (family === "poisson" ? Math.exp(eta) : Math.log1p(Math.exp(eta)));
      }
      sum += 0.01 * Math.exp(log);
    }
    const value = (count: number, nodes: ReturnType<typeof hermiteNodes>) => {
      const model = levelModel(rows, count);
      const of = (levels: Uint32Array) => model.logJoint(theta, null, { levels, weight: 1, nodes });
      return of(Uint32Array.of(level)) - of(Uint32Array.of());
    };
    const rule = hermiteNodes(1);
    expect(value(rule.count, rule)).toBeCloseTo(Math.log(sum), 5);
    const rng = Rng.seeded(2);
    const drawn = Array.from({ length: 400 }, () => Math.exp(value(10, drawnNodes(rng, 1, 5, 1))));
    const mean = drawn.reduce((all, each) => all + each, 0) / drawn.length;
    const spread = Math.sqrt(drawn.reduce((all, each) => all + (each - mean) ** 2, 0)) / drawn.length;
    expect(Math.abs(mean - sum)).toBeLessThan(4 * spread);
  });

  it("in mini-batches have the posterior that sweeps over all rows give", async () => {
    const slopes = family === "poisson";
    const { g, x, y } = simulated(family, 80, 8, slopes);
    const asked = { formula: `y ~ x + (1${slopes ? " + x" : ""} | g)`, family, chains: 2 } as const;
    const exact = await mixed({ g, x, y }, { ...asked, method: "gibbs", iterations: 600 });
    const fit = await mixed({ g, x, y }, { ...asked, method: "esgld", batch: 20, iterations: 3000 });
    expect(fit.result.method).toBe("esgld");
    expect(fit.result.notes?.join()).toMatch(/Mini-batches of 20 of the 80 levels, with 10 inner draws/);
    const numbers = ({ result }: typeof fit) => [...result.fixed, ...result.random.sd];
    numbers(exact).forEach((truth, j) => {
      const ours = numbers(fit)[j];
      const [one, other] = [truth.ess ?? 1, ours.ess ?? 1];
      // Beside the errors of both, a step of 0.1 shifts what is skew by some hundredths of a standard deviation.
      const error = Math.hypot(truth.sd / Math.sqrt(one), ours.sd / Math.sqrt(other));
      expect(Math.abs(ours.mean - truth.mean), truth.name).toBeLessThan(4 * error + 0.07 * truth.sd);
      const ofSpread = Math.sqrt(0.5 / one + 0.5 / other);
      expect(Math.abs(ours.sd / truth.sd - 1), truth.name).toBeLessThan(4 * ofSpread + 0.05);
    });
    const [one, other] = [fit.effects(), exact.effects()];
    // What the draws of θ add to the spread of an effect is small: the largest of 160 differences.
    one.mean.forEach((value, i) => {
      expect(Math.abs(value - other.mean[i])).toBeLessThan(0.4 * other.sd[i]);
      expect(Math.abs(one.sd[i] / other.sd[i] - 1)).toBeLessThan(0.4);
    });
  });
});

it("counts with correlated slopes do not begin in a corner: no chain is held where effects are all alike", async () => {
  const { g, x, y } = simulated("poisson", 150, 12, true);
  // Effects at their modes, by which Σ was drawn while a chain climbed, ended in a correlation of 1 in two seeds of five.
  for (const seed of [1, 2]) {
    const asked = { formula: "y ~ x + (1 + x | g)", family: "poisson", iterations: 60, burnIn: 40 } as const;
    const { result } = await mixed({ g, x, y }, { ...asked, chains: 2, seed });
    expect(result.random.correlations[0].upper).toBeLessThan(0.9);
  }
});

it("mini-batches are refused where they are of no use, and doubted where a standard deviation may be zero", async () => {
  const { g, x, y } = simulated("binomial", 40, 10, false);
  const h = g.map((_, i) => `h${i % 4}`);
  const asked = { method: "esgld", iterations: 200, chains: 2, batch: 10 } as const;
  await expect(mixed({ g, h, x, y }, { ...asked, formula: "y ~ x + (1 | g) + (1 | h)" })).rejects.toThrow(
    "in one grouping",
  );
  const rng = Rng.seeded(3);
  const noise = y.map(() => Number(rng.uniform() < 0.5));
  const { result } = await mixed({ g, noise }, { ...asked, formula: "noise ~ 1 + (1 | g)" });
  expect(result.verdict).toContain("may be zero, which mini-batches cannot show");
});
