import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mixed } from "../../../src/index.js";

interface Theirs {
  readonly formula: string;
  readonly rows: Record<string, (number | string)[]>;
  readonly fixed: Record<string, number>;
  readonly fixedError: Record<string, number>;
  readonly sd: readonly { group: string; sd: number; lower: number; upper: number }[];
}

const theirs: Record<string, Theirs> = JSON.parse(readFileSync("test/reference/mixed.json", "utf8"));
/** By quadrature with our priors (glmm-posterior.ts). */
const exact: Record<
  string,
  Record<string, { readonly mean: number; readonly sd: number; readonly mode: number }>
> = JSON.parse(readFileSync("test/reference/glmm-posterior.json", "utf8"));

/** Of a draw, by our names, what lme4 calls by its own: baselines may differ. */
type Draw = (name: string) => number;
const same =
  (name: string) =>
  (draw: Draw): number =>
    draw(name);

const examples: Record<string, { options?: object; fixed: Record<string, (draw: Draw) => number> }> = {
  penicillin: { fixed: { "(Intercept)": same("(intercept)") } },
  pastes: { fixed: { "(Intercept)": same("(intercept)") } },
  cake: {
    fixed: {
      "(Intercept)": same("(intercept)"),
      recipeB: same("recipe=B"),
      recipeC: same("recipe=C"),
      temp: same("temp"),
    },
  },
  sleepstudy: { fixed: { "(Intercept)": same("(intercept)"), Days: same("Days") } },
  cbpp: {
    options: { trials: "size" },
    fixed: {
      "(Intercept)": same("(intercept)"),
      period2: same("period=2"),
      period3: same("period=3"),
      period4: same("period=4"),
    },
  },
  grouseticks: {
    options: { family: "poisson" },
    fixed: {
      "(Intercept)": (draw) => draw("(intercept)") + draw("YEAR=95"),
      YEAR96: (draw) => -draw("YEAR=95"),
      YEAR97: (draw) => draw("YEAR=97") - draw("YEAR=95"),
      cHEIGHT: same("cHEIGHT"),
    },
  },
};

describe("lme4's examples", () => {
  it.each(Object.keys(examples))(
    "%s: its estimates lie where the posterior says, and the other way round",
    async (name) => {
      const { formula, rows, fixed, fixedError, sd } = theirs[name];
      const { options, fixed: map } = examples[name];
      const fit = await mixed(rows, { formula, seed: 1, ...options });
      const mean: Draw = (own) => fit.result.fixed.find((effect) => effect.name === own)?.mean ?? Number.NaN;
      // Posteriors of classes and counts are skew, their means up to an eighth of an error from the maximum: there it is
      // the mode that lies where lme4 says, and the draws must have the means of that same posterior.
      const mode: Draw = (own) => exact[name][own].mode;
      for (const [its, read] of Object.entries(map)) {
        // Means have Monte Carlo errors of their own: a thirtieth of a standard error with 900 effective draws.
        const apart = Math.abs(read(exact[name] ? mode : mean) - fixed[its]) / fixedError[its];
        expect(apart, its).toBeLessThan(0.1);
      }
      for (const effect of exact[name] ? fit.result.fixed : []) {
        // Eight means at 4 errors: a false alarm once in 2000 seeds.
        const truth = exact[name][effect.name];
        const error = truth.sd / Math.sqrt(effect.ess ?? 0);
        expect(Math.abs(effect.mean - truth.mean), effect.name).toBeLessThan(4 * error);
        expect(Math.abs(effect.sd / truth.sd - 1), effect.name).toBeLessThan(0.1);
      }
      const terms = fit.result.terms ?? [{ ...fit.result.random, group: fit.result.group }];
      const parts = (group: string) => group.replace(/\.1$/, "").split(":").sort().join(":");
      const slopes = sd.filter(({ group }) => group !== "Residual");
      const used = new Set<number>();
      for (const { group, sd: estimate, lower, upper } of slopes) {
        const t = terms.findIndex((each, i) => !used.has(i) && parts(each.group) === parts(group));
        used.add(t);
        const ours = terms[t].sd[0];
        expect(ours.lower, group).toBeLessThan(estimate);
        expect(ours.upper, group).toBeGreaterThan(estimate);
        expect(ours.median, group).toBeGreaterThan(lower);
        expect(ours.median, group).toBeLessThan(upper);
      }
    },
  );
});
