import { describe, expect, it } from "vitest";
import type { Scores } from "../../src/families/register.js";
import { worded } from "../../src/report/page/parts.js";
import { hill } from "../../src/report/page/plots/density.js";
import { groupsShown } from "../../src/report/page/plots/groups.js";
import { labelWidth } from "../../src/report/page/plots/label-width.js";
import { mostDiffering, sortedByUse } from "../../src/report/page/plots/models-image.js";
import { rankShares } from "../../src/report/page/plots/ranks.js";
import { ticksAlong, tickText } from "../../src/report/page/plots/ticks.js";
import { setMarks } from "../../src/report/page/sets.js";
import { shortenedApart } from "../../src/report/text/display-width.js";
import { scoresSentence } from "../../src/report/text/prediction.js";
import { variable } from "./example.js";

describe("numbers along an axis", () => {
  const stretches = [-1, 0, 3e-7, -2.5e-6, 99.9, 6.2e6, -4e12].flatMap((low) =>
    [1e-9, 1e-6, 0.03, 1, 17, 4e5, 1e12].map((width) => [low, low + width] as const),
  );

  it.each([150, 330, 700])(
    "lie within the stretch, apart, and no two read the same, at %i pixels",
    (pixels) => {
      for (const [low, high] of stretches.filter(([from, to]) => to - from > 1e-9 * Math.abs(from))) {
        const { ticks, tickFormat } = ticksAlong({ low, high, pixels });
        const texts = ticks.map(tickFormat);
        expect(ticks.length).toBeGreaterThan(0);
        expect(new Set(texts).size, `${low} to ${high}: ${texts}`).toBe(texts.length);
        const ends = ticks.map((value, i) => {
          const centre = ((value - low) / (high - low)) * pixels;
          return [centre - labelWidth(texts[i]) / 2, centre + labelWidth(texts[i]) / 2];
        });
        for (let i = 1; i < ends.length; i++) expect(ends[i][0]).toBeGreaterThan(ends[i - 1][1]);
      }
    },
  );

  it("say what they are", () => {
    expect([0.25, -0.5, 0].map((value) => tickText(value, 0.25))).toEqual(["0.3", "−0.5", "0"]);
    expect([0.05, 0.1].map((value) => tickText(value, 0.05))).toEqual(["0.05", "0.10"]);
    expect([6e6, 6.5e6].map((value) => tickText(value, 5e5))).toEqual(["6.0e6", "6.5e6"]);
    expect(tickText(-2e-6, 1e-6)).toBe("−2e−6");
  });
});

it("names that are cut are told apart, even those alike at both ends", () => {
  const middle = ["a", "b", "c"].map((letter) => `${"x".repeat(40)}${letter}${"y".repeat(40)}`);
  const cut = shortenedApart([...middle, middle[0]], 18);
  expect(new Set(cut).size).toBe(3);
  expect(cut[3]).toBe(cut[0]);
  for (const text of cut) expect(text.length).toBeLessThanOrEqual(18);
});

describe("ranks of chains", () => {
  it("are equally frequent where chains are the same, ties among them", () => {
    const chain = Array.from({ length: 400 }, (_, i) => Math.max(0, Math.sin(i)));
    for (const shares of rankShares([chain, [...chain].reverse()])) {
      for (const share of shares) expect(Math.abs(share - 1)).toBeLessThan(0.11);
    }
  });

  it("of a chain that lies above the other are all high", () => {
    const low = Array.from({ length: 100 }, (_, i) => i);
    const [below, above] = rankShares([low, low.map((value) => value + 1000)], 4);
    expect(below).toEqual([2, 2, 0, 0]);
    expect(above).toEqual([0, 0, 2, 2]);
  });
});

describe("the hill of a coefficient", () => {
  it("is that of the draws that are not zero", () => {
    const values = Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? 0 : 5 + logistic(i)));
    const { x, y } = hill({ values })!;
    const top = x[y.indexOf(1)];
    expect(Math.abs(top - 5)).toBeLessThan(0.35);
    // The density of the logistic law at 1, over that at 0.
    const share = 1 / Math.cosh(0.5) ** 2;
    const at = (wanted: number): number => {
      const i = x.findIndex((each) => each >= wanted);
      return y[i - 1] + ((y[i] - y[i - 1]) * (wanted - x[i - 1])) / (x[i] - x[i - 1]);
    };
    for (const wanted of [4, 6]) expect(Math.abs(at(wanted) - share)).toBeLessThan(0.05);
  });

  it("of what cannot be negative ends at zero, and is level there where draws are uniform", () => {
    const values = Array.from({ length: 2000 }, (_, i) => (i + 0.5) / 2000);
    const { x, y } = hill({ values, positive: true })!;
    expect(x[0]).toBe(0);
    expect(y[0]).toBeGreaterThan(0.95);
  });

  it("needs draws that differ", () => {
    expect(hill({ values: new Array(500).fill(0) })).toBeUndefined();
    expect(hill({ values: new Array(500).fill(2) })).toBeUndefined();
  });

  /** Quantiles of the logistic law in a scrambled order. */
  function logistic(i: number): number {
    const u = (((i * 1597) % 3000) + 0.5) / 3000;
    return Math.log(u / (1 - u));
  }
});

it("the picture of models is of variables in which they differ", () => {
  const names = ["always", "often", "never", "rare"];
  const models = [[0, 1], [0], [0, 1, 3]].map((variables) => ({ variables, probability: 0.3 }));
  const variables = [1, 0.8, 0, 0.02].map((pip, i) => variable(names[i], pip, 1));
  const { differing, common } = sortedByUse({ exact: true, names, models }, variables);
  expect(differing.map(({ name }) => name)).toEqual(["often", "rare"]);
  expect(common.map(({ name }) => name)).toEqual(["always"]);
  const many = Array.from({ length: 50 }, (_, i) => variable(`x${i}`, 1 - i / 50, 1));
  const kept = mostDiffering(many).map(({ pip }) => pip);
  expect(kept).toHaveLength(20);
  expect(Math.max(...kept.map((pip) => Math.abs(pip - 0.5)))).toBeLessThanOrEqual(0.21);
  expect(kept).toEqual([...kept].sort((a, b) => b - a));
});

it("sets of substitutes have letters and colours of their own, sets of one have none", () => {
  const sets = [["a"], ["b", "c"], ["d", "e"]].map((variables) => ({ variables, probability: 0.97 }));
  const marks = setMarks({ credibleSets: sets });
  expect([...marks.keys()]).toEqual(["b", "c", "d", "e"]);
  expect(marks.get("b")).toEqual({ letter: "A", colour: "var(--set1)" });
  expect(marks.get("e")).toEqual({ letter: "B", colour: "var(--set2)" });
});

it("of many groups the ends are shown, and some between, in their order", () => {
  const effects = Array.from({ length: 1000 }, (_, i) => ({ name: String(i), mean: Math.sin(i), sd: 0.1 }));
  const shown = groupsShown(effects).map(({ mean }) => mean);
  expect(shown).toHaveLength(40);
  expect(shown).toEqual([...shown].sort((a, b) => b - a));
  expect([shown[0], shown.at(-1)]).toEqual([
    Math.max(...effects.map(({ mean }) => mean)),
    Math.min(...effects.map(({ mean }) => mean)),
  ]);
  expect(groupsShown(effects.slice(0, 40))).toHaveLength(40);
});

it("options in a sentence are kept on one line", () => {
  expect(worded("held out (--holdout 0.2), or a--b.").text).toBe(
    'held out (<span class="flag">--holdout 0.2</span>), or a--b.',
  );
});

it("a model that is worse than the mean is said to be so, not scored", () => {
  const scoresOf = (r2: number) => ({ rmse: 2, r2 }) as Scores;
  expect(scoresSentence({ scores: scoresOf(-0.5612), preset: "paper" })).toMatch(
    /^The median model .* worse than their mean .* do not predict from it\.$/,
  );
  expect(scoresSentence({ scores: scoresOf(-1e-16), preset: "auto" })).toMatch(/RMSE 2\.000, R² 0 /);
});
