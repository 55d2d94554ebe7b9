import { expect, test } from "vitest";
import { poisson } from "../../../src/families/poisson.js";
import { targetOf } from "../../../src/selection/data/target.js";
import { option } from "../../../src/wording.js";
import { smallStore } from "../../small-store.js";

const x = [1, 2, 3, 4, 5, 6];
const seen = (u: number[], { slope, offset }: { slope: number; offset: number }, shift: number) =>
  u.map((value) => slope * (value - shift) + offset);

test("two values are classes whatever they are called, and the larger one is the 1", async () => {
  for (const y of [
    [0, 1, 1, 0, 1, 1],
    [-1, 1, 1, -1, 1, 1],
    [1, 2, 2, 1, 2, 2],
  ]) {
    const store = await smallStore({ x, y });
    const target = targetOf(store, "auto");
    expect(target.family.name).toBe("binomial");
    seen(y, target.scaling, store.shift[1]).forEach((value, i) => {
      expect(value).toBeCloseTo(y[i] === Math.max(...y) ? 1 : 0, 6);
    });
  }
});

test("anything else is Gaussian, with a hint where it could be counts", async () => {
  const plain = targetOf(await smallStore({ x, y: [0.5, 1, 2, 3, 4, 7] }), "auto");
  expect(plain).toMatchObject({ family: { name: "gaussian" }, remarks: [] });
  const counts = targetOf(await smallStore({ x, y: [0, 1, 2, 0, 4, 7] }), "auto");
  expect(counts.family.name).toBe("gaussian");
  expect(counts.remarks[0]).toMatch(option("family", "poisson"));
});

test("clear counts are Poisson, unless another family is asked for, and a sentence says so", async () => {
  const y = Array.from({ length: 60 }, (_, i) => [0, 1, 0, 2, 1, 3, 0, 1, 5, 2][i % 10] + (i === 8 ? 1 : 0));
  const store = await smallStore({ x: y.map((_, i) => (i * 7) % 60), y });
  expect(targetOf(store, "auto")).toEqual({
    family: poisson,
    scaling: { slope: 1, offset: store.shift[1] },
    remarks: [
      `"y" holds whole numbers from 0 to 6, most of them small, as counts do: poisson; ${option("family", "gaussian")} takes them for measurements.`,
    ],
  });
  expect(targetOf(store, "gaussian")).toMatchObject({ family: { name: "gaussian" }, remarks: [] });
});

test("a target that does not fit the family is refused with the values that do not fit", async () => {
  const three = await smallStore({ x, y: [0, 1, 2, 0, 1, 1] });
  expect(() => targetOf(three, "binomial")).toThrow(/"y" must hold two values .* holds 0, 1, 2/);
  const negative = await smallStore({ x, y: [0, -3, 2, 0, 1, 1] });
  expect(() => targetOf(negative, "poisson")).toThrow(/counts .* holds -3/);
  const fraction = await smallStore({ x, y: [0, 0.5, 2, 0, 1, 1] });
  expect(() => targetOf(fraction, "poisson")).toThrow(/fraction/);
});

test("a store that was made for a family keeps to it, unless another one is asked for", async () => {
  const store = await smallStore({ x, y: [0, 1, 1, 0, 1, 1] });
  const made = { ...store, record: { ...store.record, family: "gaussian" as const } };
  expect(targetOf(made, "auto")).toMatchObject({ family: { name: "gaussian" }, remarks: [] });
  expect(targetOf(made, "binomial").family.name).toBe("binomial");
});
