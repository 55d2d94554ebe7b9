import { describe, expect, it } from "vitest";
import { familyNamed } from "../../src/families/register.js";
import type { Predictor, PredictorModel } from "../../src/prediction/predictor.js";
import { rowPredictor } from "../../src/prediction/row-predictor.js";

const NOISE = 0.7;
const CENTRE = [1, -2];

/** Models of no, one and both variables, whose laws are normal, or t with these degrees of freedom. */
function models(freedom: number | undefined): PredictorModel[] {
  const law = freedom === undefined ? {} : { freedom };
  const intercept = { intercept: 0.4, interceptVariance: 0.01, ...law };
  return [
    { probability: 0.2, members: [], mean: [], covariance: [], ...intercept },
    { probability: 0.5, members: [1], mean: [0.8], covariance: [0.05], ...intercept },
    {
      probability: 0.3,
      members: [0, 1],
      mean: [0.3, 0.6],
      covariance: [0.04, -0.01, -0.01, 0.09],
      ...intercept,
    },
  ];
}

/** Mean and standard deviation of a model's linear predictor, as they are written. */
function lawOf(
  { members, mean, covariance, intercept, interceptVariance }: PredictorModel,
  x: readonly number[],
) {
  const away = members.map((j) => x[j] - CENTRE[j]);
  const eta = away.reduce((sum, d, a) => sum + d * mean[a], intercept);
  const variance = away.reduce(
    (sum, d, a) => sum + away.reduce((inner, e, b) => inner + d * e * covariance[a * away.length + b], 0),
    interceptVariance,
  );
  return { mean: eta, sd: Math.sqrt(variance) };
}

describe("where a new observation will lie", () => {
  it.each([
    ["normal laws", undefined],
    ["t laws that are nearly normal", 50_000],
    ["t laws of few degrees", 9],
  ] as const)("is the same for many rows at once as for one after the other: %s", (_, freedom) => {
    const average = models(freedom);
    const predictor: Predictor = {
      ...{ format: "sparrow-predictor", version: 1, family: "gaussian", target: "y" },
      ...{ variables: ["a", "b"], centre: CENTRE, noiseVariance: NOISE, average, median: average[2] },
    };
    const rows = Array.from({ length: 40 }, (_, i) => [Math.sin(i), 3 * Math.cos(2 * i)]);
    const found = rowPredictor(predictor, average).predictAll({
      rows: rows.length,
      columns: [0, 1].map((j) => Float64Array.from(rows, (x) => x[j])),
    });
    const interval = familyNamed("gaussian").prediction.interval!;
    rows.forEach((x, r) => {
      const parts = average.map((model) => ({ weight: model.probability, freedom, ...lawOf(model, x) }));
      const [lower, upper] = interval(parts, 0.95, NOISE);
      expect(found.observation!.lower[r]).toBeCloseTo(lower, 6);
      expect(found.observation!.upper[r]).toBeCloseTo(upper, 6);
    });
  });
});
