import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mixed } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { logMarginalLikelihood } from "../../../src/mixed/rows/marginal-likelihood.js";
import { ONES, type RowsProblem } from "../../../src/mixed/rows/problem.js";

const theirs = JSON.parse(readFileSync("test/reference/mixed.json", "utf8"));
type Cell = string | number;

/** Rows as they are, in the units of the data. */
function problemOf(
  family: RowsProblem["family"],
  y: readonly number[],
  x: readonly (readonly number[])[],
  groupings: readonly { of: readonly Cell[]; columns?: readonly number[] }[],
  weights?: readonly number[],
): RowsProblem {
  return {
    family,
    rows: y.length,
    columns: Float64Array.from(x.flat()),
    fixed: [ONES, ...x.keys()],
    y: Float64Array.from(y),
    weights: weights && Float64Array.from(weights),
    offset: undefined,
    terms: groupings.map(({ of, columns = [ONES] }) => {
      const levels = [...new Set(of)];
      return {
        codes: Int32Array.from(of, (value) => levels.indexOf(value)),
        levels: levels.length,
        columns,
        shifts: [],
        resolutions: [],
      };
    }),
    nests: [],
    priors: { fixedPrecision: 0, law: "half-t", degrees: 2, spread: 1 },
  };
}

const pairs = (a: readonly Cell[], b: readonly Cell[]): string[] => a.map((value, i) => `${value}:${b[i]}`);
const is = (values: readonly Cell[], level: Cell): number[] => values.map((value) => Number(value === level));

describe("log likelihoods of lme4's examples, at its estimates", () => {
  const { penicillin, pastes, cake, sleepstudy, cbpp, grouseticks } = theirs;
  const examples: Record<
    string,
    [RowsProblem, { fixed: object; sd: number[] | number; logLikelihood: number }]
  > = {
    penicillin: [
      problemOf(
        "gaussian",
        penicillin.rows.diameter,
        [],
        [{ of: penicillin.rows.plate }, { of: penicillin.rows.sample }],
      ),
      penicillin,
    ],
    pastes: [
      problemOf(
        "gaussian",
        pastes.rows.strength,
        [],
        [{ of: pairs(pastes.rows.cask, pastes.rows.batch) }, { of: pastes.rows.batch }],
      ),
      pastes,
    ],
    cake: [
      problemOf(
        "gaussian",
        cake.rows.angle,
        [is(cake.rows.recipe, "B"), is(cake.rows.recipe, "C"), cake.rows.temp],
        [{ of: pairs(cake.rows.recipe, cake.rows.replicate) }],
      ),
      cake,
    ],
    sleepstudy: [
      problemOf(
        "gaussian",
        sleepstudy.rows.Reaction,
        [sleepstudy.rows.Days],
        [{ of: sleepstudy.rows.Subject }, { of: sleepstudy.rows.Subject, columns: [0] }],
      ),
      sleepstudy,
    ],
    cbpp: [
      problemOf(
        "binomial",
        cbpp.rows.incidence.map((value: number, i: number) => value / cbpp.rows.size[i]),
        ["2", "3", "4"].map((level) => is(cbpp.rows.period, level)),
        [{ of: cbpp.rows.herd }],
        cbpp.rows.size,
      ),
      { ...cbpp.laplace, sd: [cbpp.laplace.sd] },
    ],
    grouseticks: [
      problemOf(
        "poisson",
        grouseticks.rows.TICKS,
        [is(grouseticks.rows.YEAR, "96"), is(grouseticks.rows.YEAR, "97"), grouseticks.rows.cHEIGHT],
        [{ of: grouseticks.rows.BROOD }, { of: grouseticks.rows.LOCATION }],
      ),
      grouseticks,
    ],
  };

  it.each(Object.keys(examples))("%s", (name) => {
    const [problem, { fixed, sd, logLikelihood }] = examples[name];
    const spreads = (sd as (number | { sd: number })[]).map((each) =>
      typeof each === "number" ? each : each.sd,
    );
    const value = logMarginalLikelihood(problem, {
      beta: Object.values(fixed) as number[],
      noise: problem.family === "gaussian" ? (spreads.at(-1) as number) ** 2 : 1,
      covariances: problem.terms.map((_, t) => Float64Array.of(spreads[t] ** 2)),
    });
    // lme4's own search for the mode of the effects stops at about this.
    expect(Math.abs((value as number) - logLikelihood)).toBeLessThan(2e-3);
  });
});

it("is that of the dense normal law, with weights and correlated slopes in three crossed groupings", () => {
  const rng = Rng.seeded(2);
  const rows = 40;
  const x = Array.from({ length: rows }, () => normal(rng));
  const weights = x.map((_, i) => 1 + (i % 3));
  const y = x.map((value) => value + normal(rng));
  const codes = [7, 5, 3].map((levels) => x.map(() => Math.floor(levels * rng.uniform())));
  const problem = problemOf(
    "gaussian",
    y,
    [x],
    codes.map((of, t) => ({ of, columns: t < 2 ? [ONES, 0] : [0] })),
    weights,
  );
  const covariances = [Float64Array.of(0.9, 0.3, 0.5), Float64Array.of(0.2, -0.1, 0.4), Float64Array.of(0.7)];
  const [beta, noise] = [[0.2, 0.8], 0.6];
  const v = y.map((_, i) =>
    y.map((__, k) =>
      codes.reduce(
        (sum, of, t) => {
          if (of[i] !== of[k]) return sum;
          const [a, b, c] = covariances[t];
          return sum + (t < 2 ? a + b * (x[i] + x[k]) + c * x[i] * x[k] : a * x[i] * x[k]);
        },
        i === k ? noise / weights[i] : 0,
      ),
    ),
  );
  const r = y.map((value, i) => value - beta[0] - beta[1] * x[i]);
  // Pivots of Gauss: their logarithms sum to the determinant's, and r′V⁻¹r comes along.
  let expected = -0.5 * rows * Math.log(2 * Math.PI);
  for (let i = 0; i < rows; i++) {
    expected -= 0.5 * (Math.log(v[i][i]) + r[i] ** 2 / v[i][i]);
    for (let k = i + 1; k < rows; k++) {
      const times = v[k][i] / v[i][i];
      for (let l = i; l < rows; l++) v[k][l] -= times * v[i][l];
      r[k] -= times * r[i];
    }
  }
  expect(logMarginalLikelihood(problem, { beta, noise, covariances })).toBeCloseTo(expected, 8);
});

it("is told of a fit, in the units of the data: just below that of lme4, which is the highest", async () => {
  const { formula, rows, logLikelihood } = theirs.penicillin;
  const fit = await mixed(rows, { formula, seed: 1, iterations: 400 });
  expect(fit.result.logLikelihood).toBeLessThan(logLikelihood);
  expect(fit.result.logLikelihood).toBeGreaterThan(logLikelihood - 2);
  const inOtherUnits = { ...rows, diameter: rows.diameter.map((value: number) => 10 * value) };
  const other = await mixed(inOtherUnits, { formula, seed: 1, iterations: 400 });
  const change = -rows.diameter.length * Math.log(10);
  expect(other.result.logLikelihood).toBeCloseTo((fit.result.logLikelihood as number) + change, 3);
});
