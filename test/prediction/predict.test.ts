import { describe, expect, test } from "vitest";
import { familyNamed } from "../../src/families/register.js";
import { fit, run } from "../../src/index.js";
import { cholesky } from "../../src/math/linear.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { multivariateNormal, poisson } from "../../src/math/variates.js";
import { predictTable } from "../../src/prediction/predict.js";
import type { Predictor } from "../../src/prediction/predictor.js";
import { predictRow } from "../../src/prediction/row-predictor.js";
import { drawsPredictor } from "../../src/selection/answer/predictor-of.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { meanZ } from "../goodness.js";

function columnsOf(rows: number, seed: number) {
  const rng = Rng.seeded(seed);
  const random = () => Float64Array.from({ length: rows }, () => normal(rng));
  const [a, b, c] = [random(), random().map((v) => 500 + 20 * v), random()];
  return { rng, a, b, c };
}

function dataFor(family: Predictor["family"], rows: number, seed: number): Record<string, Float64Array> {
  const { rng, a, b, c } = columnsOf(rows, seed);
  const y = a.map((v, i) => {
    const eta = 0.2 + 0.7 * v - 0.02 * (b[i] - 500);
    if (family === "gaussian") return eta + normal(rng);
    return family === "poisson"
      ? poisson(rng, Math.exp(eta))
      : rng.uniform() < familyNamed("binomial").inverseLink(eta)
        ? 3
        : 2;
  });
  return { a, b, c, y };
}

describe.each(["gaussian", "binomial", "poisson"] as const)("predictions of a %s target", (family) => {
  // Mean within 4.5 standard errors of 20,000 draws; interval bounds at the right shares of them to five binomial
  // standard errors: a false alarm in 10⁵ seeds.
  test("agree with draws of the coefficients", async () => {
    const { details } = await run(dataFor(family, 150, 1), { target: "y", family, priorInclusion: 0.3 });
    const predictor = details.predictor();
    const rng = Rng.seeded(9);
    const at = { a: 1.1, b: 470, c: -0.4 };
    const x = predictor.variables.map((name) => at[name as "a"]);
    const draws = Float64Array.from({ length: 20_000 }, () => {
      let u = rng.uniform();
      const model = predictor.average.find(({ probability }) => {
        u -= probability;
        return u < 0;
      })!;
      const k = model.members.length;
      const factor = Float64Array.from(model.covariance);
      if (k > 0) expect(cholesky(factor, k)).toBe(true);
      const beta = new Float64Array(k);
      multivariateNormal(rng, beta, Float64Array.from(model.mean), factor);
      const eta = model.members.reduce(
        (sum, j, i) => sum + beta[i] * (x[j] - predictor.centre[j]),
        model.intercept + Math.sqrt(model.interceptVariance) * normal(rng),
      );
      return familyNamed(family).inverseLink(eta);
    });
    const { mean, lower, upper } = predictRow(predictor, predictor.average, x);
    expect(Math.abs(meanZ(draws, mean))).toBeLessThan(4.5);
    // A t distribution with 149 degrees of freedom is a little wider than the normal draws.
    const error = 5 * Math.sqrt((0.025 * 0.975) / draws.length) + (family === "gaussian" ? 0.001 : 0);
    const below = (bound: number) => draws.reduce((n, v) => n + (v < bound ? 1 : 0), 0) / draws.length;
    expect(Math.abs(below(lower) - 0.025)).toBeLessThan(error);
    expect(Math.abs(below(upper) - 0.975)).toBeLessThan(error);
  });

  test("are scored on rows that were held out, for the average and for the median model", async () => {
    const result = await fit(dataFor(family, 1000, 2), { target: "y", family, holdout: 0.2 });
    // Each row is held out with probability 0.2: six standard deviations.
    expect(result.rows + result.holdout!.rows).toBe(1000);
    expect(Math.abs(result.holdout!.rows - 200)).toBeLessThan(6 * Math.sqrt(1000 * 0.2 * 0.8));
    for (const scores of [result.holdout!.average, result.holdout!.median]) {
      if (family === "gaussian") expect((scores as { r2: number }).r2).toBeGreaterThan(0.2);
      if (family === "binomial") expect((scores as { auc: number }).auc).toBeGreaterThan(0.6);
      if (family === "poisson") expect((scores as { deviance: number }).deviance).toBeLessThan(1.5);
    }
  });
});

test("predictions from the draws of a search are averages over the draws", () => {
  const chain = {
    iterations: 4,
    models: 4,
    inclusion: Float64Array.of(4, 1, 4),
    draws: {
      iteration: Uint32Array.of(1, 2, 3, 4),
      start: Uint32Array.of(0, 2, 4, 7, 9),
      variable: Uint32Array.of(0, 2, 0, 2, 0, 1, 2, 0, 2),
      value: Float64Array.of(0.5, 1, 0.7, 1.2, 0.6, -0.3, 0.9, 0.4, 1.1),
    },
    sizes: new Float64Array(0),
    last: { members: new Uint32Array(0), values: new Float64Array(0), noiseVariance: 1 },
  };
  const head = { family: "binomial", target: "y" } as const;
  const predictor = drawsPredictor(head, ["a", "b", "(Intercept)"], [chain]);
  const etas = [0.5 * 2 + 1, 0.7 * 2 + 1.2, 0.6 * 2 - 0.3 * 3 + 0.9, 0.4 * 2 + 1.1];
  const direct = etas.reduce((sum, eta) => sum + familyNamed("binomial").inverseLink(eta) / 4, 0);
  expect(predictor.variables).toEqual(["a", "b"]);
  expect(predictRow(predictor, predictor.average, [2, 3]).mean).toBeCloseTo(direct, 6);
  // The median model holds a and the intercept, at their means.
  expect(predictRow(predictor, [predictor.median], [2, 3]).mean).toBeCloseTo(
    familyNamed("binomial").inverseLink(0.55 * 2 + 1.05),
    6,
  );
});

describe("predictTable", async () => {
  const data = dataFor("binomial", 300, 3);
  const predictor = (await run(data, { target: "y", priorInclusion: 0.5 })).details.predictor();

  test("does not care about the order of columns, nor about columns it does not know", async () => {
    const plain = await predictTable(predictor, arrayTable(data));
    const { a, b, c, y } = data;
    const mixed = await predictTable(predictor, arrayTable({ y, extra: a, c, b, a }));
    expect(mixed.mean).toEqual(plain.mean);
    expect(mixed.scores).toEqual(plain.scores);
  });

  test("predicts without scores where there is no target", async () => {
    const { a, b, c } = data;
    const { scores, mean } = await predictTable(predictor, arrayTable({ a, b, c }));
    expect(scores).toBeUndefined();
    expect(mean.every((p) => p > 0 && p < 1)).toBe(true);
  });

  test("refuses data without a column that the run needs, by name", async () => {
    const { a, c } = data;
    await expect(predictTable(predictor, arrayTable({ a, c }))).rejects.toThrow(/no column "b"/);
  });

  test("refuses missing values and classes that the run does not know, by row", async () => {
    const { a, b, c, y } = data;
    const hole = a.slice();
    hole[6] = Number.NaN;
    await expect(predictTable(predictor, arrayTable({ a: hole, b, c }))).rejects.toThrow(/"a" .* row 7/);
    const third = y.slice();
    third[1] = 5;
    await expect(predictTable(predictor, arrayTable({ a, b, c, y: third }))).rejects.toThrow(
      /holds 5 in row 2 where the run has 2 or 3/,
    );
  });
});

describe("predictions of rows with holes", () => {
  const { a, b, c, y } = dataFor("gaussian", 400, 4);
  const holed = { a: a.map((v, i) => (i % 7 === 3 ? Number.NaN : v)), b, c, y };

  test.each(["gaussian", "binomial", "poisson"] as const)(
    "average over what the holes may hold: %s",
    async (family) => {
      const { y: target } = dataFor(family, 400, 4);
      const { details } = await run({ ...holed, y: target }, { target: "y", family, iterations: 40 });
      const predictor = details.predictor();
      const law = predictor.law!;
      const at = predictor.variables.indexOf("a");
      const model = { ...predictor.median, probability: 1 };
      const one = { ...predictor, average: [model], median: model };
      const place = { a: Number.NaN, b: 510, c: 0.4 };
      const table = arrayTable(
        Object.fromEntries(Object.entries(place).map(([name, value]) => [name, Float64Array.of(value)])),
      );
      const { mean } = await predictTable(one, table);
      // Draws of the missing value given the others, and of the coefficients.
      const row = predictor.variables.map((name) => place[name as keyof typeof place]);
      const k = row.length;
      const others = row.flatMap((_, j) => (j === at ? [] : [j]));
      const { centre, spread } = regressed(law, at, others, row);
      expect(spread).toBeGreaterThan(0);
      const rng = Rng.seeded(5);
      const size = model.members.length;
      const factor = Float64Array.from(model.covariance);
      cholesky(factor, size);
      const draws = Float64Array.from({ length: 40_000 }, () => {
        const x = row.map((value, j) => (j === at ? centre + Math.sqrt(spread) * normal(rng) : value));
        const beta = new Float64Array(size);
        multivariateNormal(rng, beta, Float64Array.from(model.mean), factor);
        const eta = model.members.reduce(
          (sum, j, i) => sum + beta[i] * (x[j] - predictor.centre[j]),
          model.intercept + Math.sqrt(model.interceptVariance) * normal(rng),
        );
        return familyNamed(family).inverseLink(eta);
      });
      expect(k).toBeGreaterThan(1);
      // Four and a half standard errors in three families: a false alarm in 50,000.
      expect(Math.abs(meanZ(draws, mean[0]))).toBeLessThan(4.5);
    },
  );

  test("go with a holdout, and are refused by a run that saw no holes", async () => {
    const { result } = await run(holed, { target: "y", iterations: 20, holdout: 0.25 });
    expect(result.holdout!.rows).toBeGreaterThan(50);
    expect((result.holdout!.average as { rmse: number }).rmse).toBeLessThan(1.5);
    const { details } = await run({ a, b, c, y }, { target: "y" });
    expect(details.predictor().law).toBeUndefined();
    await expect(predictTable(details.predictor(), arrayTable(holed))).rejects.toThrow(
      /"a" has no value in row 4; remove or replace it before predicting, or fit to data with missing values/,
    );
  });
});

/** Mean and variance of one variable given others, from two of them at most. */
function regressed(
  { mean, covariance }: NonNullable<Predictor["law"]>,
  at: number,
  others: readonly number[],
  row: readonly number[],
) {
  const p = mean.length;
  const cov = (i: number, j: number) => covariance[i * p + j];
  const [i, j = i] = others;
  const two = others.length > 1;
  const determinant = two ? cov(i, i) * cov(j, j) - cov(i, j) ** 2 : cov(i, i);
  const weights = two
    ? [
        (cov(at, i) * cov(j, j) - cov(at, j) * cov(i, j)) / determinant,
        (cov(at, j) * cov(i, i) - cov(at, i) * cov(i, j)) / determinant,
      ]
    : [cov(at, i) / determinant];
  return {
    centre: others.reduce((sum, o, w) => sum + weights[w] * (row[o] - mean[o]), mean[at]),
    spread: others.reduce((sum, o, w) => sum - weights[w] * cov(at, o), cov(at, at)),
  };
}
