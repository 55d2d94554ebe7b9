import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { missingSentences } from "../../src/report/page/missing.js";
import { htmlReport } from "../../src/report/page/page.js";
import { resultText } from "../../src/report/text/result.js";
import type { FitResult, MissingSummary } from "../../src/selection/answer/result.js";
import { exampleResult, exampleRun, variable } from "./example.js";

const summary: MissingSummary = {
  ...{ entries: 480, share: 0.021, completeRows: 812, enoughRows: true, lawOf: 2000 },
  columns: [
    { name: "alpha", missing: 300 },
    { name: "beta", missing: 180 },
  ],
  model: "joint gaussian",
};
const dropping = (variables: readonly ReturnType<typeof variable>[]) => ({
  dropping: { rows: 812, variables },
});
const said = (changes: Partial<MissingSummary>) =>
  missingSentences(exampleResult({ missing: { ...summary, ...changes } })).join(" ");

describe("missing values in a report", () => {
  it("are counted by column, with the law they were drawn from", () => {
    expect(said({})).toBe(
      "480 values, 2.1% of all, are missing in alpha (300) and beta (180), and were imputed: drawn along with the model from a joint Gaussian of the predictors and the target (--missing impute). Dropping incomplete rows instead (--missing drop) would keep 812 of 1,234.",
    );
    expect(said({ lawOf: 30 })).toContain(
      "a joint Gaussian of 30 variables, the candidates and their nearest, and the target",
    );
    expect(said({ model: "linear discriminants" })).toContain("from their levels");
    expect(said({ model: "joint gaussian, categories by linear discriminants" })).toContain(
      "the target, categories from their levels",
    );
  });

  it("come with what dropping rows would change", () => {
    const [alpha, beta, gamma] = [
      variable("alpha", 1, 2),
      variable("beta", 0.8, -1),
      variable("gamma", 0.2, 1),
    ];
    expect(said(dropping([alpha, beta]))).toContain("keep 812 of 1,234 and select the same variables.");
    expect(said(dropping([alpha, variable("beta", 0.3, -1)]))).toContain("1,234 and not select beta.");
    expect(said(dropping([alpha, variable("beta", 0.3, -1), { ...gamma, selected: true }]))).toContain(
      "1,234 and select gamma besides, but not select beta.",
    );
    expect(said({ enoughRows: false, completeRows: 3 })).toContain(
      "keep 3 of 1,234, too few to compare with.",
    );
  });

  it("are in the text and, side by side with the complete rows, on the page", () => {
    const missing = { ...summary, ...dropping([variable("alpha", 0.61, 1.5)]) };
    const changes: Partial<FitResult> = { missing };
    expect(resultText(exampleResult(changes))).toContain("480 values, 2.1% of all, are missing");
    const page = htmlReport(exampleRun(changes), parseHTML("<html><body></body></html>").document);
    const { document } = parseHTML(page);
    const section = [...document.querySelectorAll("section")].find(
      (part) => part.querySelector("h2")?.textContent === "Missing values",
    )!;
    expect(section.textContent).toContain("480 values");
    const cells = [...section.querySelectorAll("tbody td")].map((cell) => cell.textContent);
    expect(cells).toEqual(["alpha", "1.000", "1.800 to 2.200", "0.610", "0 to 1.700"]);
    const without = htmlReport(exampleRun(), parseHTML("<html><body></body></html>").document);
    expect(without).not.toContain("Missing values");
  });
});
