import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { binomialScores } from "../../src/diagnostics/predictive.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { run } from "../../src/node.js";
import { predictTable } from "../../src/prediction/predict.js";
import { rocCurve } from "../../src/report/page/goodness.js";
import { htmlReport } from "../../src/report/page/page.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { exampleRun } from "./example.js";

const rng = Rng.seeded(3);
const x1 = Array.from({ length: 300 }, () => normal(rng));
const x2 = x1.map(() => normal(rng));
const y = x1.map((x) => 100 + 5 * x + normal(rng));

describe("how good it is", () => {
  it("has the scores of the rows that were fitted, as predictions of the same rows give them", async () => {
    const { result, details, predicted } = await run({ x1, x2, y }, { target: "y", threads: 1 });
    const again = await predictTable(details.predictor(), arrayTable({ x1, x2, y }));
    const [ours, theirs] = [result.scores, again.scores!.median] as {
      r2: number;
      rmse: number;
      rows: number;
    }[];
    // The most probable model is the median one here; the store keeps single precision.
    expect(ours.rows).toBe(300);
    expect(ours.r2).toBeCloseTo(theirs.r2, 5);
    expect(ours.rmse).toBeCloseTo(theirs.rmse, 4);
    expect(predicted.of).toBe("fitted");
    const sorted = (values: readonly number[]) => Float64Array.from(values).sort();
    const told = sorted(predicted.observed);
    sorted(y).forEach((value, i) => {
      expect(Math.abs(told[i] - value)).toBeLessThan(1e-3);
    });
  });

  it("and the rows that were held out, where there are any", async () => {
    const { result, predicted } = await run({ x1, x2, y }, { target: "y", threads: 1, holdout: 0.3 });
    expect(predicted.of).toBe("held out");
    expect(predicted.observed).toHaveLength(result.holdout!.rows);
    const error = predicted.observed.reduce(
      (sum, value, i) => sum + (value - predicted.predicted[i]) ** 2,
      0,
    );
    const { rmse } = result.holdout!.average as { rmse: number };
    expect(Math.sqrt(error / result.holdout!.rows)).toBeCloseTo(rmse, 3);
  });

  it("a ROC curve encloses the area that the score has, ties and all", () => {
    const observed = x1.map((x, i) => Number(x + x2[i] > 0));
    for (const digits of [6, 1]) {
      const predicted = x1.map((x) => Number((1 / (1 + Math.exp(-x))).toFixed(digits)));
      const curve = rocCurve({ of: "fitted", observed, predicted });
      let area = 0;
      for (let i = 1; i < curve.length; i++) {
        area += 0.5 * (curve[i].x - curve[i - 1].x) * (curve[i].y + curve[i - 1].y);
      }
      expect(area).toBeCloseTo(binomialScores(observed, predicted).auc!, 10);
      expect(curve.at(-1)).toEqual({ x: 1, y: 1 });
    }
  });

  it("the page shows pictures of what the family has", () => {
    const page = (family: "gaussian" | "binomial", scores: object) => {
      const example = exampleRun({ family, scores } as object);
      const predicted = { of: "fitted", observed: [0, 1, 1, 0], predicted: [0.2, 0.7, 0.6, 0.4] } as const;
      return htmlReport({ ...example, predicted }, parseHTML("<html></html>").document);
    };
    const measured = page("gaussian", { rows: 4, rmse: 0.3, r2: 0.5 });
    expect(measured).toContain("Observed against predicted");
    expect(measured).not.toContain("ROC curve");
    const classes = page("binomial", { rows: 4, errorRate: 0, logLoss: 0.4, brier: 0.1, auc: 1 });
    expect(classes).toContain("ROC curve");
    expect(classes).toContain("Calibration");
  });
});
