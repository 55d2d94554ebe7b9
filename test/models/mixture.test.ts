import { describe, expect, it } from "vitest";
import { checkFisher, checkGradient, checkInvariance, checkUnbiased } from "../../src/conformance.js";
import { type Labels, labels } from "../../src/latent/labels.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { logGamma } from "../../src/math/special.js";
import { categorical, type Emission } from "../../src/models/emissions.js";
import { gaussian } from "../../src/models/gaussian.js";
import { mixture } from "../../src/models/mixture.js";
import { rowBlocks } from "../../src/sampling/row-blocks.js";
import { logSum } from "../../src/selection/posterior/slab.js";
import type { Rows } from "../../src/types.js";

const rng = Rng.seeded(1);
const noise = (length: number): Float64Array => Float64Array.from({ length }, () => normal(rng));
const codes = (length: number, levels: number): Float64Array =>
  Float64Array.from({ length }, () => rng.below(levels));

interface Case {
  readonly name: string;
  readonly emission: Emission;
  readonly values: Float64Array;
  readonly columns: number;
}
const uneven = { centre: [0.3, -1, 2], scale: [0.5, 2, 1.5], width: 0.6, floor: [0.1, 0.02, 0] };
const cases: readonly Case[] = [
  {
    name: "diagonal Gaussian",
    emission: gaussian({ columns: 3, covariance: "diagonal", ...uneven }),
    values: noise(21),
    columns: 3,
  },
  {
    name: "full Gaussian",
    emission: gaussian({ columns: 3, covariance: "full", ...uneven }),
    values: noise(21),
    columns: 3,
  },
  { name: "categorical", emission: categorical({ levels: 4 }), values: codes(7, 4), columns: 1 },
];

describe.each(cases)("a mixture of $name emissions", ({ emission, values, columns }) => {
  const model = mixture({ components: 3, emission, concentration: 1.5 });
  const kernel = labels(model);
  const theta = Float64Array.from(model.names, () => 0.5 * normal(rng));
  const whole = rowBlocks(values, columns, 7).block(0);
  const labelled = (assigned: readonly number[]): Labels => ({
    labels: Uint16Array.from(assigned),
    cumulative: new Float64Array(0),
  });
  const logMarginal = (at: Float64Array): number => {
    const terms = new Float64Array(21);
    model.logTerms(terms, at, whole);
    const z = labelled(Array(7).fill(0));
    // The prior is what logJoint adds to its own terms.
    let sum = model.logJoint(at, z, whole);
    for (let i = 0; i < 7; i++) {
      const row = terms.subarray(3 * i, 3 * i + 3);
      sum += Math.log(row.reduce((total, term) => total + Math.exp(term), 0)) - row[0];
    }
    return sum;
  };

  it("has the gradient of its log joint", () => {
    checkGradient(model, { theta, z: labelled([0, 1, 2, 2, 1, 0, 0]), batch: whole });
    checkGradient(model, { theta, z: labelled([2, 1, 0]), batch: { ...whole, rows: 3, weight: 2.5 } });
  });

  it("draws its labels from their exact conditional", () => {
    const pair: Rows = { rows: 2, columns, weight: 1, values };
    const states = [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => labelled([a, b])));
    const key = (z: Labels): string => z.labels.slice(0, 2).join();
    checkInvariance(model, kernel, { theta, batch: pair, states, key, rng: Rng.seeded(2) });
  });

  it("gives by averaging over labels the gradient of the marginal posterior", () => {
    checkFisher(model, kernel, { theta, batch: whole, logMarginal, rng: Rng.seeded(3) });
  });

  it("has an unbiased gradient, ragged last batch included", () => {
    const { count, block } = rowBlocks(values, columns, 3);
    const batches = Array.from({ length: count }, (_, b) => block(b));
    expect(batches.map((b) => b.rows)).toEqual([3, 3, 1]);
    checkUnbiased(model, kernel, { theta, batches, whole, rng: Rng.seeded(4) });
  });
});

describe("the Gaussian emission's prior", () => {
  it("gives every standard deviation of a diagonal block a half-t law with 2 degrees", () => {
    const width = 0.7;
    const block = gaussian({ columns: 1, covariance: "diagonal", scale: [1.7], width }).block(0);
    // P(sd < x) by the rule of rectangles in the log precision factor, against the closed form x/√(2A² + x²).
    const grid = Array.from({ length: 60_000 }, (_, i) => -15 + 0.0005 * i);
    const masses = grid.map((omega) => {
      block.unpack(Float64Array.of(0, omega));
      return Math.exp(block.logPrior());
    });
    const total = masses.reduce((a, b) => a + b);
    for (const x of [0.05, 0.5, 1.19, 4]) {
      const below = masses.reduce((sum, mass, i) => sum + (Math.exp(-grid[i]) < x ? mass : 0), 0) / total;
      expect(below).toBeCloseTo(x / Math.sqrt(2 * (width * 1.7) ** 2 + x * x), 3);
    }
  });

  it("is an even mixture of laws of Huang and Wand in the covariance of a full one, times that of the floor", () => {
    const [scale, floor, d] = [[0.8, 1.7, 1], [0.1, 0, 0.3], 3];
    const emission = gaussian({ columns: d, covariance: "full", scale, floor });
    const block = emission.block(0);
    const from = d; // The means come first and have a law of their own.
    const size = emission.names.length - from;
    /** Σ and P = U'U from ω and the factor, by elimination. */
    const matrices = (free: readonly number[]) => {
      const u = Array.from({ length: d }, (_, i) =>
        Array.from({ length: d }, (_, j) =>
          i === j ? Math.exp(free[i]) : j < i ? free[d + (i * (i - 1)) / 2 + j] : 0,
        ),
      );
      const p = u.map((_, i) => u.map((_, j) => u.reduce((sum, row) => sum + row[i] * row[j], 0)));
      const whole = p.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
      let logDet = 0;
      for (let i = 0; i < d; i++) {
        const pivot = whole[i][i];
        logDet += Math.log(pivot);
        whole[i] = whole[i].map((x) => x / pivot);
        for (let r = 0; r < d; r++) {
          if (r !== i) whole[r] = whole[r].map((x, c) => x - whole[r][i] * whole[i][c]);
        }
      }
      return { p, logDet, triangle: whole.flatMap((row, i) => row.slice(d, d + i + 1)) };
    };
    /** log p(Σ) + log|∂Σ/∂θ|, the Jacobian by differences. */
    const expected = (free: readonly number[]): number => {
      const h = 1e-5;
      const jacobian = free.map((_, k) => {
        const at = (step: number) => matrices(free.map((x, i) => x + (i === k ? step : 0))).triangle;
        const [up, down] = [at(h), at(-h)];
        return up.map((x, i) => (x - down[i]) / (2 * h));
      });
      const { p, logDet } = matrices(free);
      // An inverse Wishart density with scales 2ν·r_j, and r_j ~ Gamma(½) integrated out.
      let sum = logSum(
        [2, 4, 8, 16, 32, 64, 128, 256].map((nu) => {
          const freedom = nu + d - 1;
          let log = ((nu + 2 * d) / 2) * logDet + d * logGamma((freedom + 1) / 2);
          for (let j = 0; j < d; j++) {
            log += (freedom / 2) * Math.log(2 * nu) - (freedom / 2) * Math.log(2);
            log -= logGamma((freedom - j) / 2) + ((nu + d) / 2) * Math.log(nu * p[j][j] + 1 / scale[j] ** 2);
          }
          return log;
        }),
      );
      for (let j = 0; j < d; j++) sum -= 0.5 * floor[j] * p[j][j];
      for (let i = 0; i < size; i++) {
        const lead = jacobian.slice(i).findIndex((row) => Math.abs(row[i]) > 1e-12) + i;
        [jacobian[i], jacobian[lead]] = [jacobian[lead], jacobian[i]];
        sum += Math.log(Math.abs(jacobian[i][i]));
        for (let r = i + 1; r < size; r++) {
          const factor = jacobian[r][i] / jacobian[i][i];
          jacobian[r] = jacobian[r].map((x, c) => x - factor * jacobian[i][c]);
        }
      }
      return sum;
    };
    const differences = [0, 1, 2].map(() => {
      const free = Array.from({ length: size }, () => 0.7 * normal(rng));
      block.unpack(Float64Array.of(0, 0, 0, ...free));
      return block.logPrior() - expected(free);
    });
    expect(differences[1]).toBeCloseTo(differences[0], 5);
    expect(differences[2]).toBeCloseTo(differences[0], 5);
  });
});

it("a row with holes has the density of what is there, by quadrature over what is not", () => {
  const emission = gaussian({ columns: 3, covariance: "full" });
  const block = emission.block(0);
  block.unpack(Float64Array.from(emission.names, () => 0.4 * normal(rng)));
  const h = 0.05;
  const grid = Array.from({ length: 600 }, (_, i) => -15 + h * i);
  const [x, z] = [0.3, -0.8];
  const one = grid.reduce((sum, y) => sum + h * Math.exp(block.logDensity(Float64Array.of(x, y, z), 0)), 0);
  expect(block.logDensity(Float64Array.of(x, Number.NaN, z), 0)).toBeCloseTo(Math.log(one), 8);
  const two = grid.reduce(
    (sum, y) =>
      sum + grid.reduce((s, w) => s + h * h * Math.exp(block.logDensity(Float64Array.of(y, x, w), 0)), 0),
    0,
  );
  expect(block.logDensity(Float64Array.of(Number.NaN, x, Number.NaN), 0)).toBeCloseTo(Math.log(two), 8);
  expect(block.logDensity(new Float64Array(3).fill(Number.NaN), 0)).toBeCloseTo(0, 12);
});

it.each([
  ["full", gaussian({ columns: 3, covariance: "full" }), [0.3, -1, Number.NaN, 2, 0.1, -0.4]],
  ["diagonal", gaussian({ columns: 3, covariance: "diagonal" }), [0.3, -1, Number.NaN, 2, 0.1, -0.4]],
  ["categorical", categorical({ levels: 3 }), [2, 0, Number.NaN, 1, 1, 0]],
])("densities of many rows are those of each: %s", (name, emission, numbers) => {
  const values = Float64Array.from(numbers);
  const columns = name === "categorical" ? 1 : 3;
  const rows = values.length / columns;
  const block = emission.block(0);
  block.unpack(Float64Array.from(emission.names, () => 0.4 * normal(rng)));
  const out = new Float64Array(2 * rows + 1);
  block.logDensities(out, 1, 2, { rows, columns, weight: 1, values }, 0.25);
  const each = Array.from({ length: rows }, (_, i) => [0, 0.25 + block.logDensity(values, i * columns)]);
  expect([...out]).toEqual([...each.flat(), 0]);
});
