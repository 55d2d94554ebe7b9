import { describe, expect, it } from "vitest";
import { fit } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";

/** Classes of which ten columns of noise and one weak effect are to blame. */
function classes(rows: number): Record<string, Float64Array> {
  const rng = Rng.seeded(5);
  const columns: Record<string, Float64Array> = {};
  for (let j = 0; j < 11; j++) columns[`x${j}`] = Float64Array.from({ length: rows }, () => normal(rng));
  columns.y = columns.x0.map((x) => (rng.uniform() < 1 / (1 + Math.exp(-x)) ? 1 : 0));
  return columns;
}
const poor = /quadratic approximation is poor/;

describe("the verdict on classes", () => {
  it("warns where few rows spread the posterior over models that could not all be worked out", async () => {
    const { verdict } = await fit(classes(40), { target: "y", family: "binomial", modelPrior: "uniform" });
    expect(verdict).toMatch(poor);
  });

  it("has nothing to say where the models that matter were worked out", async () => {
    const { verdict } = await fit(classes(2000), { target: "y", family: "binomial" });
    expect(verdict).not.toMatch(poor);
  });
});
