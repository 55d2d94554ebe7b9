import { describe, expect, it } from "vitest";
import { HOLED_EFFECTS, holedRegression } from "../../../src/experiments/missing-data.js";
import { resultText } from "../../../src/report/text/result.js";
import { fitRegression, variable } from "../fit-arrays.js";

describe.each(["binomial", "poisson"] as const)("missing predictors of a %s target", (family) => {
  it("are drawn, and the true model is found with its coefficients where means get them wrong", async () => {
    const data = holedRegression({ rows: 3000, columns: 6, share: 0.3, seed: 11, family });
    const imputed = await fitRegression(data, { family, iterations: 60 });
    expect(imputed.settings.likelihood).toBe(family === "binomial" ? "exact" : "expanded");
    expect(resultText(imputed)).toContain(
      family === "binomial" ? "Estimated: models" : "Approximate: models",
    );
    const means = await fitRegression(data, { family, missing: "mean" });
    const furthest = (result: typeof means) =>
      Math.max(
        ...HOLED_EFFECTS.map((truth, j) => {
          const { mean, sd } = variable(result, `x${j}`);
          return Math.abs(mean - truth) / sd;
        }),
      );
    data.effects.forEach((truth, j) => {
      expect(variable(imputed, `x${j}`).selected).toBe(truth !== 0);
    });
    // Three effects within three posterior sds: a false alarm in 120 seeds; this is one seed.
    expect(furthest(imputed)).toBeLessThan(3);
    expect(furthest(means)).toBeGreaterThan(3);
  });
});
