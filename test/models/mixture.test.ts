import { describe, expect, it } from "vitest";
import { checkFisher, checkGradient, checkInvariance, checkUnbiased } from "../../src/conformance.js";
import { type Labels, labels } from "../../src/latent/labels.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { categorical, type Emission } from "../../src/models/emissions.js";
import { gaussian } from "../../src/models/gaussian.js";
import { mixture } from "../../src/models/mixture.js";
import { rowBlocks } from "../../src/sampling/row-blocks.js";
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
  /** E f over the prior of the precision factor, coordinate by coordinate on a grid: the coordinates are independent. */
  function factorMoments(emission: Emission, coordinate: number, f: (x: number) => number): number {
    const block = emission.block(0);
    const theta = new Float64Array(emission.names.length);
    let [sum, total] = [0, 0];
    for (let x = -12; x < 12; x += 0.002) {
      theta[coordinate] = x;
      block.unpack(theta);
      const density = Math.exp(block.logPrior());
      sum += f(x) * density;
      total += density;
    }
    return sum / total;
  }

  it("is a Wishart with d + 2 degrees once the Jacobians are counted", () => {
    const full = gaussian({ columns: 2, covariance: "full", scale: [0.8, 1.7], within: 0.6 });
    const b = [0.6 * 0.8 ** 2, 0.6 * 1.7 ** 2];
    const square = (at: number) => factorMoments(full, at, (x) => Math.exp(2 * x));
    // P = U'U: P_11 = U_11² + U_21², P_22 = U_22²; E P = ν·diag(1/b), ν = 4.
    expect(square(2) + factorMoments(full, 4, (x) => x * x)).toBeCloseTo(4 / b[0], 6);
    expect(square(3)).toBeCloseTo(4 / b[1], 6);
  });

  it("is a Gamma(3/2, b/2) on each precision of a diagonal one", () => {
    const diagonal = gaussian({ columns: 2, covariance: "diagonal", scale: [0.8, 1.7], within: 0.6 });
    expect(factorMoments(diagonal, 3, (x) => Math.exp(2 * x))).toBeCloseTo(3 / (0.6 * 1.7 ** 2), 6);
  });
});
