import { expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { fit } from "../../../src/node.js";

const rng = Rng.seeded(2);
const x = Array.from({ length: 60 }, () => normal(rng));
const y = x.map((value) => value + normal(rng));
const notesWith = async (other: number[]) =>
  (await fit({ x, other, y }, { target: "y", threads: 1 })).notes ?? [];

it.each([
  ["about zero", (value: number) => 1e-46 * value],
  ["above zero", (value: number) => 1e-46 * (5 + 0.1 * value)],
  ["with holes", (value: number) => (value > 1 ? Number.NaN : 1e-50 * value)],
])("a column too small for single precision is not called constant: %s", async (_, of) => {
  const notes = await notesWith(x.map(of));
  expect(notes).toContainEqual(
    '"other" is too small for single precision, which takes every value for zero: left out. Multiply it by a large number.',
  );
  expect(notes.join()).not.toContain("the same value");
});

it.each([0, 1e-46, 3])("one that holds nothing but %d is", async (value) => {
  expect(await notesWith(x.map(() => value))).toContainEqual(
    '"other" has the same value in every row: left out.',
  );
});

it("the prior probability of a variable is told as it was given", async () => {
  const other = x.map(() => normal(rng));
  for (const priorInclusion of [0.3, 0.1, 0.7]) {
    const { settings } = await fit({ x, other, y }, { target: "y", threads: 1, priorInclusion });
    expect(settings).toMatchObject({ priorInclusion });
  }
});
