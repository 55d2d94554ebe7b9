import { describe, expect, it } from "vitest";
import { expit } from "../../../src/math/special.js";
import { gramSource } from "../../../src/peers/gram-source.js";
import { type BinomialData, binomialPath, binomialValidator } from "../../../src/peers/penalized/binomial.js";
import { crossValidate } from "../../../src/peers/penalized/cross-validation.js";
import { denseCoefficients } from "../../../src/peers/penalized/path.js";
import {
  elasticNet,
  lasso,
  mcp,
  type Penalty,
  scad,
  violation,
} from "../../../src/peers/penalized/penalty.js";
import { targetOf } from "../../../src/selection/data/target.js";
import reference from "../../reference/glmnet.json" with { type: "json" };
import { storeOf } from "../store-of.js";

async function data(x: number[][], y: number[], folds = 1): Promise<BinomialData> {
  const { store, pool } = await storeOf(x, y, 8);
  const source = await gramSource(store, pool, { folds });
  return { store, pool, folds: source.folds, target: targetOf(store, "binomial").scaling };
}

describe("the binomial path", () => {
  for (const shape of ["tall", "wide"] as const) {
    const { x, label, binomial } = reference[shape];
    for (const theirs of binomial) {
      const { alpha, standardize, intercept } = theirs;
      it(`is glmnet's to 1e-5 on the ${shape} data with α = ${alpha}, ${standardize ? "" : "not "}standardised, ${intercept ? "with" : "without"} intercept`, async () => {
        const ours = await binomialPath(await data(x, label), {
          penalty: elasticNet(alpha),
          standardize,
          intercept,
          count: 25,
          tolerance: 1e-14,
        });
        expect(ours.points.length).toBe(theirs.lambda.length);
        let largest = 0;
        ours.points.forEach((point, i) => {
          expect(point.lambda / theirs.lambda[i]).toBeCloseTo(1, 6);
          expect(point.devianceRatio).toBeCloseTo(theirs.deviance[i], 5);
          const beta = denseCoefficients(point, x.length);
          theirs.beta[i].at.forEach((j, at) => {
            beta[j] -= theirs.beta[i].value[at];
          });
          largest = Math.max(largest, Math.abs(point.intercept - theirs.a0[i]), ...beta.map(Math.abs));
        });
        expect(largest).toBeLessThan(1e-5);
      });
    }
  }

  for (const [name, penalty] of [
    ["MCP", mcp(3, 1 / 4)],
    ["SCAD", scad(3.7, 1 / 4)],
  ] as [string, Penalty][]) {
    it(`is stationary to 1e-8 with ${name}`, async () => {
      const { label } = reference.tall;
      // Short numbers: the store keeps them as they are, so what is checked is the solver alone.
      const x = reference.tall.x.map((column) => column.map((value) => Math.round(256 * value) / 256));
      const path = await binomialPath(await data(x, label), {
        penalty,
        count: 20,
        minRatio: 0.05,
        tolerance: 1e-20,
      });
      let largest = 0;
      for (const point of path.points) {
        const beta = denseCoefficients(point, x.length);
        const residual = label.map(
          (y, i) => y - expit(beta.reduce((sum, b, j) => sum + b * x[j][i], point.intercept)),
        );
        x.forEach((column, j) => {
          const mean = column.reduce((a, b) => a + b, 0) / column.length;
          const sd = Math.sqrt(column.reduce((sum, v) => sum + (v - mean) ** 2, 0) / column.length);
          const gradient =
            column.reduce((sum, v, i) => sum + (v - mean) * residual[i], 0) / sd / column.length;
          largest = Math.max(largest, violation(penalty, gradient, beta[j] * sd, point.lambda));
        });
      }
      expect(path.points.at(-1)!.variables.length).toBeGreaterThan(4);
      expect(largest).toBeLessThan(1e-8);
    });
  }

  it("is chosen by cross-validated deviance", async () => {
    const { x, label } = reference.tall;
    const { path, error, best, oneStandardError } = await crossValidate(
      binomialValidator(await data(x, label, 5)),
      { penalty: lasso, count: 20 },
    );
    expect(oneStandardError).toBeLessThanOrEqual(best);
    expect(error[best]).toBeLessThan(error[0]);
    // The deviance of a fair coin is 2 log 2.
    expect(error[0]).toBeCloseTo(2 * Math.LN2, 1);
    expect(path.points[best].variables.length).toBeGreaterThan(0);
  });
});
