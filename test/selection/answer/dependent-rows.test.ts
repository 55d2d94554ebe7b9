import { describe, expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { expit } from "../../../src/math/special.js";
import { fit } from "../../../src/node.js";
import type { FitOptions } from "../../../src/options/fit.js";

const ALIKE = /^One problem found\. Rows that follow each other in the file have residuals alike/;
const COPIES = /rows are copies of others/;

type Columns = Record<string, ArrayLike<number>>;

async function verdictOf(columns: Columns, options: Partial<FitOptions> = {}): Promise<string> {
  const { verdict } = await fit({ ...columns }, { target: "y", threads: 1, ...options });
  return verdict ?? "";
}

/** Columns x1 … x4 and y, each row of which is what `next` makes of the one before. */
function series(rows: number, seed: number, next: (before: number, rng: Rng) => number): Columns {
  const rng = Rng.seeded(seed);
  return Object.fromEntries(
    ["x1", "x2", "x3", "x4", "y"].map((name) => {
      let last = 0;
      return [name, Float64Array.from({ length: rows }, () => (last = next(last, rng)))];
    }),
  );
}

const picked = (columns: Columns, order: readonly number[]): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [name, Float64Array.from(order, (i) => values[i])]),
  );

describe("rows that follow each other in the file", () => {
  it("are a problem where their residuals are alike and variables change as slowly", async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const walks = series(200, seed, (before, rng) => before + normal(rng));
      const verdict = await verdictOf(walks);
      expect(verdict).toMatch(/residuals alike \(correlation 0\.\d\d\)/);
      const [, factor] = /that of x\d by a factor of about (\d\.\d)/.exec(verdict) ?? [];
      expect(Number(factor)).toBeGreaterThan(1.5);
    }
  });

  it("are none once the rows are in another order", async () => {
    const walks = series(200, 1, (before, rng) => before + normal(rng));
    const rng = Rng.seeded(3);
    const order = Array.from({ length: 200 }, (_, i) => [rng.uniform(), i]);
    const shuffled = order.sort(([a], [b]) => a - b).map(([, i]) => i);
    expect(await verdictOf(picked(walks, shuffled))).toMatch(/^No problems found\./);
  });

  it("are none where only the predictors change slowly, or only the noise does", async () => {
    const rng = Rng.seeded(2);
    const slow = series(300, 4, (before, r) => before + normal(r));
    const y = Array.from(slow.x1, (x) => 0.5 * x + normal(rng));
    expect(await verdictOf({ ...slow, y })).toMatch(/^No problems found\./);
    const { y: drift } = series(300, 5, (before, r) => 0.9 * before + 0.4 * normal(r));
    const quick = series(300, 6, (_, r) => normal(r));
    expect(await verdictOf({ ...quick, y: Array.from(quick.x1, (x, i) => x + drift[i]) })).toMatch(
      /^No problems found\./,
    );
  });

  it("are none where a file is sorted by the target, at once or within groups", async () => {
    const rng = Rng.seeded(7);
    const plain = series(600, 8, (_, r) => normal(r));
    const y = Array.from(plain.x1, (x) => x + normal(rng));
    for (const size of [600, 60, 8]) {
      for (const sign of [1, -1]) {
        const order = Array.from(y.keys()).sort(
          (a, b) => Math.floor(a / size) - Math.floor(b / size) || sign * (y[a] - y[b]),
        );
        expect(await verdictOf(picked({ ...plain, y }, order))).not.toMatch(/follow each other/);
      }
    }
  });

  it("are looked at among classes and counts as well, and whatever the preset", async () => {
    const rng = Rng.seeded(11);
    const slow = series(600, 12, (before, r) => 0.97 * before + 0.25 * normal(r));
    const y = Array.from(slow.y, (eta, i) => Number(rng.uniform() < expit(4 * eta + 2 * slow.x1[i])));
    expect(await verdictOf({ ...slow, y })).toMatch(ALIKE);
    const walks = series(300, 1, (before, r) => before + normal(r));
    expect(await verdictOf(walks, { preset: "paper", iterations: 500 })).toMatch(/follow each other/);
  });
});

describe("rows that are copies of others", () => {
  const times = (columns: Columns, copies: number): Columns =>
    picked(
      columns,
      Array.from({ length: copies * columns.y.length }, (_, i) => i % columns.y.length),
    );

  it.each([
    [25, 20],
    [500, 2],
    [3000, 2],
  ])("are a problem: %d rows, each %d times", async (rows, copies) => {
    const columns = series(rows, 1, (_, r) => normal(r));
    const verdict = await verdictOf(times(columns, copies));
    const said = (rows * (copies - 1)).toLocaleString("en");
    expect(verdict).toContain(
      `One problem found. ${said} of ${(rows * copies).toLocaleString("en")} rows are copies of others`,
    );
  });

  it("are a problem whatever else is in the rows: classes, texts, holes", async () => {
    const columns = series(200, 2, (_, r) => normal(r));
    const rng = Rng.seeded(13);
    const y = Array.from(columns.x1, (x) => Number(x + normal(rng) > 0.3));
    const holed = Array.from(columns.x2, (x, i) => (i % 7 === 0 ? Number.NaN : x));
    const text = Array.from(y, (_, i) => ["red", "green", "blue"][i % 3]);
    const order = Array.from({ length: 400 }, (_, i) => i % 200);
    // Two columns of numbers are too few to tell.
    const rows = order.map((i) => ({
      x1: columns.x1[i],
      x2: holed[i],
      x3: columns.x3[i],
      text: text[i],
      y: y[i],
    }));
    const { verdict } = await fit(rows, { target: "y", threads: 1, exclude: ["x1"] });
    expect(verdict).not.toMatch(COPIES);
    const all = await fit(rows, { target: "y", threads: 1 });
    expect(all.verdict).toMatch(COPIES);
  });

  it("are none if they are few", async () => {
    const columns = series(200, 3, (_, r) => normal(r));
    const order = Array.from({ length: 230 }, (_, i) => i % 200);
    expect(await verdictOf(picked(columns, order))).not.toMatch(COPIES);
  });

  it("are none if they are coincidences of categories, grades or whole numbers", async () => {
    const kinds: ((before: number, rng: Rng) => number)[] = [
      (_, r) => Number(r.uniform() < 0.5),
      (_, r) => Math.floor(5 * r.uniform()),
      (_, r) => Math.floor(9 * r.uniform()),
    ];
    for (const kind of kinds) {
      expect(await verdictOf(series(20_000, 4, kind), { family: "gaussian" })).not.toMatch(COPIES);
    }
    // All that is in these rows is one whole number and another one that goes along with it.
    const { x1 } = series(5000, 5, (_, r) => Math.floor(40 * r.uniform()));
    const rng = Rng.seeded(6);
    const one = Array.from(x1);
    const told = {
      x1: one,
      x2: one.map((x) => x * x),
      x3: one.map(Math.sqrt),
      x4: one.map(Math.exp),
      x5: one.map(Math.cos),
      y: one.map((x) => Math.round(x + 6 * normal(rng))),
    };
    expect(await verdictOf(told, { family: "gaussian" })).not.toMatch(COPIES);
  });
});
