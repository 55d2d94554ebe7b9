import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fit } from "../../src/index.js";
import type { FitOptions } from "../../src/selection/options.js";

/** Public data analysed by R's BMS; see test/reference/bms.R for what they are and how the numbers were made. */
interface Analysis {
  readonly target: string;
  readonly columns: Readonly<Record<string, number[]>>;
  readonly fits: readonly {
    readonly modelPrior: NonNullable<FitOptions["modelPrior"]>;
    readonly expectedSize?: number;
    readonly answer: {
      readonly pip: number[];
      readonly mean: number[];
      readonly sd: number[];
      readonly size: number;
      /** Of the best model against the second. */
      readonly odds: number;
    };
  }[];
}

const reference = JSON.parse(readFileSync(new URL("../reference/bms.json", import.meta.url), "utf8"));

const cases = (["crime", "growth", "swiss"] as const).flatMap((name) => {
  const { target, columns, fits } = reference[name] as Analysis;
  return fits.map((one) => ({ name, target, columns, ...one }));
});

describe("fit with Zellner's slab, g = N", () => {
  it.each(cases)("reproduces BMS: $name, $modelPrior, expected size $expectedSize", async (one) => {
    const { target, columns, modelPrior, expectedSize, answer } = one;
    const result = await fit(columns, {
      target,
      slab: "zellner",
      modelPrior,
      ...(expectedSize !== undefined && { expectedSize }),
    });
    expect(result.settings.posterior).toBe("enumerated");
    const names = Object.keys(columns).filter((name) => name !== target);
    names.forEach((name, j) => {
      const ours = result.variables.find((variable) => variable.name === name)!;
      expect(Math.abs(ours.pip - answer.pip[j])).toBeLessThan(1e-3);
      // Means and deviations in units of the larger of the two: columns come in very different units.
      const unit = Math.max(answer.sd[j], Math.abs(answer.mean[j]));
      expect(Math.abs(ours.mean - answer.mean[j]) / unit).toBeLessThan(1e-3);
      expect(Math.abs(ours.sd - answer.sd[j]) / unit).toBeLessThan(1e-3);
    });
    expect(Math.abs(result.modelSize.mean - answer.size)).toBeLessThan(1e-3);
    const [best, second] = result.models!;
    expect(Math.abs(best.probability / second.probability / answer.odds - 1)).toBeLessThan(1e-3);
  });
});

describe("fit on the growth regressions of Fernández, Ley and Steel (2001)", () => {
  it("agrees with BMS's sampler on 2⁴¹ models, each within its error", async () => {
    const { target, columns, g, pip, pipError, mean } = reference.growthWhole;
    const result = await fit(columns, { target, slab: "zellner", g, modelPrior: "uniform" });
    expect(result.settings.posterior).toBe("sampled");
    const names = Object.keys(columns).filter((name) => name !== target);
    // Three chains give BMS's errors only roughly, so they are pooled: the root mean square over the 41.
    const theirs = Math.sqrt(pipError.reduce((sum: number, e: number) => sum + e * e, 0) / names.length);
    let squares = 0;
    names.forEach((name, j) => {
      const ours = result.variables.find((variable) => variable.name === name)!;
      const z = (ours.pip - pip[j]) / Math.hypot(theirs, ours.pipError);
      squares += z * z;
      // 41 comparisons with errors on two degrees of freedom each; 0.03 is what the eye would notice.
      expect(Math.abs(ours.pip - pip[j])).toBeLessThan(0.03);
      expect(Math.abs(ours.mean - mean[j])).toBeLessThan(
        0.03 * Math.max(Math.abs(ours.meanIfIncluded), ours.sd) + 1e-6,
      );
    });
    // Chi-square with 41 degrees of freedom: above 2.2 per degree with probability below 1e-4.
    expect(squares / names.length).toBeLessThan(2.2);
    // As published: initial income 1.00, Confucian 0.995, life expectancy 0.946, equipment investment 0.942.
    for (const [name, published] of [
      ["GDP60", 1],
      ["Confucian", 0.995],
      ["LifeExp", 0.946],
      ["EquipInv", 0.942],
    ] as const) {
      const ours = result.variables.find((variable) => variable.name === name)!;
      expect(Math.abs(ours.pip - published)).toBeLessThan(0.02);
    }
  });
});
