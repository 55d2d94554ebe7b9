import { describe, expect, it } from "vitest";
import { parseFormula } from "../../../src/mixed/rows/formula.js";

const term = (group: string[], intercept: boolean, ...columns: string[][]) => ({ group, intercept, columns });

describe("a formula", () => {
  it.each([
    ["y ~ x", true, [["x"]], []],
    ["y ~ 1 + (1 | g)", true, [], [term(["g"], true)]],
    ["y ~ x + z + (1 + x | g) + (1|h)", true, [["x"], ["z"]], [term(["g"], true, ["x"]), term(["h"], true)]],
    ["y ~ x + (0 + x | g)", true, [["x"]], [term(["g"], false, ["x"])]],
    ["y ~ x - 1 + (x - 1 | g)", false, [["x"]], [term(["g"], false, ["x"])]],
    ["y ~ 0 + x + (1 | g)", false, [["x"]], [term(["g"], true)]],
    ["y ~ (x + z || g)", true, [], [term(["g"], true), term(["g"], false, ["x"]), term(["g"], false, ["z"])]],
    ["y ~ 1 + (1 | a/b)", true, [], [term(["a"], true), term(["a", "b"], true)]],
    ["y ~ 1 + (1 | a:b)", true, [], [term(["a", "b"], true)]],
    ["y ~ a*b", true, [["a"], ["b"], ["a", "b"]], []],
    ["y ~ a:b + factor(c)", true, [["a", "b"], ["factor(c)"]], []],
    ["`my y` ~ `a + b` + (1 | `g|h`)", true, [["a + b"]], undefined],
  ])("is read: %s", (text, intercept, fixed, terms) => {
    if (terms === undefined) {
      expect(() => parseFormula(text)).toThrow("cannot be read");
      return;
    }
    const parsed = parseFormula(text);
    expect(parsed.target).toBe("y");
    expect(parsed.intercept).toBe(intercept);
    expect(parsed.fixed).toEqual(fixed);
    expect(parsed.terms).toEqual(terms);
  });

  it.each([
    ["y", "write target ~ columns"],
    ["y ~ x ~ z", "write target ~ columns"],
    ["~ x", "write target ~ columns"],
    ["y ~ x + + z", "something is missing"],
    ["y ~ x - z", "only the intercept can be taken away"],
    ["y ~ (1 | g", "does not close"],
    ["y ~ (x)", "a term in parentheses is"],
    ["y ~ log(x) + (1 | g)", "functions and powers are columns that you make beforehand"],
    ["y ~ (0 | g)", "no effect that could differ"],
    ["y ~ (1 | )", "a group has no name"],
  ])("is refused with a reason: %s", (text, reason) => {
    expect(() => parseFormula(text)).toThrow(reason);
  });
});
