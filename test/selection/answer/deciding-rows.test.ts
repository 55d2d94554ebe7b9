import { describe, expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { poisson } from "../../../src/math/variates.js";
import { fit } from "../../../src/node.js";
import type { FitOptions } from "../../../src/options/fit.js";

interface Data {
  readonly x: Float64Array[];
  readonly y: Float64Array;
}

/** Noise, and a target that has nothing to do with it unless `effect` is given. */
function noise(rows: number, seed: number, effect = 0): Data {
  const rng = Rng.seeded(seed);
  const x = Array.from({ length: 4 }, () => Float64Array.from({ length: rows }, () => normal(rng)));
  return { x, y: x[0].map((value) => effect * value + normal(rng)) };
}

async function verdictOf({ x, y }: Data, options: Partial<FitOptions> = {}): Promise<string> {
  const columns = Object.fromEntries(x.map((values, j) => [`x${j + 1}`, values]));
  const { verdict } = await fit({ ...columns, y }, { target: "y", threads: 1, ...options });
  return verdict ?? "";
}

function set({ x, y }: Data, row: number, value: number, target: number): void {
  x[0][row] = value;
  y[row] = target;
}

describe("a row without which a variable would not be selected is a problem", () => {
  it.each([
    [200, 17, 100, 100],
    [200, 17, -100, 100],
    [100, 0, 20, 20],
    [100, 99, 20, -20],
    [200, 17, 1e6, 1e6],
    [2000, 1200, 1000, 1000],
    [30, 4, 1e4, 30],
  ])("of %d rows number %d, where x is %d and y %d", async (rows, row, value, target) => {
    const data = noise(rows, 3);
    set(data, row, value, target);
    const where = `row ${(row + 1).toLocaleString("en")} (x1 is ${value}, y is ${target})`;
    const verdict = await verdictOf(data, { family: "gaussian" });
    expect(verdict).toContain(`One row decides about x1: ${where}.`);
    expect(verdict).toMatch(/Without it the effect of x1 would be \S+ \(± \S+\) instead of/);
  });

  it("whatever the preset, the units and the other variables of the model", async () => {
    const data = noise(200, 4);
    set(data, 17, 100, 100);
    for (let i = 0; i < 200; i++) {
      data.x[0][i] = 5e5 + 1e3 * data.x[0][i];
      data.y[i] = 1e-4 * (data.y[i] + data.x[1][i] - data.x[2][i]);
    }
    const decided = /One row decides about x1: row 18 \(/;
    expect(await verdictOf(data)).toMatch(decided);
    expect(await verdictOf(data, { exclude: ["x2"] })).toMatch(decided);
    const plain = noise(200, 4);
    set(plain, 17, 100, 100);
    expect(await verdictOf(plain, { intercept: "none" })).toMatch(decided);
    expect(await verdictOf(plain, { preset: "paper", iterations: 600, seed: 2 })).toMatch(decided);
  });

  it("and so are two or three that agree with each other and with nobody else", async () => {
    for (const places of [
      [5, 150],
      [5, 6, 150],
    ]) {
      const data = noise(200, 6);
      for (const row of places) set(data, row, 30 + 0.01 * row, 30);
      const verdict = await verdictOf(data);
      expect(verdict).toMatch(/(Two|Three) rows decide about x1: row \d+ \(x1 is 3[01]/);
      for (const row of places) expect(verdict).toContain(`row ${row + 1} (`);
    }
  });

  it("an indicator that is 1 in one row has nobody else to tell of it", async () => {
    const data = noise(200, 7);
    data.x[0].fill(0);
    set(data, 40, 1, 9);
    expect(await verdictOf(data)).toMatch(
      /One row decides about x1: row 41 \(x1 is 1, y is 9\)\. No other row tells of its effect\./,
    );
  });

  it("among counts as well", async () => {
    const data = noise(200, 8);
    const rng = Rng.seeded(9);
    data.y.set(data.y.map(() => poisson(rng, 3)));
    set(data, 60, 12, 60);
    expect(await verdictOf(data, { family: "poisson" })).toMatch(
      /One row decides about x1: row 61 \(x1 is 12, y is 60\)/,
    );
  });

  it("is named by what it holds where rows were left out, whose numbers nobody knows", async () => {
    const data = noise(200, 3);
    set(data, 17, 100, 100);
    data.y[3] = Number.NaN;
    expect(await verdictOf(data)).toContain("One row decides about x1: where x1 is 100, y is 100.");
    const { verdict } = await fit(
      { x: data.x[0], y: data.y },
      { target: "y", threads: 1, missing: "drop", holdout: 0.3, seed: 4 },
    );
    expect(verdict).not.toMatch(/row \d/);
  });
});

describe("a row that agrees with all others decides nothing", () => {
  it("however far out it lies", async () => {
    const data = noise(200, 3, 0.8);
    set(data, 17, 100, 80);
    expect(await verdictOf(data)).toMatch(/^No problems found\./);
  });

  it("nor does one that lies far from a strong effect", async () => {
    const data = noise(200, 3, 2);
    set(data, 17, 3, -2);
    expect(await verdictOf(data)).not.toMatch(/decides? about/);
  });

  it("nor do three ones of an indicator whose rows agree", async () => {
    const data = noise(500, 5);
    data.x[0].fill(0);
    for (const row of [10, 200, 400]) set(data, row, 1, 5 + data.y[row]);
    const verdict = await verdictOf(data);
    expect(verdict).not.toMatch(/decides? about/);
  });

  // bench/row-alarms.ts: of clean sets whose effects are at the edge, fewer than one in a thousand are told so.
  it("nor any of those that have an effect at the edge by chance", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const rows = [20, 50, 200][seed % 3];
      expect(await verdictOf(noise(rows, seed, 2.6 / Math.sqrt(rows)))).not.toMatch(/decides? about/);
    }
  });
});
