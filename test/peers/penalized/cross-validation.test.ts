import { expect, it } from "vitest";
import { gramSource } from "../../../src/peers/gram-source.js";
import { crossValidate, gaussianValidator } from "../../../src/peers/penalized/cross-validation.js";
import { gaussianPath } from "../../../src/peers/penalized/gaussian.js";
import { denseCoefficients } from "../../../src/peers/penalized/path.js";
import { lasso } from "../../../src/peers/penalized/penalty.js";
import { view } from "../../../src/store/batch/arena.js";
import { rowsIn } from "../../../src/store/layout/layout.js";
import type { Store } from "../../../src/store/store.js";
import reference from "../../reference/glmnet.json" with { type: "json" };
import { storeOf } from "../store-of.js";

const { x, y } = reference.tall;

/** Rows of the store, predictors and target, that are in the fold or not. */
function rowsOf({ layout, kernels, run, shift }: Store, inFold: (block: number) => boolean): number[][] {
  const rows: number[][] = [];
  for (let b = 0; b < layout.blocks; b++) {
    if (!inFold(b)) continue;
    const columns = Array.from(shift, (_, j) =>
      view(kernels.memory, { pointer: run(b, j), length: rowsIn(layout, b) }),
    );
    for (let i = 0; i < rowsIn(layout, b); i++) rows.push(columns.map((column, j) => column[i] + shift[j]));
  }
  return rows;
}

it("a fold's path and error are those of a fit without its rows", async () => {
  const folds = 5;
  const { store, pool } = await storeOf(x, y, 8);
  const source = await gramSource(store, pool, { folds });
  const validator = gaussianValidator(source);
  const whole = await gaussianPath(source, { penalty: lasso, count: 12 });
  const lambdas = whole.points.map(({ lambda }) => lambda);
  for (const fold of [0, 3]) {
    const settings = { penalty: lasso, lambdas, tolerance: 1e-18 };
    const { points } = await validator.path(settings, fold);
    const kept = rowsOf(store, (b) => b % folds !== fold);
    const apart = rowsOf(store, (b) => b % folds === fold);
    expect(apart.length).toBe(validator.rows(fold));
    const alone = await storeOf(
      x.map((_, j) => kept.map((row) => row[j])),
      kept.map((row) => row[x.length]),
    );
    const expected = await gaussianPath(await gramSource(alone.store, alone.pool), settings);
    const errors = await validator.errors(points, fold);
    points.forEach((point, i) => {
      const beta = denseCoefficients(point, x.length);
      const theirs = denseCoefficients(expected.points[i], x.length);
      for (let j = 0; j < x.length; j++) expect(beta[j]).toBeCloseTo(theirs[j], 5);
      const squares = apart.map(
        (row) => (row[x.length] - point.intercept - beta.reduce((sum, b, j) => sum + b * row[j], 0)) ** 2,
      );
      expect(errors[i]).toBeCloseTo(squares.reduce((a, b) => a + b, 0) / squares.length, 6);
    });
  }
});

it("the one-standard-error rule takes the smallest model within one standard error of the best", async () => {
  const { store, pool } = await storeOf(x, y, 8);
  const source = await gramSource(store, pool, { folds: 10 });
  const { path, error, standardError, best, oneStandardError } = await crossValidate(
    gaussianValidator(source),
    { penalty: lasso },
  );
  expect(error[best]).toBe(Math.min(...error));
  expect(oneStandardError).toBeLessThan(best);
  const limit = error[best] + standardError[best];
  expect(error[oneStandardError]).toBeLessThanOrEqual(limit);
  expect(error[oneStandardError - 1]).toBeGreaterThan(limit);
  expect(path.points[oneStandardError].variables.length).toBeGreaterThan(1);
});
