import { expect, test } from "vitest";
import { chosen, extendedGamma, judge } from "../../bench/peers/judged.js";
import { denseRows } from "../../bench/shapes/dense-draws.js";
import { documentOf } from "../../bench/shapes/document.js";
import { type Result, type Success, withResult } from "../../bench/shapes/results.js";
import { best, heldOutScores, Score } from "../../bench/shapes/scores.js";
import { verdictOf } from "../../bench/shapes/sentences.js";
import { SHAPES, type Shape, scaled, truth } from "../../bench/shapes/shapes.js";
import { sparseRows } from "../../bench/shapes/sparse-draws.js";

const shapeOf = (name: string): Shape => SHAPES.find((shape) => shape.name === name)!;

const at = { shape: "tall", rows: 10, columns: 3, seed: 1, minutes: 20, gigabytes: 10, machine: "2 cores" };

function success(method: Success["method"], seconds: number, wrong = 0, missed = 0): Success {
  return {
    ...{ ...at, method, load: { before: 0.5, after: 1 }, version: `${method} 1.0`, note: "as it is" },
    ...{ seconds, cpuSeconds: seconds, wholeSeconds: seconds + 1, wholeCpuSeconds: seconds + 1 },
    ...{ megabytes: 100, wrong, missed, fsr: wrong / (8 + wrong), nsr: missed / 8 },
    ...{ score: 0.8, trueScore: 0.9 },
  };
}

test("a shape is described by what it says of itself", () => {
  const names = SHAPES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const shape of SHAPES) {
    const { columns, values } = truth(shape);
    expect(columns).toHaveLength(values.length);
    expect(Math.max(...columns)).toBeLessThan(shape.columns);
    expect(shape.effects, shape.name).toBeGreaterThan(columns.length - 1);
  }
});

test("the true coefficients predict fresh rows better than those of a variable less, at every shape", () => {
  for (const shape of SHAPES) {
    const small = scaled({ ...shape, heldOut: 2000 }, shape.law.kind === "sparse" ? 0.01 : 0.02);
    const all = truth(small);
    const fewer = { ...all, columns: all.columns.slice(1), values: all.values.slice(1) };
    const nothing = { intercept: all.intercept, columns: [], values: [] };
    const fresh = { ...small, heldOut: shape.name === "rare" ? 100_000 : 2000 };
    const [true_, without, empty] = heldOutScores(fresh, 5, [all, fewer, nothing]);
    expect(best(shape.family, [empty, without, true_]), shape.name).toBe(true_);
  }
});

test("the same seed has the same rows, another seed others, and the first thousand do not depend on how many follow", () => {
  for (const name of ["paper", "blocks", "rare"]) {
    const shape = scaled(shapeOf(name), 0.1);
    const first = (rows: number, seed: number): number[] => {
      for (const drawn of denseRows(shape, rows, seed)) {
        return [...drawn.y, ...[...drawn.columns()].flatMap((column) => [column[0], column[999]])];
      }
      return [];
    };
    expect(first(1000, 1)).toEqual(first(2500, 1));
    expect(first(1000, 1)).not.toEqual(first(1000, 2));
  }
});

test("sparse rows have rising entries within the table, the frequent columns first", () => {
  const shape = scaled(shapeOf("sparse"), 0.01);
  const counts = new Float64Array(shape.columns);
  let rising = true;
  for (const { entries } of sparseRows(shape, 2000, 3)) {
    rising &&= entries.every((j, k) => k === 0 || j > entries[k - 1]);
    for (const j of entries) counts[j] += 1;
  }
  expect(rising).toBe(true);
  const total = (from: number, to: number): number => counts.slice(from, to).reduce((sum, n) => sum + n, 0);
  expect(total(0, 50)).toBeGreaterThan(total(500, 550) + total(1000, 1050));
});

test("scores are R², log loss and deviance", () => {
  const of = (family: Shape["family"], rows: readonly (readonly [number, number])[]): number => {
    const score = new Score(family);
    for (const [y, eta] of rows) score.add(y, eta);
    return score.value;
  };
  expect(
    of("gaussian", [
      [1, 1],
      [2, 2],
      [3, 2],
    ]),
  ).toBeCloseTo(1 - 1 / 2, 12);
  expect(
    of("binomial", [
      [1, 0],
      [0, Math.log(3)],
    ]),
  ).toBeCloseTo((Math.log(2) + Math.log(4)) / 2, 12);
  expect(
    of("poisson", [
      [0, 0],
      [2, Math.log(2)],
    ]),
  ).toBeCloseTo(1, 12);
});

test("of a path the model with the smallest criterion is taken, and more columns ask for more evidence", () => {
  const model = (k: number, deviance: number) => {
    const columns = Array.from({ length: k }, (_, j) => j);
    return { intercept: 0, columns, values: columns.map(() => 1), deviance };
  };
  const path = [model(0, 0), model(2, -60), model(3, -70)];
  expect(chosen(path, { rows: 1000, columns: 10 }, 0)).toBe(path[2]);
  expect(chosen(path, { rows: 1000, columns: 100_000 }, extendedGamma(1000, 100_000))).toBe(path[1]);
  expect(extendedGamma(1_000_000, 50)).toBe(0);
  expect(extendedGamma(1000, 1000)).toBeCloseTo(0.5, 12);
});

test("a selection is judged by what it has too many and too few", () => {
  const real = { intercept: 0, columns: [0, 1, 2, 3], values: [1, 1, -1, -1] };
  const model = { intercept: 0, columns: [0, 1, 2, 7], values: [1, 1, -1, 0.1] };
  expect(judge({}, model, real)).toEqual({ wrong: 1, missed: 1, fsr: 0.25, nsr: 0.25, mse1: 0.25 });
  expect(judge({ selected: [0, 1] }, model, real)).toMatchObject({ wrong: 0, missed: 2, fsr: 0, nsr: 0.5 });
  expect(judge({ selected: [] }, model, real)).toMatchObject({ fsr: 0, nsr: 1 });
});

test("the sentence follows from the numbers", () => {
  const why = (method: string) => (method === "glmnet relaxed" ? "it does less" : undefined);
  const stopped: Result = {
    ...at,
    method: "scikit-learn path",
    load: { before: 0, after: 0 },
    failure: "stopped after 20 minutes",
  };
  const others = [success("glmnet path", 0.1, 3), success("susieR susie", 50), stopped];
  expect(verdictOf([success("sparrow fit", 2), ...others], why)).toBe(
    "Sparrow is the fastest of those with the right answer: the clock after reading shows 25 times for susieR susie. Without it: glmnet path (3 too many, 0 too few) and scikit-learn path (stopped after 20 minutes).",
  );
  expect(verdictOf([success("sparrow fit", 2), success("glmnet relaxed", 1), stopped], why)).toBe(
    "glmnet relaxed is 2.0 times as fast after reading: it does less. Both have the right answer. Without it: scikit-learn path (stopped after 20 minutes).",
  );
  expect(verdictOf([success("sparrow fit", 2, 1), success("susieR susie", 50)], why)).toBe(
    "Sparrow is not among those with the right answer: it has 1 too many and 0 too few, and susieR susie 0.",
  );
  expect(verdictOf([success("sparrow fit", 2), stopped], why)).toMatch(
    /^Sparrow alone has the right answer\./,
  );
  expect(verdictOf([stopped], why)).toBe("Sparrow was not run.");
});

test("a result takes the place of the one before, and the document has every row", () => {
  const first = [success("sparrow fit", 2), success("susieR susie", 50)];
  const again = withResult(first, success("sparrow fit", 1));
  expect(again.map(({ method }) => method)).toEqual(["susieR susie", "sparrow fit"]);
  const text = documentOf(SHAPES, again);
  expect(text).toBe(documentOf(SHAPES, [...again].reverse()));
  expect(text).toContain("## tall");
  expect(text).not.toContain("## wide");
  expect(text).toMatch(
    /\| sparrow fit +\| 1\.00 s +\| 1\.00 s +\| 2\.00 s +\| 100 MB +\| 0 +\| 0 +\| 0\.8000 +\| 0\.5–1\.0 +\|/,
  );
  expect(text).toContain("50 times for susieR susie");
});
