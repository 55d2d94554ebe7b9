import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import type { CompareResult } from "../../src/peers/comparison.js";
import { comparisonHtml } from "../../src/report/page/comparison.js";

const wicked = `<script>alert("x")</script> & 'y'`;
const comparison: CompareResult = {
  family: "gaussian",
  rows: 1234,
  columns: 7,
  target: wicked,
  seed: 3,
  holdoutRows: 50,
  nullError: 2.5,
  methods: [
    {
      method: "lasso",
      explanation: "a penalty",
      selected: [
        { name: "plain", coefficient: 0.25 },
        { name: wicked, coefficient: -1 },
      ],
      agreement: 0.5,
      holdoutError: 1.5,
      seconds: 0.1,
      memory: 3 * 2 ** 20,
    },
    {
      method: "mcp",
      explanation: "another",
      selected: [{ name: wicked, coefficient: 0 }],
      agreement: 0.5,
      seconds: 0.2,
    },
    { method: "rjmh", explanation: "jumps", failure: `no ${wicked}` },
  ],
};
const page = comparisonHtml(comparison, parseHTML("<html></html>").document);
const { document } = parseHTML(page);
const cells = (table: number): string[][] =>
  [...document.querySelectorAll("table")[table].querySelectorAll("tr")].map((row) =>
    [...row.querySelectorAll("th, td")].map((cell) => cell.textContent ?? ""),
  );

test("the page of a comparison shows names as text, whatever they hold", () => {
  expect(document.querySelectorAll("script").length).toBe(0);
  expect(page).not.toContain("<script");
  expect(document.querySelector("h1 bdi")?.textContent).toBe(wicked);
  expect(cells(1)[1][0]).toBe(wicked);
});

test("the page asks for nothing from elsewhere", () => {
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/(?:src|href)="(?!data:)/);
  expect(page).not.toMatch(/url\(|@import|https?:/);
});

test("the page has a row for every method, the failed one with its reason", () => {
  const [head, lasso, mcp, rjmh, constant] = cells(0);
  expect(head).toEqual(["method", "selected", "agreement", "squared error", "seconds", "memory"]);
  expect(lasso).toEqual(["lasso", "2", "0.50", "1.500", "0.10", "3 MB"]);
  expect(mcp).toEqual(["mcp", "1", "0.50", "", "0.20", ""]);
  expect(rjmh.slice(0, 2)).toEqual(["rjmh", "failed"]);
  expect(constant.slice(0, 4)).toEqual(["(constant)", "0", "", "2.500"]);
  expect(document.querySelector(".verdict")?.textContent).toContain(`rjmh failed. no ${wicked}`);
});

test("variables that more methods select come first, with a coefficient for each that does", () => {
  expect(cells(1)).toEqual([
    ["variable", "lasso", "mcp"],
    [wicked, "−1.000", "0"],
    ["plain", "0.2500", "·"],
  ]);
});
