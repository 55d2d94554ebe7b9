import { expect, it } from "vitest";
import { fit } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";

/** Two columns, a function of normal numbers each, a fifth of them missing. */
async function verdictOf(shape: (z: number) => number, share: number): Promise<string> {
  const rng = Rng.seeded(3);
  const rows = 500;
  const [a, b] = [0, 1].map(() => Float64Array.from({ length: rows }, () => shape(normal(rng))));
  const y = a.map((value, i) => value - b[i] + normal(rng));
  const holed = (values: Float64Array) => values.map((value) => (rng.uniform() < share ? Number.NaN : value));
  return (await fit({ a: holed(a), b: holed(b), y }, { target: "y", seed: 1 })).verdict!;
}

it("columns with holes that are far from normal are named in the verdict", async () => {
  expect(await verdictOf(Math.exp, 0.2)).toMatch(
    /problem.* found\. .*drawn as if they were normal: "a" \(skewness \d+\.\d\), "b" \(skewness \d+\.\d\)/s,
  );
});

it("others are not, and neither are those with hardly a hole, nor truth values however rare", async () => {
  for (const [shape, share] of [
    [(z: number) => z, 0.2],
    [(z: number) => Math.exp(0.5 * z), 0.2],
    [Math.exp, 0.02],
    [(z: number) => (z > 1.8 ? 1 : 0), 0.2],
  ] as const) {
    expect(await verdictOf(shape, share)).not.toContain("as if they were normal");
  }
});

it("columns that are never there in the same row are named, and others are not", async () => {
  const rng = Rng.seeded(4);
  const rows = 300;
  const [a, b, c] = [0, 1, 2].map(() => Float64Array.from({ length: rows }, () => normal(rng)));
  const y = a.map((value, i) => value - b[i] + c[i] + 0.5 * normal(rng));
  const where = (values: Float64Array, there: (i: number) => boolean) =>
    values.map((value, i) => (there(i) ? value : Number.NaN));
  const verdictWith = async (shared: number) => {
    const halves = {
      a: where(a, (i) => i < 150),
      b: where(b, (i) => i >= 150 - shared),
      c: where(c, (i) => i % 5 > 0),
    };
    return (await fit({ ...halves, y }, { target: "y", seed: 1 })).verdict!;
  };
  expect(await verdictWith(0)).toContain('"a" and "b" are never there in the same row: the data cannot tell');
  expect(await verdictWith(3)).toContain('"a" and "b" are only 3 times there in the same row: ');
  expect(await verdictWith(60)).not.toContain("there in the same row");
});
