import { expect, it } from "vitest";
import type { BinomialScores } from "../../../src/diagnostics/predictive.js";
import type { Scores } from "../../../src/families/register.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { expit } from "../../../src/math/special.js";
import { run } from "../../../src/node.js";
import { predictTable } from "../../../src/prediction/predict.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";

/** The same rows, the target in other values. */
async function runWith(zero: number, one: number, preset: "auto" | "paper" = "auto") {
  const rng = Rng.seeded(4);
  const [x, z] = [0, 1].map(() => Float64Array.from({ length: 200 }, () => normal(rng)));
  const y = x.map((value) => (rng.uniform() < expit(value) ? one : zero));
  const columns = { x, z, y };
  const short = preset === "paper" ? { iterations: 400, burnIn: 100 } : {};
  const made = await run(columns, {
    target: "y",
    family: "binomial",
    preset,
    ...short,
    seed: 1,
    threads: 1,
  });
  const { scores } = await predictTable(made.details.predictor(), arrayTable(columns));
  return { result: made.result, predicted: made.predicted, scores };
}

/** Targets lie where they did up to single precision, and so do predictions. */
function near(told: Scores | undefined, plain: Scores | undefined): void {
  const [these, those] = [told, plain] as BinomialScores[];
  for (const score of ["rows", "errorRate", "logLoss", "brier", "auc"] as const)
    expect(these[score]).toBeCloseTo(those[score] as number, 5);
}

// None of the upper values but the last is a number of single precision; the last two have ends that are alike to six
// digits, and to nine.
const VALUES = [
  [0.1, 0.7],
  [1.1, 2.2],
  [0.5, 0.7],
  [-0.3, -0.1],
  [0, 123_456_789_123],
  [1e-9, 3e-9],
  [100_000.1, 100_000.2],
  [1e9, 1e9 + 1],
] as const;

it.each(VALUES)("a target of %d and %d is described as well as one of 0 and 1", async (zero, one) => {
  const plain = await runWith(0, 1);
  const told = await runWith(zero, one);
  expect(told.result.verdict).toBe(plain.result.verdict);
  expect(told.predicted.observed).toEqual(plain.predicted.observed);
  near(told.result.scores, plain.result.scores);
  near(told.scores?.average, plain.scores?.average);
});

it("and so with the paper's settings", async () => {
  const plain = await runWith(0, 1, "paper");
  const told = await runWith(0.1, 0.7, "paper");
  expect(told.predicted.observed).toEqual(plain.predicted.observed);
  expect(told.result.scores?.rows).toBe(200);
});
