import { describe, expect, it } from "vitest";
import { displayWidth, shortened, shortenedApart } from "../../src/report/text/display-width.js";
import { isPlain } from "../../src/report/text/graphemes.js";
import { resultText } from "../../src/report/text/result.js";
import { screenOf } from "../../src/report/text/screen.js";
import { grouped } from "../../src/wording.js";
import { exampleResult, variable } from "./example.js";

describe("the text report", () => {
  it("says first what was found and whether it can be trusted, then the numbers, then what they are worth", () => {
    expect(resultText(exampleResult())).toBe(`1,234 rows, 2,000 variables, target y (gaussian)

2 of 2,000 variables are selected for y: alpha and beta.
No problems found.

   variable  probability               effect  95% interval
*  alpha           1.000  ██████████    2.000   1.800 to 2.200
*  beta            0.800  ████████    -0.8000  -1.200 to 0
   gamma           0.200  ██           0.1000       0 to 0.7000

The model holds 2.0 variables on average (95% interval 1 to 3).
beta and gamma are correlated: at least one of them is in, with probability
0.960.
At a false-discovery rate of 0.05 the selection is alpha (expected share of
false ones 0.010).
Every one of the 1,997 other variables was checked: the largest probability left
outside is z1075 with 0.0003, and the expected number of members among them
0.010.
Every pair of 1,998 variables was looked at, and triples of those that are
alike; 2 groups were weighed; the most probable outside is z7 and z8, with
0.0001. All variables together explain no more beyond the model than chance
would (p 0.400).
Exact: every model of the 3 candidates was weighed with all the data, so there
is no Monte Carlo error.
`);
  });

  it("an empty selection is an answer", () => {
    const text = resultText(exampleResult({ variables: [variable("alpha", 0.1, 1)], columns: 1 }));
    expect(text).toContain(
      "No variable is selected for y; the strongest, alpha, is in the model with\nprobability 0.100.",
    );
    expect(resultText(exampleResult({ variables: [] }))).toContain("No variable is selected for y.");
  });

  it("shows the Monte Carlo errors of sampled probabilities", () => {
    const sampled = { ...variable("beta", 0.8, -1), pipError: 0.004 };
    const text = resultText(
      exampleResult({
        variables: [variable("alpha", 1, 2), sampled],
        settings: { posterior: "sampled" },
        diagnostics: { rhat: 1.002, ess: 5123, warnings: [] },
      }),
    );
    expect(text).toContain("probability  ±");
    expect(text).toContain("0.800  0.004  ████████");
    expect(text.replaceAll("\n", " ")).toContain("is 0.004 (R-hat 1.002, 5,123 effective draws).");
  });

  it("tells what was looked at beyond single variables", () => {
    const { groups, overall, ...singles } = exampleResult().certificate!;
    expect(resultText(exampleResult({ certificate: singles }))).toContain(
      "Only single variables were checked",
    );
    const something = { pValue: 1e-5, share: 0.3, somethingLeft: true };
    expect(
      resultText(exampleResult({ certificate: { ...singles, groups: groups!, overall: something } })),
    ).toContain("explain more than the model does");
    const none = { variables: 1998, weighed: 0 };
    const text = resultText(exampleResult({ certificate: { ...singles, groups: none, overall: overall! } }));
    expect(text).toContain("none was worth");
    const everyone = { ...singles, candidates: 2000, groups: none, overall: overall! };
    expect(resultText(exampleResult({ certificate: everyone }))).not.toContain("Every pair");
  });

  it("tells a certificate that is not complete from one that is", () => {
    const certificate = { ...exampleResult().certificate!, complete: false };
    expect(resultText(exampleResult({ certificate }))).toContain("some may belong: the largest");
  });

  it("says every warning exactly once", () => {
    const warnings = ["The chains disagree.", "Constant columns were left out: c."];
    const verdict = "One problem found. The chains disagree.";
    const text = resultText(exampleResult({ verdict, diagnostics: { warnings } }));
    expect(text.split("The chains disagree.")).toHaveLength(2);
    expect(text).toContain("Note: Constant columns were left out: c.");
  });

  it("keeps columns straight under wide characters and long names", () => {
    const names = ["身長", "🐦 count", "👩‍👩‍👧 family", "e\u0301te\u0301", "x".repeat(60), "plain"];
    const rows = resultText(exampleResult({ variables: names.map((name) => variable(name, 0.9, 1)) }))
      .split("\n")
      .filter((line) => line.startsWith("*"));
    expect(rows).toHaveLength(names.length);
    const columns = rows.map((row) => displayWidth(row.slice(0, row.indexOf("0.900"))));
    expect(new Set(columns).size).toBe(1);
    expect(rows[4]).toMatch(/x{20,}…/);
  });

  it("names that only differ at their ends are not cut to the same text", () => {
    const names = ["mean", "sd", "range"].map((end) => `${"a long name ".repeat(6)}${end}`);
    const cut = shortenedApart([...names, "mean"], 20);
    for (const [i, end] of ["mean", "sd", "range"].entries()) {
      expect(cut[i]).toMatch(new RegExp(`^a .*….* name ${end}$`));
      expect(displayWidth(cut[i])).toBe(20);
    }
    expect(cut[3]).toBe("mean");
    expect(shortenedApart([names[0], "other"], 20)[0]).toBe("a long name a long …");
  });

  it("lets no control character of a name reach the terminal", () => {
    const evil = "\u001b[31mred\u0007\u202e";
    const text = resultText(exampleResult({ variables: [variable(evil, 1, 1)], target: evil }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be gone
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

it.each([
  ["", 0],
  ["abc", 3],
  ["身長", 4],
  ["🐦", 2],
  ["👩‍👩‍👧", 2],
  ["🇨🇭", 2],
  ["e\u0301", 1],
  ["©", 1],
])("%s takes the right number of cells", (text, cells) => {
  expect(displayWidth(text)).toBe(cells);
});

it("a shortened text fits and never splits a character", () => {
  expect(shortened("🐦🐦🐦", 4)).toBe("🐦…");
  expect(shortened("abc", 3)).toBe("abc");
});

describe("on a screen", () => {
  const names = ["alpha", "a name that is longer than any narrow screen could hold in a table", "漢字"];
  const result = exampleResult({ variables: names.map((name, i) => variable(name, 0.9 - 0.3 * i, -1e-3)) });

  it.each([50, 60, 80, 100, 120, 200])("of %i columns no line is longer", (width) => {
    const lines = resultText(result, screenOf(width, false)).split("\n");
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(lines.some((line) => line.includes("if in"))).toBe(width >= 116);
    expect(lines.some((line) => line.includes("█"))).toBe(width >= 72);
  });

  it("widths beyond reason are brought back to it", () => {
    expect([screenOf(3, false).width, screenOf(1000, false).width, screenOf(undefined, false).width]).toEqual(
      [50, 200, 80],
    );
  });

  it("colours change nothing but the colours", () => {
    const text = resultText(result, screenOf(80, true));
    expect(text).toContain("\u001b[1m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of the colours
    expect(text.replaceAll(/\u001b\[\d+m/g, "").replaceAll(/ +$/gm, "")).toBe(resultText(result));
  });
});

it("copies that are selected count once in the headline", () => {
  const variables = ["b", "a", "c", "d"].map((name) => variable(name, name === "d" ? 0.1 : 0.7, 1));
  const copies = [
    { name: "b", of: "a" },
    { name: "c", of: "b" },
  ];
  expect(resultText(exampleResult({ variables, copies, columns: 4 }))).toContain(
    "1 of 4 variables is selected for y: a (or its copies b and c).",
  );
});

it("texts of plain characters are measured without the rules of all scripts, and to the same width", () => {
  const rules = new Intl.Segmenter("en", { granularity: "grapheme" });
  const plain = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).filter(isPlain);
  expect(plain.length).toBeGreaterThan(200);
  const text = plain.join("");
  expect(Array.from(rules.segment(text), ({ segment }) => segment)).toEqual(plain);
  // Behind a mark that takes no room, every one of them is looked up.
  for (const each of plain) expect([each, displayWidth(`${each}\u0301`)]).toEqual([each, displayWidth(each)]);
});

it("whole numbers have their thousands apart, as in English", () => {
  for (const n of [0, 7, 999, 1000, 12345, 123456, 1234567, 2 ** 52, -1, -999, -1000, -123456]) {
    expect(grouped(n)).toBe(n.toLocaleString("en-US"));
  }
});
