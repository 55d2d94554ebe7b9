import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { html, trusted } from "../../src/report/page/markup.js";
import { htmlReport } from "../../src/report/page/page.js";
import { labelLayout } from "../../src/report/page/plots/label-layout.js";
import type { FitResult } from "../../src/selection/answer/result.js";
import { exampleRun, variable } from "./example.js";

const page = (changes: Partial<FitResult> = {}): string =>
  htmlReport(exampleRun(changes), parseHTML("<html><body></body></html>").document);
const textOf = (source: string): string => parseHTML(source).document.body.textContent!.replace(/\s+/g, " ");

const EVIL = `<script>alert("1")</script>'&"><img src=x onerror=alert(2)> 🐦`;

describe("the page", () => {
  it("has the answer before the verdict, and the verdict before the numbers", () => {
    const text = textOf(page());
    const places = [
      "2 of 2,000 variables are selected for y",
      "No problems found.",
      "Every one of the 1,997 other variables was checked",
      "Every model of the 3 candidates was weighed",
      "Which variables matter",
      "How much they matter",
      "Which models are likely",
      "How large the model is",
      "Convergence",
      "Data and settings",
      "Biometrika",
    ].map((part) => text.indexOf(part));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it("treats names as data, wherever they appear", () => {
    const variables = [variable(EVIL, 1, 2), variable("beta", 0.7, 1)];
    const source = page({
      variables,
      target: EVIL,
      models: [{ variables: [EVIL, "beta"], probability: 0.9 }],
      pairs: [{ variables: [EVIL, "beta"], probability: 0.7 }],
      credibleSets: [{ variables: [EVIL, "beta"], probability: 0.99 }],
      falseDiscovery: { rate: 0.05, expected: 0.01, variables: [EVIL] },
      verdict: `One problem found. ${EVIL}`,
      diagnostics: { warnings: [`${EVIL} is constant.`] },
      certificate: {
        ...{ complete: true, candidates: 2, threshold: 0.002, massOutside: 0 },
        largestOutside: { name: EVIL, pip: 0.001 },
      },
    });
    const { document } = parseHTML(source);
    expect(document.querySelectorAll("script, img, [onerror]")).toHaveLength(0);
    expect(document.querySelector("h1")!.textContent).toContain(EVIL);
    expect(document.querySelector("title")!.textContent).toContain("🐦");
    expect(source).not.toMatch(/<script|<img/);
  });

  it("takes out control characters, also in the drawings", () => {
    const source = page({ variables: [variable("a\u0000b\u0007\u202e", 1, 2)] });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be gone
    expect(source).not.toMatch(/[\u0000-\u0008\u202e]/);
  });

  it("refers to nothing outside itself", () => {
    const source = page();
    expect(source).not.toMatch(/(src|href)="(?!data:,)/);
    expect(source).not.toMatch(/url\(|@import|<script|<link(?! rel="icon" href="data:,")/);
  });

  it("describes every drawing, and has a table for those who cannot see it", () => {
    const { document } = parseHTML(page());
    const drawings = [...document.querySelectorAll("figure svg")];
    expect(drawings.length).toBeGreaterThanOrEqual(8);
    for (const svg of drawings) {
      expect(svg.getAttribute("role")).toBe("img");
      expect(svg.getAttribute("aria-label")).toBeTruthy();
    }
    expect(document.querySelectorAll("table").length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ["exact", {}],
    ["estimated", { settings: { posterior: "sampled" } }],
    ["estimated", { preset: "paper" }],
    ["approximate", { family: "binomial" }],
  ] as const)("says of its numbers that they are %s", (kind, changes) => {
    const { document } = parseHTML(page(changes));
    const tags = [...document.querySelectorAll(".kind")].map(({ textContent }) => textContent);
    expect(new Set(tags)).toEqual(new Set([kind]));
    expect(tags.length).toBeGreaterThanOrEqual(5);
  });

  it("shows a problem as one, and every warning once", () => {
    const verdict = "One problem found. The chains disagree.";
    const warnings = ["The chains disagree.", "Constant columns were left out: c."];
    const source = page({ verdict, diagnostics: { warnings } });
    expect(parseHTML(source).document.querySelector(".verdict.doubt")).not.toBeNull();
    expect(textOf(source).split("The chains disagree.")).toHaveLength(2);
    expect(textOf(source)).toContain("Note: Constant columns were left out: c.");
  });

  it("an empty selection, a run that was stopped and a result with the least fields have a page, too", () => {
    expect(textOf(page({ variables: [variable("alpha", 0.1, 1)] }))).toContain(
      "No variable is selected for y",
    );
    const stopped = "One problem found. The run was stopped before its end: this is the best found so far.";
    expect(textOf(page({ partial: true, verdict: stopped }))).toContain(stopped);
    const { models, pairs, credibleSets, falseDiscovery, certificate, verdict, intercept, ...least } =
      exampleRun({ variables: [], modelSize: { mean: 0, lower: 0, upper: 0 } }).result;
    const run = { ...exampleRun(), result: least };
    expect(htmlReport(run, parseHTML("<html></html>").document)).toContain("No variable is selected");
  });

  it("draws many variables as points in the order of the data, with names that do not overlap", () => {
    const columns = Array.from({ length: 3000 }, (_, i) => `column ${i}`);
    const variables = columns.map((name, i) => variable(name, i < 8 ? 1 : 0.001, 1));
    const run = exampleRun({ variables, columns: 3000 });
    const source = htmlReport(run, parseHTML("<html></html>").document);
    const { document } = parseHTML(source);
    const [wide] = document.querySelectorAll("figure svg");
    expect(wide.querySelectorAll("circle")).toHaveLength(2000);
    expect(wide.textContent).toContain("column 7");
    expect(textOf(source)).toContain("The 1,000 variables that are not drawn lie below 0.001.");
  });
});

describe("labels on a line", () => {
  const width = 300;
  it.each([
    ["far apart", [10, 150, 290], 40],
    ["all in one place", [5, 5, 5, 5, 5], 40],
    ["at the far end", [299, 300, 298], 50],
  ])("%s do not overlap and stay inside", (_, places, size) => {
    const centres = labelLayout(
      places.map((at) => ({ at, width: size })),
      width,
    ) as number[];
    const sorted = [...centres].sort((a, b) => a - b);
    expect(sorted[0]).toBeGreaterThanOrEqual(size / 2 - 1e-9);
    expect(sorted[sorted.length - 1]).toBeLessThanOrEqual(width - size / 2 + 1e-9);
    for (let i = 1; i < sorted.length; i++)
      expect(sorted[i] - sorted[i - 1]).toBeGreaterThanOrEqual(size - 1e-9);
  });

  it("stay where they want to be when there is room", () => {
    const labels = [150, 60, 240].map((at) => ({ at, width: 40 }));
    expect(labelLayout(labels, width)).toEqual([150, 60, 240]);
  });

  it("are left out from the last when there is none", () => {
    const labels = [10, 20, 30, 40].map((at) => ({ at, width: 120 }));
    const centres = labelLayout(labels, width);
    expect(centres.map((centre) => centre !== undefined)).toEqual([true, true, false, false]);
  });
});

it("a template escapes what is put in, but not markup", () => {
  const inner = html`<b>${"<&>"}</b>`;
  expect(
    html`<p title="${`"'`}">${inner}${[inner, trusted("<i></i>")]}${undefined}${false}${0}</p>`.text,
  ).toBe(`<p title="&quot;&#39;"><b>&lt;&amp;&gt;</b><b>&lt;&amp;&gt;</b><i></i>0</p>`);
});
