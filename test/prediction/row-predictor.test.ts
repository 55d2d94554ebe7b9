import { describe, expect, test } from "vitest";
import { mixtureQuantiles } from "../../src/families/mixture-quantiles.js";
import { normalCdf } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import type { Predictor, PredictorModel } from "../../src/prediction/predictor.js";
import { rowPredictor } from "../../src/prediction/row-predictor.js";

const rng = Rng.seeded(8);
const draw = (n: number) => Array.from({ length: n }, () => normal(rng));

function model(members: readonly number[], probability: number): PredictorModel {
  const k = members.length;
  const root = draw(k * k);
  const covariance = Array.from({ length: k * k }, (_, e) => {
    const [a, b] = [Math.floor(e / k), e % k];
    return (
      0.1 * Array.from({ length: k }, (_, c) => root[a * k + c] * root[b * k + c]).reduce((s, v) => s + v, 0)
    );
  });
  return { probability, members, intercept: normal(rng), interceptVariance: 0.2, mean: draw(k), covariance };
}

const average = [model([0, 2, 4], 0.5), model([1, 2], 0.3), model([], 0.2)];
const predictor: Predictor = {
  format: "sparrow-predictor",
  version: 1,
  family: "binomial",
  target: "y",
  variables: ["a", "b", "c", "d", "e"],
  centre: draw(5),
  average,
  median: average[0],
};

describe("predictions row by row", () => {
  test("do not depend on the row that they start from", () => {
    const fast = rowPredictor(predictor, average);
    for (const x of [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 1, 1, 0, 0], draw(5), draw(5), [0, 0, 1, 0, 0]]) {
      const slow = rowPredictor(predictor, average, predictor.centre).predict(x);
      const quick = fast.predict(x);
      expect(quick.mean).toBeCloseTo(slow.mean, 12);
      expect(quick.lower).toBeCloseTo(slow.lower, 7);
      expect(quick.upper).toBeCloseTo(slow.upper, 7);
    }
  });

  test("have the variance of the definition", () => {
    const x = [1, 0, 2, 0, -1];
    const { members, mean, covariance, intercept, interceptVariance } = average[0];
    const away = members.map((j) => x[j] - predictor.centre[j]);
    const eta = away.reduce((sum, d, a) => sum + d * mean[a], intercept);
    let variance = interceptVariance;
    away.forEach((d, a) => {
      away.forEach((e, b) => {
        variance += d * e * covariance[3 * a + b];
      });
    });
    const { lower } = rowPredictor(
      { ...predictor, family: "gaussian" },
      [average[0]],
      [0, 0, 0, 0, 0],
    ).predict(x);
    expect(lower).toBeCloseTo(eta - 1.959963984540054 * Math.sqrt(variance), 7);
  });
});

test.each([
  [
    [
      { weight: 0.5, mean: 0, sd: 1, freedom: undefined },
      { weight: 0.5, mean: 30, sd: 0.01, freedom: undefined },
    ],
  ],
  [
    [
      { weight: 0.98, mean: 0, sd: 1e-6, freedom: undefined },
      { weight: 0.02, mean: -5, sd: 2, freedom: undefined },
    ],
  ],
])("quantiles of far-flung mixtures are where the mixture reaches them", (parts) => {
  for (const q of [0.025, 0.3, 0.975]) {
    const [x] = mixtureQuantiles(parts, [q]);
    const below = parts.reduce((sum, { weight, mean, sd }) => sum + weight * normalCdf((x - mean) / sd), 0);
    expect(below).toBeCloseTo(q, 5);
  }
});
