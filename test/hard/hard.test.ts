import { describe, expect, it } from "vitest";
import { judged, TRUTHS } from "./judged.js";
import { PROBLEMS } from "./problems.js";

const small = PROBLEMS.filter(({ tier }) => tier === 1);

describe("a hard problem is answered right, or the verdict names the doubt", () => {
  it.each(small.map((problem) => [problem.name, problem] as const))("%s", async (_, problem) => {
    const { passed, probability, mean, verdict } = await judged(problem);
    const told =
      `probability of ${probability.of} off by ${probability.error.toFixed(3)}, ` +
      `mean of ${mean.of} by ${mean.error.toFixed(2)} sd; "${verdict.slice(0, 80)}"`;
    expect(passed, told).toBe(true);
  });
});

describe("the suite", () => {
  it("has at least a hundred problems, each with a truth that is known well enough to judge by", () => {
    expect(small.length).toBeGreaterThanOrEqual(100);
    expect(new Set(PROBLEMS.map(({ name }) => name)).size).toBe(PROBLEMS.length);
    for (const { name, family } of PROBLEMS) {
      expect(TRUTHS[name], name).toBeDefined();
      expect(TRUTHS[name].error, name).toBeLessThan(family === "gaussian" ? 0.01 : 0.003);
    }
    expect(Object.keys(TRUTHS)).toHaveLength(PROBLEMS.length);
  });
});
