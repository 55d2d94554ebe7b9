import { describe, expect, it } from "vitest";
import { mixed } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { indistinct, type Member } from "../../src/mixed/model/indistinct.js";

interface Grouping {
  readonly codes: readonly number[];
  readonly columns: readonly (readonly number[])[];
}

const rng = Rng.seeded(11);
const N = 36;
const times = <T>(f: (i: number) => T): T[] => Array.from({ length: N }, (_, i) => f(i));
const ones = times(() => 1);
const x = times(() => normal(rng));
const z = times(() => normal(rng));
const plus = (scale: number, shift: number): number[] => x.map((value) => scale * value + shift);
const six = times((i) => i % 6);
const four = times((i) => (i * 7 + Math.floor(i / 5)) % 4);
const twelve = times((i) => i % 12);
const flat = times((i) => i % 3);

/** Every matrix A as it stands in the comment, N × N, the identity first where rows have a noise. */
function matrices(groupings: readonly Grouping[], noise: boolean): number[][] {
  const out = noise ? [times((i) => times((j) => Number(i === j))).flat()] : [];
  for (const { codes, columns } of groupings) {
    columns.forEach((a, k) => {
      for (const b of columns.slice(0, k + 1)) {
        const entry = (i: number, j: number) => (codes[i] === codes[j] ? a[i] * b[j] + a[j] * b[i] : 0);
        out.push(times((i) => times((j) => entry(i, j))).flat());
      }
    });
  }
  return out;
}

/** By elimination with the largest pivot that there is. */
function rank(rows: number[][]): number {
  const left = rows.map((row) => row.slice());
  const scale = Math.max(...left.flat().map(Math.abs));
  let found = 0;
  while (left.length > 0) {
    let [at, column, most] = [0, 0, 0];
    left.forEach((row, r) => {
      row.forEach((value, c) => {
        if (Math.abs(value) > most) [at, column, most] = [r, c, Math.abs(value)];
      });
    });
    if (most < 1e-9 * scale) return found;
    const [pivot] = left.splice(at, 1);
    found += 1;
    for (const row of left) {
      const share = row[column] / pivot[column];
      for (let c = 0; c < row.length; c++) row[c] -= share * pivot[c];
    }
  }
  return found;
}

function found(groupings: readonly Grouping[], noise: boolean): Member[][] {
  const product = (a: readonly number[], b: readonly number[], at: (i: number) => boolean): number =>
    a.reduce((sum, value, i) => sum + (at(i) ? value * b[i] : 0), 0);
  return indistinct({
    sizes: groupings.map(({ columns }) => columns.length),
    ...(noise && {
      noise: {
        square: N,
        products: groupings.map(({ columns }) =>
          columns.flatMap((a, k) => columns.slice(0, k + 1).map((b) => product(a, b, () => true))),
        ),
      },
    }),
    visit(t, s, each) {
      const [one, other] = [groupings[t], groupings[s]];
      for (const j of new Set(one.codes))
        for (const l of new Set(other.codes)) {
          const at = (i: number) => one.codes[i] === j && other.codes[i] === l;
          each(one.columns.flatMap((a) => other.columns.map((b) => product(a, b, at))));
        }
    },
  });
}

const shapes: Record<string, readonly Grouping[]> = {
  "an intercept": [{ codes: six, columns: [ones] }],
  "an intercept and a slope": [{ codes: six, columns: [ones, x] }],
  "two groupings across each other": [
    { codes: six, columns: [ones, x] },
    { codes: four, columns: [ones, z] },
  ],
  "a grouping within another": [
    { codes: six, columns: [ones] },
    { codes: twelve, columns: [ones] },
  ],
  "groupings that sort the rows alike": [
    { codes: six, columns: [ones, x] },
    { codes: six.map((code) => (code + 2) % 6), columns: [ones] },
  ],
  "a column twice": [{ codes: six, columns: [ones, x, plus(2, 1)] }],
  "a column twice, uncorrelated with itself": [
    { codes: six, columns: [x] },
    { codes: six, columns: [plus(2, 0)] },
  ],
  "a column twice, on another zero": [
    { codes: six, columns: [ones] },
    { codes: six, columns: [x] },
    { codes: six, columns: [plus(2, 1)] },
  ],
  "one row a level": [
    { codes: times((i) => i), columns: [ones] },
    { codes: six, columns: [ones] },
  ],
  "categories of whole levels": [{ codes: six, columns: [ones, flat.map((value) => Number(value === 0))] }],
  "a column of nothing": [{ codes: six, columns: [ones, times(() => 0)] }],
};

describe.each(Object.entries(shapes))("%s", (_, groupings) => {
  it.each([true, false])("is told apart where its matrices are independent, noise %s", (noise) => {
    const all = matrices(groupings, noise);
    expect(found(groupings, noise).length > 0).toBe(rank(all) < all.length);
  });
});

it("names who cannot be told apart, together where they share an effect", () => {
  expect(found(shapes["groupings that sort the rows alike"], true)).toEqual([
    [
      { term: 0, effect: 0 },
      { term: 1, effect: 0 },
    ],
  ]);
  expect(found(shapes["a column twice"], true)).toEqual([[0, 1, 2].map((effect) => ({ term: 0, effect }))]);
  expect(found(shapes["one row a level"], true)).toEqual([[{ term: 0, effect: 0 }, undefined]]);
  expect(found(shapes["a column of nothing"], true)).toEqual([[{ term: 0, effect: 1 }]]);
});

describe("a verdict", () => {
  const effects = six.map((code) => Math.sin(3 * code));
  const columns = {
    y: times((i) => effects[i] + x[i] + 0.3 * normal(rng)),
    x,
    again: plus(2, 1),
    still: six.map((code) => code ** 2),
    a: six.map((code) => `a${code}`),
    b: six.map((code) => `b${5 - code}`),
    c: four.map((code) => `c${code}`),
  };
  const told = async (formula: string): Promise<string> =>
    (await mixed(columns, { formula, chains: 2, iterations: 200 })).result.verdict;

  it("says which groupings sort the rows alike", async () => {
    expect(await told("y ~ x + (1 | a) + (1 | b)")).toContain(
      'The data cannot tell "(intercept)" by a from "(intercept)" by b: how they share what differs, and so the ' +
        "probability of each, rests on the priors alone; leave one of them out.",
    );
  });

  it.each(["y ~ x + (x + again | a)", "y ~ x + (x + again | a) + (1 | c)"])(
    "says which columns of random effects are the same, by sums of products and by rows: %s",
    async (formula) => {
      expect(await told(formula)).toContain(
        'The data cannot tell "(intercept)", "x" and "again" by a from each other',
      );
    },
  );

  it.each(["y ~ x + (still | a)", "y ~ x + (still | a) + (1 | c)"])(
    "says which columns never vary within a level, by sums of products and by rows: %s",
    async (formula) => {
      const verdict = await told(formula);
      expect(verdict).toMatch(
        /Column "still" never varies within a (group|level of a), so its random effect/,
      );
      expect(verdict).not.toContain("cannot tell");
    },
  );

  it.each(["y ~ x + (x | a)", "y ~ x + (x | a) + (1 | c)", "y ~ x + (1 | a) + (1 | a:c)"])(
    "says nothing of the kind of what can be told apart: %s",
    async (formula) => {
      expect(await told(formula)).not.toMatch(/cannot tell|never var/);
    },
  );
});
