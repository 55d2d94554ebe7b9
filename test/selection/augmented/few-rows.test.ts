import { describe, expect, test } from "vitest";
import { type FamilyName, familyNamed } from "../../../src/families/register.js";
import type { Target } from "../../../src/families/target.js";
import { hasFewRows } from "../../../src/selection/augmented/few-rows.js";
import { layout } from "../../../src/store/layout/layout.js";
import type { Store } from "../../../src/store/store.js";

function few(rows: number, columns: number, family: FamilyName = "binomial", slab?: "zellner") {
  const store = { layout: layout(rows, columns, rows) } as Store;
  const target = { family: familyNamed(family) } as unknown as Target;
  return hasFewRows(store, target, slab ? { slab } : {});
}

describe("models can be drawn without an expansion", () => {
  test("where classes have few rows and many columns", () => {
    for (const [rows, columns] of [
      [60, 18],
      [150, 350],
      [300, 60],
      [400, 500],
      [60, 1000],
    ]) {
      expect(few(rows, columns), `${rows} x ${columns}`).toBe(true);
    }
  });

  test("and not where rows are many, columns few or too many", () => {
    for (const [rows, columns] of [
      [50_000, 2000],
      [49_749, 300],
      [800, 310],
      [300, 20],
      [60, 17],
      [60, 1001],
      [400, 900],
    ]) {
      expect(few(rows, columns), `${rows} x ${columns}`).toBe(false);
    }
  });

  test("nor of counts and measurements, nor with a prior that depends on the likelihood", () => {
    expect(few(150, 350, "poisson")).toBe(false);
    expect(few(150, 350, "gaussian")).toBe(false);
    expect(few(150, 350, "binomial", "zellner")).toBe(false);
  });
});
