import { describe, expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { type GramSource, gramSource } from "../../../src/peers/gram-source.js";
import { gaussianPath } from "../../../src/peers/penalized/gaussian.js";
import { atSize, denseCoefficients, type Path } from "../../../src/peers/penalized/path.js";
import {
  elasticNet,
  lasso,
  mcp,
  type Penalty,
  scad,
  violation,
} from "../../../src/peers/penalized/penalty.js";
import reference from "../../reference/glmnet.json" with { type: "json" };
import { storeOf } from "../store-of.js";

type ReferencePath = (typeof reference.tall.gaussian)[number];

async function source(x: number[][], y: number[]): Promise<GramSource> {
  const { store, pool } = await storeOf(x, y);
  return gramSource(store, pool);
}

function largestDifference(ours: Path, theirs: ReferencePath, columns: number): number {
  let largest = 0;
  ours.points.forEach((point, i) => {
    const beta = denseCoefficients(point, columns);
    theirs.beta[i].at.forEach((j, at) => {
      beta[j] -= theirs.beta[i].value[at];
    });
    largest = Math.max(largest, Math.abs(point.intercept - theirs.a0[i]), ...beta.map(Math.abs));
  });
  return largest;
}

describe("the Gaussian path", () => {
  for (const shape of ["tall", "wide"] as const) {
    const { x, y, gaussian } = reference[shape];
    for (const theirs of gaussian) {
      const { alpha, standardize, intercept } = theirs;
      it(`is glmnet's to 1e-5 on the ${shape} data with α = ${alpha}, ${standardize ? "" : "not "}standardised, ${intercept ? "with" : "without"} intercept`, async () => {
        const ours = await gaussianPath(await source(x, y), {
          penalty: elasticNet(alpha),
          standardize,
          intercept,
          count: 25,
          tolerance: 1e-18,
        });
        expect(ours.points.length).toBe(theirs.lambda.length);
        ours.points.forEach((point, i) => {
          expect(point.lambda / theirs.lambda[i]).toBeCloseTo(1, 6);
          expect(point.devianceRatio).toBeCloseTo(theirs.deviance[i], 6);
        });
        expect(largestDifference(ours, theirs, x.length)).toBeLessThan(1e-5);
      });
    }
  }

  it("takes the λ that it is given and ends before a model that is too large", async () => {
    const { x, y, gaussian } = reference.tall;
    const ours = await gaussianPath(await source(x, y), {
      penalty: lasso,
      lambdas: gaussian[0].lambda.slice(3, 20),
      maxSize: 4,
      tolerance: 1e-16,
    });
    expect(ours.points[0].lambda).toBeCloseTo(gaussian[0].lambda[3], 6);
    expect(Math.max(...ours.points.map(({ variables }) => variables.length))).toBeLessThanOrEqual(4);
    expect(atSize(ours, 2).variables.length).toBe(2);
  });

  it("leaves a constant column out", async () => {
    const { x, y } = reference.tall;
    const ours = await gaussianPath(await source([...x, x[0].map(() => 2)], y), { penalty: lasso });
    for (const { variables } of ours.points) expect(variables).not.toContain(x.length);
  });
});

describe("MCP and SCAD", () => {
  // Small whole numbers around zero: the store keeps them as they are and sums of their products are exact in float32, so what is checked is the solver alone.
  const rng = Rng.seeded(5);
  const rows = 90;
  const common = Array.from({ length: rows }, () => rng.below(3) - 1);
  const x = Array.from({ length: 20 }, () => common.map((c) => c + rng.below(5) - 2));
  const y = Array.from(
    { length: rows },
    (_, i) => 2 * x[0][i] - x[1][i] + x[2][i] + Math.round(2 * normal(rng)),
  );

  for (const [name, penalty] of [
    ["mcp", mcp(3)],
    ["scad", scad(3.7)],
  ] as [string, Penalty][]) {
    it(`${name} is stationary to 1e-8 at every λ`, async () => {
      const path = await gaussianPath(await source(x, y), { penalty, tolerance: 1e-24, minRatio: 0.01 });
      const standard = standardised(x);
      const [target] = standardised([y]);
      const scale = spread(y);
      let largest = 0;
      for (const point of path.points) {
        const beta = denseCoefficients(point, x.length).map((b, j) => (b * spread(x[j])) / scale);
        const residual = target.map(
          (value, i) => value - standard.reduce((sum, column, j) => sum + beta[j] * column[i], 0),
        );
        standard.forEach((column, j) => {
          const gradient = column.reduce((sum, value, i) => sum + value * residual[i], 0) / rows;
          largest = Math.max(largest, violation(penalty, gradient, beta[j], point.lambda / scale));
        });
      }
      expect(path.points.at(-1)!.variables.length).toBeGreaterThan(5);
      expect(largest).toBeLessThan(1e-8);
    });
  }

  it("have the closed form of the univariate minimiser where columns are orthogonal", async () => {
    // Columns of a Hadamard matrix of order 16 without the constant one: mean 0, variance 1, orthogonal.
    const hadamard = Array.from({ length: 15 }, (_, j) =>
      Array.from({ length: 16 }, (_, i) => (parity(i & (j + 1)) ? -1 : 1)),
    );
    const target = Array.from({ length: 16 }, (_, i) => i * i - 3 * i + (i % 5));
    const scale = spread(target);
    const [centred] = standardised([target]);
    for (const penalty of [mcp(3), scad(3.7), elasticNet(0.4)]) {
      const path = await gaussianPath(await source(hadamard, target), { penalty, tolerance: 1e-24 });
      for (const point of path.points) {
        const beta = denseCoefficients(point, 15);
        hadamard.forEach((column, j) => {
          const z = column.reduce((sum, value, i) => sum + value * centred[i], 0) / 16;
          expect(beta[j] / scale).toBeCloseTo(closedForm(penalty.name, z, point.lambda / scale), 8);
        });
      }
    }
  });
});

/** From the papers, for v = 1 and the settings of the test above. */
function closedForm(name: Penalty["name"], z: number, lambda: number): number {
  const soft = (threshold: number) => Math.sign(z) * Math.max(0, Math.abs(z) - threshold);
  if (name === "mcp") return Math.abs(z) > 3 * lambda ? z : soft(lambda) / (1 - 1 / 3);
  if (name === "elastic-net") return soft(0.4 * lambda) / (1 + 0.6 * lambda);
  if (Math.abs(z) <= 2 * lambda) return soft(lambda);
  return Math.abs(z) > 3.7 * lambda ? z : soft((3.7 * lambda) / 2.7) / (1 - 1 / 2.7);
}

const parity = (bits: number): boolean => bits.toString(2).replaceAll("0", "").length % 2 === 1;

function spread(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

function standardised(columns: readonly (readonly number[])[]): number[][] {
  return columns.map((values) => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    return values.map((value) => (value - mean) / spread(values));
  });
}
