import { describe, expect, it } from "vitest";
import { parseFormula } from "../../../src/mixed/formula/formula.js";

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
    ["y ~ -1 + x + (-1 + x | g)", false, [["x"]], [term(["g"], false, ["x"])]],
    ["y ~ - 1 + (1 | g)", false, [], [term(["g"], true)]],
  ])("is read: %s", (text, intercept, fixed, terms) => {
    const parsed = parseFormula(text);
    expect(parsed.target).toBe("y");
    expect(parsed.intercept).toBe(intercept);
    expect(parsed.fixed).toEqual(fixed);
    expect(parsed.terms).toEqual(terms);
  });

  it.each(["a + b", "a:b", "a*b", "g|h", "g||h", "a/b", "a~b", "a-1", "(a", "a^2", "1", " a"])(
    "takes a name between quotes as it is: %s",
    (name) => {
      const { target, fixed, terms } = parseFormula(
        `\`${name}\` ~ \`${name}1\`:x + factor(\`${name}2\`) + (\`${name}1\` | \`${name}3\`/b)`,
      );
      expect(target).toBe(name);
      expect(fixed).toEqual([[`${name}1`, "x"], [`factor(${name}2)`]]);
      expect(terms).toEqual([
        term([`${name}3`], true, [`${name}1`]),
        term([`${name}3`, "b"], true, [`${name}1`]),
      ]);
    },
  );

  it("has a product once, however it is named", () => {
    expect(parseFormula("y ~ `a b` + `a b`*x").fixed).toEqual([["a b"], ["x"], ["a b", "x"]]);
  });

  it("is quoted with its names in a message", () => {
    expect(() => parseFormula("y ~ `a b` + log(`c d`) + (1 | g)")).toThrow(
      'The formula "y ~ `a b` + log(`c d`) + (1 | g)" cannot be read: "log(`c d`)" is no column',
    );
  });

  it.each([
    "y ~ y + (1 | g)",
    "y ~ x*y + (1 | g)",
    "y ~ factor(y) + (1 | g)",
    "y ~ x + (y | g)",
    "y ~ x + (1 | y/g)",
    "y ~ `y` + (1 | g)",
    "`y` ~ y + (1 | g)",
  ])("has its target in one place alone: %s", (text) => {
    expect(() => parseFormula(text)).toThrow('the target "y" cannot be a predictor or a group as well');
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
    ["y ~ x + offset(z) + (1 | g)", '"offset(z)" is no column: name the offset with offset: "z"'],
    ["y ~ x + offset(`a b`) + (1 | g)", '"offset(`a b`)" is no column: name the offset with offset.'],
    ["y ~ offset(log(z)) + (1 | g)", "make a column of log(z) beforehand and name it with offset"],
    ["y ~ . + (1 | g)", '"." stands for no column: name the columns that you mean'],
    ["y ~ x + (. | g)", '"." stands for no column: name the columns that you mean'],
    ["y ~ x + (1 | .)", '"." stands for no column: name the columns that you mean'],
    ["y ~ a/b + (1 | g)", '"a/b" is no column: write a + a:b for columns within columns'],
    ["y ~ (1 | g+h)", '"g+h" is no column: write (… | g) + (… | h) for groups by each.'],
    ["y ~ (x || `g g` + h)", "write (… | `g g`) + (… | h) for groups by each."],
    [
      "y ~ (1 | g*h)",
      '"g*h" is no column: write (… | g) + (… | h) for groups by each, and (… | g:h) for their pairs.',
    ],
    ["y ~ (1 | factor(g))", 'values of a column name groups as they are: write (… | g) for "factor(g)"'],
    ["y ~ (1 | a:factor(g))", 'values of a column name groups as they are: write (… | g) for "factor(g)"'],
    ["y ~ (1 | cut(g, 3))", '"cut(g, 3)" is no column: functions and powers are columns'],
  ])("is refused with a reason: %s", (text, reason) => {
    expect(() => parseFormula(text)).toThrow(reason);
  });
});
