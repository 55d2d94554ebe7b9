import { describe, expect, it } from "vitest";
import { fit } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";

/** Of k columns the sum is what is left over, times `left`: it moves the target, and no k − 1 of them tell of it. */
function partsOfNothing(seed: number, { rows, columns, parts, left }: Shape) {
  const rng = Rng.seeded(seed);
  const x = Array.from({ length: columns }, () => Float64Array.from({ length: rows }, () => normal(rng)));
  const rest = Float64Array.from({ length: rows }, () => normal(rng));
  x[parts - 1] = rest.map(
    (e, i) => left * e - x.slice(0, parts - 1).reduce((sum, column) => sum + column[i], 0),
  );
  const data = Object.fromEntries(x.map((values, j) => [`x${j + 1}`, values]));
  return { rng, data, rest };
}

interface Shape {
  readonly rows: number;
  readonly columns: number;
  readonly parts: number;
  readonly left: number;
}

const named = (parts: number): string[] => Array.from({ length: parts }, (_, j) => `x${j + 1}`);

async function selectedOf(data: Record<string, ArrayLike<number>>, family?: "binomial" | "poisson") {
  const result = await fit(data as Record<string, Float64Array>, {
    target: "y",
    seed: 1,
    ...(family && { family }),
  });
  return result.variables
    .filter(({ selected }) => selected)
    .map(({ name }) => name)
    .sort();
}

describe("columns that matter all together only, where models are too many to be listed", () => {
  it.each([
    { rows: 400, columns: 15, parts: 4, left: 0.05 },
    { rows: 400, columns: 20, parts: 5, left: 0.05 },
    { rows: 500, columns: 25, parts: 8, left: 0.5 },
    { rows: 1000, columns: 120, parts: 6, left: 0.2 },
  ])("are found for numbers: $parts of $columns, $left left", async (shape) => {
    for (const seed of [1, 2]) {
      const { rng, data, rest } = partsOfNothing(seed, shape);
      const y = rest.map((e) => e + normal(rng));
      expect(await selectedOf({ ...data, y })).toEqual(named(shape.parts));
    }
  });

  it("are found for classes and for counts", async () => {
    const shape = { rows: 600, columns: 20, parts: 4, left: 0.1 };
    const { rng, data, rest } = partsOfNothing(3, shape);
    const classes = rest.map((e) => (rng.uniform() < 1 / (1 + Math.exp(-1.5 * e)) ? 1 : 0));
    expect(await selectedOf({ ...data, y: classes }, "binomial")).toEqual(named(4));
    const counts = rest.map((e) => poisson(rng, Math.exp(0.5 * e)));
    expect(await selectedOf({ ...data, y: counts }, "poisson")).toEqual(named(4));
  });

  it("are found where columns have holes", async () => {
    const { rng, data, rest } = partsOfNothing(4, { rows: 300, columns: 12, parts: 5, left: 0.3 });
    const y = rest.map((e) => e + normal(rng));
    const holed = Object.fromEntries(
      Object.entries(data).map(([name, values]) => [
        name,
        values.map((v) => (rng.uniform() < 0.03 ? Number.NaN : v)),
      ]),
    );
    expect(await selectedOf({ ...holed, y })).toEqual(named(5));
  });

  it("are not made up where nothing matters", async () => {
    for (const seed of [1, 2, 3, 4]) {
      const { rng, data } = partsOfNothing(10 + seed, { rows: 200, columns: 40, parts: 5, left: 0.05 });
      const y = Float64Array.from({ length: 200 }, () => normal(rng));
      expect(await selectedOf({ ...data, y })).toEqual([]);
    }
  });
});

/** By Knuth's product of uniforms; small means alone. */
function poisson(rng: Rng, mean: number): number {
  let count = 0;
  for (let product = rng.uniform(); product > Math.exp(-mean); product *= rng.uniform()) count += 1;
  return count;
}
