import { describe, expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { expit } from "../../../src/math/special.js";
import { poisson } from "../../../src/math/variates.js";
import { fitRegression, inclusion, variable } from "../fit-arrays.js";

const rows = 400;
const effects = { gaussian: [0.2, -0.16, 0.13], binomial: [0.4, -0.3, 0.25], poisson: [0.2, -0.16, 0.13] };

/** Six columns, of which three matter a little: some inclusion probabilities are in doubt. */
function weak(family: keyof typeof effects) {
  const rng = Rng.seeded(31);
  const columns = Array.from({ length: 6 }, () => Float64Array.from({ length: rows }, () => normal(rng)));
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const eta = effects[family].reduce((sum, effect, j) => sum + effect * columns[j][i], 0);
    if (family === "gaussian") return eta + normal(rng);
    return family === "binomial" ? (rng.uniform() < expit(eta) ? 1 : 0) : poisson(rng, Math.exp(eta));
  });
  return { columns, y };
}

describe.each(["gaussian", "binomial", "poisson"] as const)(
  "one hole in a column that is out: %s",
  (family) => {
    it("leaves inclusion probabilities and effects as the complete data have them", async () => {
      const { columns, y } = weak(family);
      const options = { family, priorInclusion: 0.3 };
      const whole = await fitRegression({ columns, y }, options);
      const holed = columns.map((values, j) =>
        j === 5 ? values.map((v, i) => (i === 4 ? Number.NaN : v)) : values,
      );
      const imputed = await fitRegression({ columns: holed, y }, { ...options, iterations: 400 });
      const probabilities = inclusion(whole);
      expect(probabilities.some((p) => p > 0.1 && p < 0.9)).toBe(true);
      // What else there is are Monte Carlo errors, four of them, and Laplace's approximation to the complete data.
      inclusion(imputed).forEach((pip, j) => {
        const { pipError, mean } = variable(imputed, `x${j}`);
        expect(Math.abs(pip - probabilities[j])).toBeLessThan(
          4 * pipError + (family === "gaussian" ? 1e-3 : 0.01),
        );
        const { mean: exact, sd } = variable(whole, `x${j}`);
        expect(Math.abs(mean - exact)).toBeLessThan(0.15 * sd);
      });
    });
  },
);
