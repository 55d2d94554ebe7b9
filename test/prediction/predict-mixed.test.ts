import { describe, expect, test } from "vitest";
import { type MixedPredictor, mixed, predict } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** Two variables, one of which differs between the two groups. In thousands, so that a lost centre shows. */
const predictor: MixedPredictor = {
  format: "sparrow-mixed-predictor",
  version: 1,
  target: "y",
  group: "g",
  variables: ["x", "year"],
  centre: [1, 2000],
  fixed: { members: [0, 1], mean: [10, 2, 0.5], covariance: [0.4, 0.1, 0, 0.1, 0.2, 0, 0, 0, 0.01] },
  random: { members: [1], covariance: [1.5, 0.2, 0.2, 0.3] },
  groups: {
    names: ["a", "b"],
    mean: [1, 0.25, -2, 0.5],
    covariance: [0.2, 0.01, 0.05, 0.3, -0.02, 0.06],
    onFixed: [0.9, 0.1, 0, 0, 0, 0.8, 0.5, 0, 0, 0, 0, 0.7],
  },
  noiseVariance: 3,
};

describe("predictions of a mixed model", () => {
  test("are those of the formula, for a known and for a new group", async () => {
    const result = await predict(predictor, { g: ["b", "new"], x: [3, 3], year: [2004, 2004] });
    // w = [1, 2, 4], z = [1, 4]
    const population = 10 + 2 * 2 + 0.5 * 4;
    expect([...result.mean]).toEqual([population - 2 + 0.5 * 4, population]);
    expect([...result.known]).toEqual([1, 0]);
    const form = (m: number[][], v: number[]) =>
      m.reduce((sum, row, j) => sum + v[j] * row.reduce((inner, c, k) => inner + c * v[k], 0), 0);
    const V = [
      [0.4, 0.1, 0],
      [0.1, 0.2, 0],
      [0, 0, 0.01],
    ];
    // u = w − K′z
    const u = [1 - 0.5, 2, 4 - 4 * 0.7];
    const own =
      form(V, u) +
      form(
        [
          [0.3, -0.02],
          [-0.02, 0.06],
        ],
        [1, 4],
      );
    const wider =
      form(V, [1, 2, 4]) +
      form(
        [
          [1.5, 0.2],
          [0.2, 0.3],
        ],
        [1, 4],
      );
    const half = (i: number) => (result.meanUpper[i] - result.meanLower[i]) / 2;
    expect(half(0)).toBeCloseTo(1.959964 * Math.sqrt(own), 6);
    expect(half(1)).toBeCloseTo(1.959964 * Math.sqrt(wider), 6);
    expect(result.mean[0]).toBeCloseTo((result.meanUpper[0] + result.meanLower[0]) / 2, 12);
  });

  test("take a row without a group for one of a group nobody knows", async () => {
    const { mean, known } = await predict(predictor, { g: [null, "a"], x: [1, 1], year: [2000, 2000] });
    expect([...mean]).toEqual([10, 11]);
    expect([...known]).toEqual([0, 1]);
  });

  test("are scored where the data hold the target, known groups and new ones apart", async () => {
    const rows = { g: ["a", "c", "c"], x: [1, 1, 1], year: [2000, 2000, 2000], y: [11, 13, 7] };
    const { scores } = await predict(predictor, rows);
    expect(scores).toMatchObject({
      all: { rows: 3 },
      known: { rows: 1, rmse: 0 },
      new: { rows: 2, rmse: 3 },
    });
    const { scores: known } = await predict(predictor, { g: ["a"], x: [1], year: [2000], y: [11] });
    expect(known).not.toHaveProperty("new");
  });

  test("name what is missing in a sentence", async () => {
    const refused = (columns: Record<string, (number | string | null)[]>) =>
      expect(predict(predictor, columns)).rejects;
    await refused({ x: [1], year: [1] }).toMatchObject({ code: "column", message: /no column "g"/ });
    await refused({ g: ["a"], year: [1] }).toMatchObject({ code: "column", message: /no column "x"/ });
    await refused({ g: ["a"], x: [null], year: [1] }).toMatchObject({
      code: "data",
      message: /column "x" has no value in row 1/,
    });
    await refused({ g: ["a"], x: [1], year: [1], y: ["much"] }).toMatchObject({
      code: "column",
      message: /target "y" holds text/,
    });
  });
});

describe("the predictor of a fit", () => {
  const rng = Rng.seeded(11);
  const rows = Array.from({ length: 400 }, (_, i) => ({ g: `g${i % 20}`, x: 5 + 2 * normal(rng) }));
  const own = Array.from({ length: 20 }, () => [normal(rng), 0.5 * normal(rng)]);
  const data = {
    g: rows.map(({ g }) => g),
    x: rows.map(({ x }) => x),
    kind: rows.map((_, i) => ["red", "blue", "green"][i % 7 > 3 ? 0 : i % 3]),
    y: rows.map(({ x }, i) => 3 + own[i % 20][0] + (1 + own[i % 20][1]) * x + 0.3 * normal(rng)),
  };
  const options = { target: "y", group: "g", fixed: ["x", "kind"], random: ["x"], iterations: 1000 };

  test("says of a known group what its fixed effects and its own effects say together", async () => {
    const fit = await mixed(data, options);
    const effects = fit.effects();
    const at = { x: 7, kind: "red" };
    const groups = ["g3", "g8"];
    const result = await predict(fit.predictor(), {
      g: [...groups, "unseen"],
      x: [at.x, at.x, at.x],
      kind: ["red", "red", "red"],
    });
    const fixed = new Map(fit.result.fixed.map(({ name, mean }) => [name, mean]));
    const indicator = fixed.get("kind=red") ?? 0;
    const population = fixed.get("(intercept)")! + fixed.get("x")! * at.x + indicator;
    expect(result.mean[2]).toBeCloseTo(population, 8);
    groups.forEach((name, i) => {
      const g = effects.groups.indexOf(name);
      const expected = population + effects.mean[2 * g] + effects.mean[2 * g + 1] * at.x;
      // Those effects are averages over 40 draws alone; their error is a seventh of a standard deviation.
      const sd = effects.sd[2 * g] + effects.sd[2 * g + 1] * at.x;
      expect(Math.abs(result.mean[i] - expected)).toBeLessThan(0.5 * sd);
      // Twenty rows in a group with noise 0.3: its line is known to about a tenth, a new group's to more than one.
      expect(result.meanUpper[i] - result.meanLower[i]).toBeLessThan(0.6);
      expect(result.meanUpper[2] - result.meanLower[2]).toBeGreaterThan(4);
      // The truth lies within three half-widths in all but one of 10⁸ fits.
      const truth = 3 + own[Number(name.slice(1))][0] + (1 + own[Number(name.slice(1))][1]) * at.x;
      expect(Math.abs(result.mean[i] - truth)).toBeLessThan(
        1.5 * (result.meanUpper[i] - result.meanLower[i]),
      );
    });
  });

  test("has intervals for known groups that hold the truth about as often as they say", async () => {
    const fit = await mixed(data, options);
    const again = { g: own.map((_, g) => `g${g}`), x: own.map(() => 6), kind: own.map(() => "green") };
    const { meanLower: lower, meanUpper: upper } = await predict(fit.predictor(), again);
    const hit = own.filter(([level, slope], g) => {
      const truth = 3 + level + (1 + slope) * 6;
      return lower[g] <= truth && truth <= upper[g];
    }).length;
    // Binomial(20, 0.95): 15 or fewer with probability 3e-4. The errors of groups hardly depend on each other.
    expect(hit).toBeGreaterThan(15);
  });

  // Given a draw of β, σ² and τ² the effect of a group of n rows is N(m, v), v = σ²/(n + σ²/τ²), m = v Σ(y − w′β)/σ².
  // The predictor has some of its variances from 40 draws, whose standard deviations are off by a tenth: 25% is more
  // than two of their errors, and they are the smaller part of the whole.
  test("has the standard deviation that all draws of a random intercept give by hand", async () => {
    const fit = await mixed(data, { ...options, fixed: ["x"], random: [] });
    const name = "g5";
    const mine = rows.flatMap(({ g, x }, i) => (g === name ? [{ x, y: data.y[i] }] : []));
    const at = 7;
    const law = fit.draws.flat().map(([intercept, slope, noise, spread]) => {
      const v = noise / (mine.length + noise / spread);
      const m = (v / noise) * mine.reduce((sum, { x, y }) => sum + y - intercept - slope * x, 0);
      return { centre: intercept + slope * at + m, v, alone: intercept + slope * at, effect: m };
    });
    const mean = (f: (draw: (typeof law)[number]) => number) =>
      law.reduce((sum, d) => sum + f(d), 0) / law.length;
    const variance = (f: (draw: (typeof law)[number]) => number) => mean((d) => (f(d) - mean(f)) ** 2);
    const expected = Math.sqrt(mean(({ v }) => v) + variance(({ centre }) => centre));
    const apart = Math.sqrt(
      mean(({ v }) => v) + variance(({ alone }) => alone) + variance(({ effect }) => effect),
    );
    const { mean: ours, meanUpper: upper } = await predict(fit.predictor(), { g: [name], x: [at] });
    const sd = (upper[0] - ours[0]) / 1.959964;
    expect(Math.abs(ours[0] - mean(({ centre }) => centre))).toBeLessThan(0.1 * expected);
    expect(Math.abs(sd / expected - 1)).toBeLessThan(0.25);
    // Fixed and own effects make up for each other: adding their variances would be far off.
    expect(apart).toBeGreaterThan(1.5 * expected);
  });

  test("goes through JSON unharmed, and through a paper preset that centres nothing", async () => {
    const fit = await mixed(data, { ...options, preset: "paper", batch: 20, iterations: 2000 });
    const predictor = fit.predictor() as MixedPredictor;
    expect(predictor.centre).toEqual(predictor.variables.map(() => 0));
    const rows = { g: ["g1"], x: [5], kind: ["blue"] };
    const copy: MixedPredictor = JSON.parse(JSON.stringify(predictor));
    expect(await predict(copy, rows)).toEqual(await predict(predictor, rows));
  });
});
