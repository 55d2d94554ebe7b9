import { expect, it } from "vitest";
import { closest } from "../../src/tables/named/closest.js";

const names = ["fit", "import", "predict", "iterations", "Income"];

it.each([
  ["a letter too many", "itterations", "iterations"],
  ["a letter that is missing", "predit", "predict"],
  ["another letter", "omport", "import"],
  ["two letters that changed places", "fti", "fit"],
  ["another case", "income", "Income"],
])("finds what was meant in spite of %s", (_, word, meant) => {
  expect(closest(word, names)).toBe(meant);
});

it("guesses nothing where a word is too far from all names, or too short to tell", () => {
  expect(closest("report", ["fit", "mixed"])).toBeUndefined();
  expect(closest("x", ["y", "z"])).toBeUndefined();
});

it("prefers the nearest of several", () => {
  expect(closest("chain", ["chaimed", "chains"])).toBe("chains");
});
