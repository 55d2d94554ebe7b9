import { expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { gamma, poisson } from "../../../src/math/variates.js";
import { fit, run } from "../../../src/node.js";
import { predictTable } from "../../../src/prediction/predict.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";

/** Counts with mean exp(0.5 + 0.6·x1), times a gamma variate of mean 1 where they are to vary more. */
function counts(rows: number, shape: number, seed: number) {
  const rng = Rng.seeded(seed);
  const x1 = Array.from({ length: rows }, () => normal(rng));
  const x2 = Array.from({ length: rows }, () => 50 + normal(rng));
  const y = x1.map((x) => {
    const extra = Number.isFinite(shape) ? gamma(rng, shape) / shape : 1;
    return poisson(rng, extra * Math.exp(0.5 + 0.6 * x));
  });
  return { x1, x2, y };
}

const said = (notes: readonly string[] = []) => notes.find((note) => note.includes("times as much")) ?? "";

test("Poisson counts are not said to vary too much", async () => {
  // The bound lies five standard errors above 1: about one false alarm in three million.
  for (let seed = 1; seed <= 5; seed++) {
    const { notes, family } = await fit(counts(600, Number.POSITIVE_INFINITY, seed), {
      target: "y",
      threads: 1,
    });
    expect(family).toBe("poisson");
    expect(said(notes)).toBe("");
  }
});

test("counts that vary more are told by how much, as the residuals of the predictions say", async () => {
  const data = counts(2000, 1, 1);
  const { result, details } = await run(data, { target: "y", threads: 1 });
  const { median } = await predictTable(details.predictor(), arrayTable(data));
  const members = details.predictor().median.members.length;
  const pearson = data.y.reduce((sum, y, i) => sum + (y - median[i]) ** 2 / median[i], 0);
  const times = Number(/vary ([\d.]+) times/.exec(said(result.notes))?.[1]);
  // Predicted means include half the variance of η, which is small here; the figure is rounded to a digit.
  expect(Math.abs(times - pearson / (2000 - members - 1))).toBeLessThan(0.06);
  expect(times).toBeGreaterThan(2);
});
