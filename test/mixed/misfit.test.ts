import { describe, expect, it } from "vitest";
import { mixed } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";

const rng = Rng.seeded(8);
const N = 400;
const times = <T>(f: (i: number) => T): T[] => Array.from({ length: N }, (_, i) => f(i));
const x = times(() => normal(rng));
const level = times((i) => 0.5 * Math.sin(5 * (i % 20)));
const plain = times((i) => level[i] + x[i] + normal(rng));
const g = times((i) => `g${i % 20}`);
const asked = { iterations: 300, chains: 2 } as const;
const bySums = "y ~ x + (1 | g)";
const byRows = "y ~ x + (1 | g) + (0 + x | g)";
const verdict = async (y: readonly number[], formula: string, others: object = {}): Promise<string> =>
  (await mixed({ x, g, y, row: times((i) => `r${i}`) }, { formula, ...asked, ...others })).result.verdict;

describe("a few rows that decide", () => {
  const spoilt = plain.with(7, 1e5);

  it("are told by their group where sums of products know no rows", async () => {
    expect(await verdict(spoilt, bySums)).toMatch(
      /Group "g7" decides: it has 5% of the rows and \d+% of the squared residuals.* Look at its rows/,
    );
    const twice = spoilt.with(8, -1e5);
    expect(await verdict(twice, bySums)).toMatch(/Groups "g\d", "g\d" decide: they have 10% of the rows/);
  });

  it("are told by their number where rows are at hand", async () => {
    expect(await verdict(spoilt, byRows)).toMatch(/A few rows decide: the 5 of 400/);
  });

  it.each([bySums, byRows])(
    "are not there in sound data, nor where groups are far apart: %s",
    async (formula) => {
      for (const y of [plain, times((i) => plain[i] + 1e4 * level[i])]) {
        expect(await verdict(y, formula)).not.toMatch(/decide/);
      }
    },
  );

  it("are no group that holds a third of the rows, however much noisier it is", async () => {
    const wide = times((i) => `g${i % 3}`);
    const y = times((i) => normal(rng) * (i % 3 === 0 ? 20 : 1));
    const { result } = await mixed({ x, g: wide, y }, { formula: bySums, ...asked });
    expect(result.verdict).not.toMatch(/decides/);
  });
});

describe("counts that vary more than Poisson counts", () => {
  const counts = (extra: number) =>
    times((i) => poisson(rng, Math.exp(1.5 + level[i] + 0.2 * x[i] + extra * normal(rng))));
  const misfit =
    /Given the model the counts vary \S+ times as much .* add \(1 \| that column\) to the formula/;
  const family = { family: "poisson" };

  it("are told, with what helps, and no longer where that has been done", async () => {
    const y = counts(0.7);
    expect(await verdict(y, bySums, family)).toMatch(misfit);
    expect(await verdict(y, "y ~ x + (1 | g) + (1 | row)", family)).not.toMatch(/counts vary/);
  });

  it("are not taken for such where they are not", async () => {
    expect(await verdict(counts(0), bySums, family)).not.toMatch(/counts vary/);
  });
});

describe("successes of trials that vary more than they would by chance", () => {
  const n = times((i) => (i % 9 === 0 ? 1 : 10));
  const successes = (extra: number) =>
    times((i) => {
      const p = 1 / (1 + Math.exp(-level[i] - 0.5 * x[i] - extra * normal(rng)));
      return Array.from({ length: n[i] }, () => Number(rng.uniform() < p)).reduce((a, b) => a + b);
    });
  const told = async (s: readonly number[], trials: readonly number[], formula: string): Promise<string> => {
    const row = times((i) => `r${i}`);
    return (await mixed({ x, g, s, n: trials, row }, { formula, trials: "n", ...asked })).result.verdict;
  };

  it("are told, with what helps, and no longer where that has been done", async () => {
    const s = successes(1);
    expect(await told(s, n, "s ~ x + (1 | g)")).toMatch(
      /the successes vary \S+ times as much as those of so many trials: .* add \(1 \| that column\)/,
    );
    expect(await told(s, n, "s ~ x + (1 | g) + (1 | row)")).not.toMatch(/successes vary/);
  });

  it("are not taken for such where they are not, nor where every row has one trial", async () => {
    expect(await told(successes(0), n, "s ~ x + (1 | g)")).not.toMatch(/successes vary/);
    const one = successes(1).map((s) => Math.min(s, 1));
    const ones = times(() => 1);
    expect(await told(one, ones, "s ~ x + (1 | g)")).not.toMatch(/successes vary/);
  });
});
