import { parseHTML } from "linkedom";
/** All methods side by side. */

import { type CompareOptions, type CompareResult, compare } from "../../src/node.js";
import { comparisonHtml } from "../../src/report/page/comparison.js";
import { comparisonText } from "../../src/report/text/comparison.js";
import { type Family, regression } from "./data.js";
import type { Case } from "./kept.js";
import { plain, sha256 } from "./plain.js";

/** Without what the clock and the machine decide. */
function unmeasured(comparison: CompareResult): CompareResult {
  return {
    ...comparison,
    methods: comparison.methods.map(({ seconds: _, memory: __, ...method }) => method),
  };
}

async function compared(
  family: Family,
  rows: number,
  options: Partial<CompareOptions> = {},
): Promise<unknown> {
  const effects = family === "binomial" ? [1.1, -1] : [0.8, -0.6, 0.4];
  const table = regression({ rows, columns: 5, family, seed: 25, effects });
  const comparison = unmeasured(await compare(table, { target: "y", threads: 2, seed: 3, ...options }));
  return {
    comparison: plain(comparison),
    text: comparisonText(comparison),
    html: sha256(comparisonHtml(comparison, parseHTML("<html></html>").document)),
  };
}

export const compareCases: readonly Case[] = [
  { name: "compare-gaussian", run: () => compared("gaussian", 150) },
  // Their paths take seconds, and twice as many with rows held out.
  { name: "compare-binomial", run: () => compared("binomial", 150, { holdout: 0 }) },
  { name: "compare-binomial-holdout", run: () => compared("binomial", 150, { methods: ["esgld"] }) },
];
