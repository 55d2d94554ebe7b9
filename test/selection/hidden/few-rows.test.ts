import { describe, expect, it } from "vitest";
import { fit } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { beyondSentence } from "../../../src/report/text/sentences.js";
import { nearness } from "../../../src/selection/hidden/look.js";
import { neededCorrelation } from "../../../src/selection/hidden/pair-scan.js";

describe("where rows are few", () => {
  it.each([3, 4, 5, 8, 12, 17])("hardly any of many unrelated columns of %i rows are neighbours", (rows) => {
    const rng = Rng.seeded(rows);
    const near = nearness(rows);
    const columns = Array.from({ length: 800 }, () => {
      const x = Array.from({ length: rows }, () => normal(rng));
      const mean = x.reduce((sum, value) => sum + value, 0) / rows;
      const length = Math.hypot(...x.map((value) => value - mean));
      return x.map((value) => (value - mean) / length);
    });
    let found = 0;
    columns.forEach((x, i) => {
      for (const y of columns.slice(0, i)) {
        const r = x.reduce((sum, value, k) => sum + value * y[k], 0);
        if (Math.abs(r) >= near) found += 1;
      }
    });
    // Once in 7,000 times: 46 of 319,600 pairs, and fewer where columns are as near as that only if they are alike.
    expect(found).toBeLessThan(80);
    expect(near).toBeGreaterThanOrEqual(0.9);
  });

  it("is as it was where they are not", () => {
    expect(nearness(64)).toBeCloseTo(3.8 / 8, 12);
    expect(nearness(128)).toBeCloseTo(3.8 / Math.sqrt(128), 12);
  });

  it("no correlation is enough for a pair that no model has room for", () => {
    expect(neededCorrelation(1, 0.5, Number.POSITIVE_INFINITY)).toBe(1);
    expect(neededCorrelation(1, 0, Number.POSITIVE_INFINITY)).toBe(1);
  });

  it.each([
    [3, undefined, "Pairs were not weighed: a model has room for none here."],
    [30, 1, "Pairs were not weighed: a model has room for one variable here."],
  ])("says that pairs were not weighed: %i rows, at most %s variables", async (rows, maxSize, said) => {
    const rng = Rng.seeded(1);
    const drawn = () => Array.from({ length: rows }, () => normal(rng));
    const columns = Array.from({ length: 400 }, (_, j) => [`x${j}`, drawn()] as const);
    const data = { ...Object.fromEntries(columns), y: drawn() };
    const result = await fit(data, { target: "y", ...(maxSize !== undefined && { maxSize }) });
    expect(beyondSentence(result)).toContain(said);
  });
});
