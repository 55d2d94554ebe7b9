import { describe, expect, it } from "vitest";
import { mixed, predict } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { poisson } from "../../../src/math/variates.js";

const rng = Rng.seeded(3);
const levels = Float64Array.from({ length: 12 }, () => normal(rng));
const films = Float64Array.from({ length: 7 }, () => 0.7 * normal(rng));
const rows = Array.from({ length: 240 }, (_, i) => {
  const [g, f] = [i % 12, (i * 5) % 7];
  const x = normal(rng);
  const eta = 0.3 + 0.8 * x + levels[g] + films[f];
  return { g: `u${g}`, f: `f${f}`, x, eta, kind: ["a", "b", "c"][i % 3] };
});
const columns = {
  g: rows.map(({ g }) => g),
  f: rows.map(({ f }) => f),
  x: rows.map(({ x }) => x),
  kind: rows.map(({ kind }) => kind),
  y: rows.map(({ eta }) => eta + 0.5 * normal(rng)),
  hit: rows.map(({ eta }) => Number(rng.uniform() < 1 / (1 + Math.exp(-eta)))),
  word: rows.map(({ eta }) => (rng.uniform() < 1 / (1 + Math.exp(-eta)) ? "yes" : "no")),
  count: rows.map(({ eta }) => poisson(rng, Math.exp(0.5 * eta))),
  w: rows.map((_, i) => 1 + (i % 2)),
  n: rows.map(() => 4),
};
const short = { iterations: 150, chains: 2 } as const;

describe("a target that is no plain number", () => {
  it.each(["hit", "word"])("of two values is a binomial one, and that is said: %s", async (target) => {
    const { result } = await mixed(columns, { target, group: "g", fixed: ["x"], ...short });
    expect(result.family).toBe("binomial");
    expect(result.noiseVariance).toBeUndefined();
    expect(result.notes?.join()).toContain(`"${target}" has two values: binomial`);
    expect(result.fixed.find(({ name }) => name === "x")?.mean).toBeGreaterThan(0.3);
  });

  it("is taken for numbers where that is asked for", async () => {
    const { result } = await mixed(columns, {
      target: "hit",
      group: "g",
      fixed: ["x"],
      family: "gaussian",
      ...short,
    });
    expect(result.family).toBe("gaussian");
    expect(result.noiseVariance?.mean).toBeLessThan(0.3);
  });

  it("is said to be taken for numbers with the settings of the paper", async () => {
    const asked = { target: "hit", group: "g", fixed: ["x"], preset: "paper", iterations: 50 } as const;
    const { result } = await mixed(columns, asked);
    expect(result.notes?.join()).toContain("takes for plain numbers");
  });

  it("may be counts, or successes of trials", async () => {
    const formula = "count ~ x + (1 | g)";
    const { result } = await mixed(columns, { formula, family: "poisson", ...short });
    expect(result.family).toBe("poisson");
    const tried = await mixed(columns, { formula: "hit ~ x + (1 | g)", trials: "n", ...short });
    expect(tried.result.family).toBe("binomial");
    await expect(mixed(columns, { formula, trials: "n", ...short })).rejects.toThrow(
      "between 0 and the trials",
    );
  });
});

describe("successes and trials are counted", () => {
  const n = rows.map((_, i) => 2 + (i % 9));
  const wins = n.map((trials, i) => (i * 7) % (trials + 1));
  const share = wins.map((value, i) => value / n[i]);
  const asked = (data: object, options: object = {}) =>
    mixed({ ...columns, n, ...data } as typeof columns, {
      formula: "wins ~ x + (1 | g)",
      trials: "n",
      ...short,
      ...options,
    });
  const looksLike =
    /^Column "wins" is 0\.\d+ in row 4 and looks like proportions of "n": with trials: "n" the target must be the number of successes, so make a column of "wins" times "n" and name that\.$/;

  it.each([
    ["as they are", share],
    ["to three digits", share.map((value) => Math.round(1000 * value) / 1000)],
  ])("so proportions are refused, %s", async (_, wins) => {
    const other = { formula: "wins ~ x + (1 | g) + (1 | f)" };
    const byOptions = { formula: undefined, target: "wins", group: "g", fixed: ["x"] };
    for (const options of [{}, other, byOptions, { ...byOptions, method: "esgld" }]) {
      await expect(asked({ wins }, options)).rejects.toThrow(looksLike);
    }
  });

  it.each([
    [
      "half a success",
      { wins: wins.map((value, i) => (i === 30 ? 0.5 : value)) },
      /"wins" is 0\.5 in row 31: .*the number of successes, so write whole numbers/,
    ],
    [
      "shares of something else",
      { wins: share.map((value) => value / 3.7) },
      /"wins" is 0\.\d+ in row 2: .*the number of successes, so write whole numbers/,
    ],
    [
      "half a trial",
      { wins, n: n.map((value, i) => value + Number(i === 9) / 2) },
      /"n" is 2\.5 in row 10: trials are counted \(trials: "n"\), so write whole numbers/,
    ],
    [
      "more than the trials",
      { wins: wins.map((value, i) => (i === 4 ? 99 : value)) },
      /"wins" is 99 of 6 trials in row 5: successes must lie between/,
    ],
    [
      "words",
      { wins: columns.word.map((word) => (word === "yes" ? "won" : "lost")) },
      /"wins" holds text: with trials: "n" it must be the number of successes/,
    ],
  ])("and nothing else is taken: %s", async (_, data, reason) => {
    await expect(asked(data)).rejects.toThrow(reason);
  });

  it("rows are those of the data, also where others were left out", async () => {
    const holes = wins.map((value, i) => (i === 50 ? 0.5 : i % 3 === 1 ? Number.NaN : value));
    await expect(asked({ wins: holes })).rejects.toThrow(/"wins" is 0\.5 in row 51:/);
  });

  it("what rounding alone keeps from being whole is whole", async () => {
    const rounded = share.map((value, i) => value * n[i] * (1 + 1e-15));
    expect((await asked({ wins: rounded })).draws).toEqual((await asked({ wins })).draws);
  });

  it("and have neither weights nor another family", async () => {
    await expect(asked({ wins }, { weights: "w" })).rejects.toThrow("counts of successes have trials");
    await expect(asked({ wins }, { family: "poisson" })).rejects.toThrow(
      'trials: "n" makes the target a number of successes, which is not family: "poisson"',
    );
  });
});

describe("no effect is lost, or taken for another, because it is called like one", () => {
  const data = {
    ...columns,
    "(intercept)": columns.x,
    "x:w": columns.x.map((x) => x ** 3),
    "kind=b": columns.x.map((x) => x ** 2),
    z: columns.x.map((x, i) => x + (i % 5)),
  };

  it.each([
    [{ formula: "y ~ `(intercept)` + (1 | g)" }, "(intercept)", "the intercept"],
    [{ formula: "y ~ z + (`(intercept)` | g)" }, "(intercept)", "the intercept"],
    [{ formula: "y ~ `(intercept)` + (1 | g) + (1 | f)" }, "(intercept)", "the intercept"],
    [{ formula: "y ~ z + (1 + `(intercept)` | g) + (1 | f)" }, "(intercept)", "the intercept"],
    [{ target: "y", group: "g", fixed: ["(intercept)"] }, "(intercept)", "the intercept"],
    [{ target: "y", group: "g", fixed: ["z"], random: ["(intercept)"] }, "(intercept)", "the intercept"],
    [{ target: "y", group: "g" }, "(intercept)", "the intercept"],
    [{ formula: "y ~ x*w + `x:w` + (1 | g)" }, "x:w", "a product or a value of others"],
    [{ formula: "y ~ x + (x:w + `x:w` | g)" }, "x:w", "a product or a value of others"],
    [{ formula: "y ~ kind + `kind=b` + (1 | g)" }, "kind=b", "a product or a value of others"],
    [{ formula: "y ~ kind + `kind=b` + (1 | g) + (1 | f)" }, "kind=b", "a product or a value of others"],
  ])("%j", async (asked, name, other) => {
    await expect(mixed(data, { ...asked, ...short })).rejects.toThrow(
      `two effects would be called "${name}", that of a column and that of ${other}; rename the column`,
    );
  });

  it("where nothing is called so such columns have their effects", async () => {
    const fit = await mixed(data, { formula: "y ~ 0 + `(intercept)` + `x:w` + (1 | g)", ...short });
    expect(fit.result.fixed.map(({ name }) => name)).toEqual(["(intercept)", "x:w"]);
    const at = { "(intercept)": [1, 2], "x:w": [0, 0], g: ["new", "new"] };
    const [one, two] = (await predict(fit.predictor(), at)).mean;
    expect(two - one).toBeCloseTo(fit.result.fixed[0].mean, 1);
  });
});

it("says which effects the prior decides: those that separate two classes, and no others", async () => {
  const data = { ...columns, sign: columns.x.map((x) => Number(x > 0)) };
  const verdictOf = async (formula: string) =>
    (await mixed(data, { formula, ...short })).result.diagnostics.warnings.join("\n");
  expect(await verdictOf("sign ~ x + (1 | g)")).toMatch(
    /The prior decides much of the effect of "x": under a flat prior it would be (far larger|about \d+(\.\d+)? times as large)\./,
  );
  expect(await verdictOf("hit ~ x + kind + (1 | g)")).not.toContain("effect of");
  expect(await verdictOf("count ~ x + kind + (1 | g) + (1 | f)")).not.toContain("effect of");
});

it("says so where groupings explain a target completely", async () => {
  const exact = rows.map(({ eta }) => eta);
  const { result } = await mixed(
    { ...columns, exact },
    { formula: "exact ~ x + (1 | g) + (1 | f)", ...short },
  );
  expect(result.fixed.every(({ mean }) => Number.isFinite(mean))).toBe(true);
  expect(result.fixed[1].mean).toBeCloseTo(0.8, 3);
  expect(result.verdict).toContain("explains the target completely");
});

describe("several groupings", () => {
  const formula = "y ~ x + kind + (1 + x | g) + (1 | f)";

  it("come with effects, draws and predictions for levels that are known, and for others", async () => {
    const fit = await mixed(columns, { formula, iterations: 600, chains: 2 });
    const { result } = fit;
    expect(result.terms?.map(({ group, groups, names }) => [group, groups, names.length])).toEqual([
      ["g", 12, 2],
      ["f", 7, 1],
    ]);
    expect(fit.names).toHaveLength(4 + 1 + 3 + 1);
    expect(fit.draws[0][0]).toHaveLength(fit.names.length);
    const { mean, others } = fit.effects();
    expect(Math.abs(mean[0] - (mean[22] as number))).toBeGreaterThan(0);
    const own = Array.from(films);
    const theirs = Array.from(others?.[0].mean ?? []);
    const centre = (values: number[]) =>
      values.map((v) => v - values.reduce((a, b) => a + b, 0) / values.length);
    centre(own).forEach((truth, j) => {
      expect(Math.abs(centre(theirs)[j] - truth)).toBeLessThan(0.4);
    });
    const at = { x: [1, 1, 1], kind: ["a", "a", "a"], g: ["u3", "u3", "new"], f: ["f2", "other", "other"] };
    const predicted = await predict(fit.predictor(), at);
    expect([...predicted.known]).toEqual([1, 0, 0]);
    const truth = 0.3 + 0.8 + levels[3] + films[2];
    expect(Math.abs(predicted.mean[0] - truth)).toBeLessThan(0.5);
    const width = predicted.meanUpper.map((upper, i) => upper - predicted.meanLower[i]);
    // All draws say what the mean is; those of the predictor, nearly two hundred, are as good as their number.
    const states = (fit.predictor() as { readonly beta: readonly unknown[] }).beta.length;
    expect(states).toBeGreaterThan(150);
    const [level, film] = [fit.effects().groups.indexOf("u3"), others?.[0].groups.indexOf("f2") ?? 0];
    const of = (name: string) => result.fixed.find((effect) => effect.name === name)?.mean ?? 0;
    const all =
      of("(intercept)") + of("x") + of("kind=a") + mean[2 * level] + mean[2 * level + 1] + theirs[film];
    const sd = (predicted.meanUpper[0] - predicted.meanLower[0]) / 3.92;
    expect(Math.abs(predicted.mean[0] - all)).toBeLessThan((4 * sd) / Math.sqrt(states));
    // What is not known of a film, and of a user, widens the interval.
    expect(width[1]).toBeGreaterThan(1.5 * width[0]);
    expect(width[2]).toBeGreaterThan(1.2 * width[1]);
  });

  it("refuse rows that their effects can make nothing of, and say what is wrong", async () => {
    const fit = await mixed(
      { ...columns, year: rows.map((_, i) => 2000 + (i % 9)) },
      { formula: "y ~ kind + year + (1 | g) + (1 | year)", ...short },
    );
    const at = { kind: ["a", "b"], year: [2001, 2050], g: ["u1", "u2"] };
    expect((await predict(fit.predictor(), at)).known).toEqual(Uint8Array.of(1, 0));
    await expect(predict(fit.predictor(), { ...at, kind: ["a", "d"] })).rejects.toThrow(
      /column "kind" holds "d" in row 2, which was not in the data of the model/,
    );
    await expect(predict(fit.predictor(), { ...at, year: ["2001", "soon"] })).rejects.toThrow(
      /column "year" holds "soon" in row 2, where the run had numbers/,
    );
    await expect(predict(fit.predictor(), { ...at, kind: ["a", null] })).rejects.toThrow(
      /column "kind" has no value in row 2; remove or replace it before predicting\.$/,
    );
  });

  it("give the same answer to the same seed in one thread and after JSON", async () => {
    const once = await mixed(columns, { formula, seed: 5, ...short });
    const again = await mixed(columns, { formula, seed: 5, ...short });
    expect(again.result.fixed).toEqual(once.result.fixed);
    const copy = JSON.parse(JSON.stringify(once.predictor()));
    const at = { x: [0.5], kind: ["b"], g: ["u1"], f: ["f1"] };
    expect(await predict(copy, at)).toEqual(await predict(once.predictor(), at));
  });

  it("of one grouping with an intercept go by sums of products: the same numbers as with options", async () => {
    const byFormula = await mixed(columns, { formula: "y ~ x + (1 + x | g)", ...short });
    const byOptions = await mixed(columns, {
      target: "y",
      group: "g",
      fixed: ["x"],
      random: ["x"],
      ...short,
    });
    expect(byFormula.result.fixed).toEqual(byOptions.result.fixed);
  });

  it.each([
    ["weights", "y ~ x + (1 | g)", (i: number) => i % 3],
    ["trials", "wins ~ x + (1 | g)", (i: number) => 4 * Number(i % 3 > 0)],
  ] as const)(
    "leave out rows that say nothing, as their %s are zero, and say so",
    async (role, formula, of) => {
      const wins = rows.map(({ eta }, i) => (i % 3 > 0 ? Math.round(2 + Math.sign(eta)) : 0));
      const all: Record<string, readonly unknown[]> = { ...columns, wins, role: rows.map((_, i) => of(i)) };
      const some = Object.fromEntries(
        Object.entries(all).map(([name, values]) => [name, values.filter((_, i) => i % 3 > 0)]),
      );
      const asked = (data: typeof all) =>
        mixed(data as typeof columns, { formula, [role]: "role", ...short });
      const [{ result }, { result: expected }] = [await asked(all), await asked(some)];
      expect(result.rows).toBe(160);
      expect(result.fixed).toEqual(expected.fixed);
      expect(result.diagnostics.warnings).toContain(
        '80 of 240 rows have a 0 in "role", so that they say nothing, and were left out.',
      );
      await expect(asked({ ...all, role: rows.map(() => -1) })).rejects.toThrow(
        /must (be positive|lie between)/,
      );
    },
  );

  it("take weights, and refuse what makes no sense", async () => {
    const { result } = await mixed(columns, { formula: "y ~ x + (1 | g)", weights: "w", ...short });
    expect(result.noiseVariance?.mean).toBeGreaterThan(0.2);
    const asked = (more: object) => mixed(columns, { ...short, ...more });
    await expect(asked({ formula: "y ~ x + nothing + (1 | g)" })).rejects.toThrow('no column "nothing"');
    await expect(asked({ formula: "y ~ x" })).rejects.toThrow("no grouping");
    await expect(asked({ formula: "y ~ x + (1 | g) + (1 | g)" })).rejects.toThrow("differs twice by");
    await expect(asked({ formula: "y ~ x + (1 | g) + (1 | n)" })).rejects.toThrow('"n" has one level');
    await expect(asked({ formula, group: "g" })).rejects.toThrow("says it all");
    await expect(asked({ formula: "y ~ x + x:w + w + factor(w) + (1 | g)" })).rejects.toThrow(
      "linear combination",
    );
  });
});
