import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fitRegression, variable } from "../selection/fit-arrays.js";
import { glmBruteForce } from "../selection/glm-brute-force.js";
import { GLM_PROBLEMS, glmProblem } from "../selection/glm-problems.js";

/**
 * Random logistic and Poisson problems through `fit` and by brute force with accurate marginal likelihoods, which
 * takes minutes and is therefore stored. Every other pair is forced through search and certificate, although it is
 * small enough to do without. The answers are enumerated: nothing here can fail by chance, as seeds are fixed.
 */
interface Stored {
  readonly index: number;
  readonly rows: number;
  readonly sum: number;
  readonly pip: number[];
  readonly error: number;
}
const stored: Stored[] = JSON.parse(
  readFileSync(new URL("../reference/glm-enumeration.json", import.meta.url), "utf8"),
);
const problems = Array.from({ length: GLM_PROBLEMS }, (_, index) => index);

describe("fit on 30 random problems of classes and counts", () => {
  it.each(problems)("problem %i agrees with enumeration", async (index) => {
    const { data, options } = glmProblem(index);
    const { pip, rows, sum, error } = stored[index];
    // These are the data that the stored numbers are about, and the numbers are accurate.
    expect([data.y.length, data.y.reduce((a, b) => a + b, 0)]).toEqual([rows, sum]);
    expect(error).toBeLessThan(0.005);
    const result = await fitRegression(data, options, index % 4 < 2);
    pip.forEach((expected, j) => {
      expect(Math.abs(variable(result, `x${j}`).pip - expected)).toBeLessThan(0.03);
    });
    expect(result.certificate?.complete).toBe(true);
  });

  it("has inclusion probabilities of every kind among them", () => {
    const all = stored.flatMap(({ pip }) => pip);
    const share = (low: number, high: number) =>
      all.filter((pip) => pip > low && pip < high).length / all.length;
    expect(share(0.05, 0.95)).toBeGreaterThan(0.3);
    expect(share(0, 0.05)).toBeGreaterThan(0.05);
    expect(share(0.95, 1)).toBeGreaterThan(0.05);
  });

  it("compares with numbers that brute force gives again", () => {
    const small = problems
      .filter((index) => stored[index].pip.length <= 4)
      .sort((a, b) => stored[a].rows - stored[b].rows)[0];
    const { data, truth } = glmProblem(small);
    const { pip } = glmBruteForce(data, { ...truth, accuracy: 0.01 });
    // An error of 0.01 in the logarithms moves an even probability by 0.0025 times a few.
    pip.forEach((value, j) => {
      expect(Math.abs(value - stored[small].pip[j])).toBeLessThan(0.01);
    });
  });
});
