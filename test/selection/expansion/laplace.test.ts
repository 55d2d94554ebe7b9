import { describe, expect, it, test } from "vitest";
import { fit } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { fitRegression, inclusion } from "../fit-arrays.js";
import { glmBruteForce } from "../glm-brute-force.js";

/** Classes of which columns of noise and one weak effect are to blame. */
function classes(seed: number, rows: number, columns: number) {
  const rng = Rng.seeded(seed);
  const x = Array.from({ length: columns }, () => Array.from({ length: rows }, () => normal(rng)));
  const y = x[0].map((value) => (rng.uniform() < 1 / (1 + Math.exp(-value)) ? 1 : 0));
  return { columns: x, y };
}
const poor = /quadratic approximation is poor/;

describe("many models that share the posterior", () => {
  test.each([
    [5, 40, 9],
    [6, 60, 9],
    [7, 30, 8],
    [8, 100, 9],
  ])(
    "are weighed right although few are worked out, or the verdict says so: seed %i, %i rows, %i columns",
    async (seed, rows, columns) => {
      const data = classes(seed, rows, columns);
      const options = { family: "binomial", modelPrior: "uniform", slabVariance: 1 } as const;
      const result = await fitRegression(data, options);
      const truth = glmBruteForce(data, {
        family: "binomial",
        slabVariance: 1,
        logPrior: () => 0,
        accuracy: 0.1,
      });
      const worst = Math.max(...inclusion(result).map((pip, j) => Math.abs(pip - truth.pip[j])));
      expect(worst < 0.03 || poor.test(result.verdict ?? "")).toBe(true);
    },
  );
});

describe("few rows", () => {
  it.each(["binomial", "poisson"] as const)("have the errors that are stated: %s", async (family) => {
    let [squares, count] = [0, 0];
    for (let seed = 1; seed <= 10; seed++) {
      const rng = Rng.seeded(700 + seed);
      const rows = 40 + 10 * (seed % 3);
      const x = Array.from({ length: 3 }, () => Array.from({ length: rows }, () => normal(rng)));
      const y = x[0].map((value) => {
        if (family === "binomial") return rng.uniform() < 1 / (1 + Math.exp(-0.8 * value)) ? 1 : 0;
        let events = 0;
        for (let left = rng.uniform(); left > Math.exp(-Math.exp(0.8 * value - 1)); left *= rng.uniform())
          events += 1;
        return events;
      });
      const data = { columns: x, y };
      const result = await fitRegression(data, { family, modelPrior: "uniform", slabVariance: 1 });
      const truth = glmBruteForce(data, { family, slabVariance: 1, logPrior: () => 0, accuracy: 0.01 });
      truth.pip.forEach((pip, j) => {
        const { pip: stated, pipError } = result.variables.find(({ name }) => name === `x${j}`)!;
        squares += ((stated - pip) / Math.max(pipError, 1e-4)) ** 2;
        count += 1;
      });
    }
    // 2.2 and 1.5 with sixteen pairs of draws; of 30 errors of the size that is stated, beyond 1.4 once in a thousand.
    expect(Math.sqrt(squares / count)).toBeLessThan(1.4);
  });
});

describe("the verdict on classes", () => {
  it("warns where there is no work for the models that matter", async () => {
    // Fewer columns than are drawn without an expansion, and more models than are worked out.
    const { columns, y } = classes(5, 30, 17);
    const named = Object.fromEntries(columns.map((values, j) => [`x${j}`, values]));
    const { verdict } = await fit(
      { ...named, y },
      { target: "y", family: "binomial", modelPrior: "uniform" },
    );
    expect(verdict).toMatch(poor);
  });

  it("has nothing to say where the models that matter were worked out", async () => {
    const { columns, y } = classes(5, 2000, 11);
    const named = Object.fromEntries(columns.map((values, j) => [`x${j}`, values]));
    const { verdict } = await fit({ ...named, y }, { target: "y", family: "binomial" });
    expect(verdict).not.toMatch(poor);
  });
});
