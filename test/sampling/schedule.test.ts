import { expect, it } from "vitest";
import { cyclical, polynomial, valueAt, weightAt } from "../../src/sampling/schedule.js";

it("a constant step is itself at every iteration and its draws count alike", () => {
  expect([1, 7, 1000].map((t) => valueAt(0.25, t))).toEqual([0.25, 0.25, 0.25]);
  expect([1, 7, 1000].map((t) => weightAt(0.25, t))).toEqual([1, 1, 1]);
});

it("a polynomial schedule is a(b + t)^−κ and averages without weights below κ = 1", () => {
  const steps = polynomial({ a: 2, b: 3, kappa: 0.5 });
  expect(steps(1)).toBeCloseTo(1, 14);
  expect(steps(13)).toBeCloseTo(0.5, 14);
  expect(weightAt(steps, 13)).toBe(1);
});

it("a polynomial schedule with κ = 1 weights each draw by its step", () => {
  const steps = polynomial({ a: 2, b: 3, kappa: 1 });
  expect(steps(5)).toBe(0.25);
  expect(weightAt(steps, 5)).toBe(0.25);
});

it("a cyclical schedule restarts each cycle at a and counts only the draws after the exploration", () => {
  const steps = cyclical({ a: 0.4, length: 10, exploration: 0.5 });
  expect(steps(1)).toBe(0.4);
  expect(steps(6)).toBeCloseTo(0.2, 14);
  expect(steps(11)).toBe(0.4);
  expect(steps(10)).toBeGreaterThan(0);
  expect([1, 5, 6, 10, 11].map((t) => weightAt(steps, t))).toEqual([0, 0, 1, 1, 0]);
});

it("a schedule outside its range is refused with its settings named", () => {
  expect(() => polynomial({ a: 1, b: 0, kappa: 1.5 })).toThrow(/kappa = 1.5/);
  expect(() => cyclical({ a: 1, length: 1 })).toThrow(/length = 1/);
});
