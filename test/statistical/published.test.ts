import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fit } from "../../src/index.js";
import type { FitOptions } from "../../src/options/fit.js";
import { long, short } from "../long.js";

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
      scalePrior: "fixed",
      modelPrior,
      // BMS expects half of the variables unless told.
      ...(modelPrior !== "uniform" && {
        expectedSize: expectedSize ?? (Object.keys(columns).length - 1) / 2,
      }),
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

/** See test/reference/scale-priors.R. */
const scales = JSON.parse(readFileSync(new URL("../reference/scale-priors.json", import.meta.url), "utf8"));

describe("fit with Zellner's slab and a prior on g", () => {
  const { target, columns } = reference.crime as Analysis;
  const fitted = (scalePrior: NonNullable<FitOptions["scalePrior"]>) =>
    fit(columns, { target, slab: "zellner", modelPrior: "uniform", scalePrior });

  it("reproduces BMS's hyper-g prior, coefficients and all", async () => {
    const { variables } = await fitted("hyper-g");
    for (const { name, pip, mean, sd } of variables) {
      const j = scales.names.indexOf(name);
      expect(Math.abs(pip - scales.hyperG.pip[j])).toBeLessThan(5e-4);
      // Models beyond the thousand most probable have the coefficients of their likeliest scale.
      expect(Math.abs(mean - scales.hyperG.mean[j])).toBeLessThan(0.01 * scales.hyperG.sd[j]);
      expect(Math.abs(sd / scales.hyperG.sd[j] - 1)).toBeLessThan(0.01);
    }
  });

  it.each([
    ["zellner-siow", "zellnerSiow"],
    ["hyper-g-n", "hyperGN"],
  ] as const)("is the integral over g: %s", async (prior, key) => {
    for (const { name, pip } of (await fitted(prior)).variables) {
      expect(Math.abs(pip - scales[key][scales.names.indexOf(name)])).toBeLessThan(2e-4);
    }
  });
});

describe("fit on the growth regressions of Fernández, Ley and Steel (2001)", () => {
  it.skipIf(short)(long("agrees with BMS's sampler on 2⁴¹ models within the errors of both"), async () => {
    const { target, columns, g, ...theirs } = reference.growthWhole;
    const result = await fit(columns, { target, slab: "zellner", g, modelPrior: "uniform" });
    expect(result.settings.posterior).toBe("sampled");
    const names = Object.keys(columns).filter((name) => name !== target);
    const ours = names.map((name) => result.variables.find((variable) => variable.name === name)!);
    // Three chains give BMS's errors only roughly, so they are pooled; means are in units of the effect.
    const unit = ours.map(({ meanIfIncluded, sd }) => Math.max(Math.abs(meanIfIncluded), sd));
    const pooled = (errors: readonly number[]) =>
      Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length);
    const pipError = pooled(theirs.pipError);
    const meanError = pooled(theirs.meanError.map((error: number, j: number) => error / unit[j]));
    const pipZ = ours.map(({ pip, pipError: own }, j) => (pip - theirs.pip[j]) / Math.hypot(pipError, own));
    const meanZ = ours.map(({ mean, pipError: own }, j) => {
      return (mean - theirs.mean[j]) / unit[j] / Math.hypot(meanError, own);
    });
    // Chi-square over 41: above 2.2 with probability below 1e-4. Above 4.5 any one of 82: below 1e-3.
    for (const z of [pipZ, meanZ]) {
      expect(pooled(z) ** 2).toBeLessThan(2.2);
      expect(Math.max(...z.map(Math.abs))).toBeLessThan(4.5);
    }
    expect(pipError).toBeLessThan(0.01);
  });
});
