import { describe, expect, test } from "vitest";
import { verdict as marked, type RunDiagnostics, type Verdict } from "../../src/diagnostics/verdict.js";
import { asFlag, spelt } from "../../src/wording.js";

/** As the command line shows it. */
function verdict(run: RunDiagnostics): Verdict {
  const { ok, summary, warnings } = marked(run);
  return {
    ok,
    summary: spelt(summary, asFlag),
    warnings: warnings.map((warning) => spelt(warning, asFlag)),
  };
}

const good: RunDiagnostics = {
  chains: 4,
  rhat: 1.002,
  ess: 812,
  pipError: 0.003,
  certificateComplete: true,
  largestOutside: { name: "z77", pip: 0.004 },
  searchPolishAgreement: { name: "z3", search: 0.61, polish: 0.4 },
  approximationError: 0.01,
  halvings: 0,
  selected: 8,
};

describe("a run without problems", () => {
  test("is told so in three words", () => {
    expect(verdict(good)).toEqual({ ok: true, summary: "No problems found.", warnings: [] });
  });

  test("may have selected nothing, which is an answer and not a problem", () => {
    const { ok, summary } = verdict({ ...good, selected: 0 });
    expect(ok).toBe(true);
    expect(summary).toBe("No problems found. No variable was selected: the data support none of them.");
  });

  test("may have a remark, which is no problem", () => {
    const { ok, summary, warnings } = verdict({ ...good, remarks: ["Mind the gap."] });
    expect({ ok, summary, warnings }).toEqual({
      ok: true,
      summary: "No problems found. Mind the gap.",
      warnings: [],
    });
  });

  test("may have selected nothing because substitutes share what the data support", () => {
    expect(verdict({ ...good, selected: 0, anyIncluded: 0.962 }).summary).toBe(
      "No problems found. No variable stands out by itself, but at least one belongs with probability 0.962: " +
        "several share the evidence.",
    );
  });

  test("but not where that was more probable before the data", () => {
    expect(verdict({ ...good, selected: 0, anyIncluded: 0.563, anyExpected: 0.776 }).summary).toBe(
      "No problems found. No variable was selected: that any belongs has become no more probable by the data " +
        "(0.776 before, 0.563 after).",
    );
  });

  test("may be exact, and then needs neither several chains nor draws", () => {
    expect(verdict({ chains: 1, exact: true, ess: 3, rhat: 2, pipError: 1 }).ok).toBe(true);
  });

  test("may leave out what its stages did not measure", () => {
    expect(verdict({ chains: 4 }).ok).toBe(true);
  });
});

describe("each problem is named with what to do", () => {
  test.each<[string, Partial<RunDiagnostics>, string]>([
    [
      "chains that nearly agree",
      { rhat: 1.034, rhatOf: "model size" },
      "The chains do not quite agree (R-hat 1.03 for model size). Run twice as many --iterations.",
    ],
    [
      "chains that do not",
      { rhat: 1.8 },
      "The chains disagree (R-hat 1.8); do not use these results. Run 4 times as many --iterations.",
    ],
    [
      "chains that are stuck",
      { rhat: Infinity },
      "The chains disagree (R-hat infinite); do not use these results. Run 4 times as many --iterations.",
    ],
    ["a single chain", { chains: 1 }, "One chain cannot show whether chains agree. Run with --chains 4."],
    [
      "few draws",
      { ess: 150, essOf: "age" },
      "There are too few independent draws for age (ESS 150). Run 3 times as many --iterations.",
    ],
    [
      "a rough inclusion probability",
      { pipError: 0.0312, pipErrorOf: "age" },
      "The inclusion probability of age is uncertain by ±0.0312. Run 10 times as many --iterations.",
    ],
    [
      "an incomplete certificate",
      { certificateComplete: false, largestOutside: { name: "z9", pip: 0.4 } },
      "Some variables may have been missed. The strongest left out is z9, with probability 0.4. " +
        "Too many variables share the evidence to compare them all: leave out columns that say the same.",
    ],
    [
      "a group for which there was no room",
      { certificateComplete: false, missedGroup: ["z1", "z2"] },
      "Some variables may have been missed. z1 and z2 belong together. " +
        "Too many variables share the evidence to compare them all: leave out columns that say the same.",
    ],
    [
      "something that is left for all variables together",
      { left: { pValue: 1e-4, share: 0.312, something: true } },
      "All variables together explain more, very roughly 31% of the rest, than those in the model " +
        "(chance would do so in 0.0001 of cases): many small effects, or a combination that was not found. " +
        "More rows would show which.",
    ],
    [
      "coefficients whose posterior is not quite normal",
      { stein: { discrepancy: 0.6, expected: 0.2, coefficients: 2 }, fixedLength: true, expanded: true },
      "The posterior of the coefficients is not quite normal (Stein discrepancy 3 times that of perfect draws), " +
        "as happens with few rows, few events or rare columns: read effects and intervals, and probabilities that are in doubt, as rough. " +
        "More rows would help, or leaving rare columns out.",
    ],
    [
      "an approximation that has failed, which more rows would not help",
      { stein: { discrepancy: 32, expected: 0.2, coefficients: 2 }, exact: true, expanded: true },
      "The normal law that stands for the posterior of the coefficients has failed (Stein discrepancy 160 times that of perfect draws); " +
        "do not use effects and intervals. Look for columns that separate the classes and for values that are far from all others: " +
        "leave them out, take logarithms, or set a smaller --slab-variance.",
    ],
    [
      "arithmetic that has failed where the posterior is known",
      { stein: { discrepancy: 0.6, expected: 0.2, coefficients: 2 }, exact: true },
      "Effects and intervals have lost their accuracy (Stein discrepancy 3 times that of perfect draws): " +
        "columns that are nearly combinations of each other, or on very different scales, are too much for the arithmetic. " +
        "Leave out columns that say the same.",
    ],
    [
      "chains of mini-batches that wander",
      { stein: { discrepancy: 0.6, expected: 0.2, coefficients: 2 } },
      "The coefficients are not quite those of the posterior (Stein discrepancy 3 times that of perfect draws): " +
        "mini-batches make chains wander too far. Leave out --preset paper, or set a smaller --step-size.",
    ],
    [
      "models that are as large as they may be",
      { sizeLimit: { size: 300, byRows: false, probability: 0.4 } },
      "Models reach the largest size allowed, 300 variables, with probability 0.4. Raise --max-size.",
    ],
    [
      "models that hold as much as the rows allow",
      { sizeLimit: { size: 4, byRows: true, probability: 0.4 } },
      "Models reach the largest size allowed, 4 variables, with probability 0.4. More would need more rows.",
    ],
    [
      "rows too few for anything",
      { sizeLimit: { size: 0, byRows: true, probability: 1 } },
      "There are too few rows to put any variable into a model. Add rows.",
    ],
    [
      "effects that the slab does not expect",
      { slabConflict: { option: "slabVariance", better: 4321 } },
      "The effects are larger than the prior expects of so little noise: the noise variance and the intervals are " +
        "overstated. Set --slab-variance to about 4000.",
    ],
    [
      "nothing left to explain",
      { slabConflict: { option: "g" } },
      "The variables explain the target completely, so the noise variance and the intervals come from the prior. " +
        "Raise --g to narrow them.",
    ],
    [
      "chains of a fixed length that disagree",
      { rhat: 1.2, fixedLength: true },
      "The chains disagree (R-hat 1.2); do not use these results. " +
        "Lower --max-size or leave out columns that say the same.",
    ],
    [
      "chains of a fixed length that disagree on single variables",
      { rhat: 1.2, apart: 0.25, fixedLength: true },
      "The chains disagree (R-hat 1.2); do not use these results. " +
        "Lower --max-size or leave out columns that say the same.",
    ],
    [
      "chains of a fixed length that disagree on the number of variables alone",
      { rhat: 1.23, apart: 0.0348, fixedLength: true },
      "The chains do not agree on how many variables belong (R-hat 1.23); on each of them they do, to ±0.0348. " +
        "Another seed (--seed 2) shows how much it matters.",
    ],
    [
      "a rough inclusion probability after chains of a fixed length",
      { pipError: 0.0312, pipErrorOf: "age", fixedLength: true },
      "The inclusion probability of age is uncertain by ±0.0312. " +
        "Another seed (--seed 2) shows how much it matters.",
    ],
    [
      "a poor approximation",
      { approximationError: 0.7 },
      "The quadratic approximation is poor (error 0.7 in the log odds of a variable). " +
        "Read inclusion probabilities between 0.1 and 0.9 as rough.",
    ],
    [
      "steps that were halved",
      { halvings: 2 },
      "The step size was too large and was halved 2 times. Set a smaller --step-size to save the lost time.",
    ],
    [
      "steps that never settled",
      { halvings: 9, settled: false },
      "The chain blew up at every step size tried; do not use these results. Set a smaller --step-size.",
    ],
    ["too little time", { outOfTime: true }, "Time ran out: this is the best found so far. Raise --seconds."],
  ])("%s", (_, change, warning) => {
    const result = verdict({ ...good, ...change });
    expect(result).toEqual({ ok: false, summary: `One problem found. ${warning}`, warnings: [warning] });
  });
});

describe("opposite answers of search and polish", () => {
  const searchPolishAgreement = { name: "z3", search: 0.05, polish: 0.99 };

  test("are no problem once the certificate is complete", () => {
    expect(verdict({ ...good, searchPolishAgreement }).ok).toBe(true);
  });

  test("are one when it is not", () => {
    expect(verdict({ ...good, searchPolishAgreement, certificateComplete: false }).warnings).toContain(
      "Search and polish disagree about z3 (0.05 and 0.99), and the certificate does not settle it. " +
        "Raise --iterations or --batch.",
    );
  });
});

test("chains that the clock cut short need more time, not another seed", () => {
  const { warnings } = verdict({ ...good, pipError: 0.05, rhat: 1.5, fixedLength: true, outOfTime: true });
  expect(warnings).toHaveLength(2);
  for (const warning of warnings) expect(warning).toMatch(/ Raise --seconds\.$/);
});

test("chains that are too short are one problem, however it shows, with the length that would do", () => {
  const { warnings } = verdict({ ...good, rhat: 1.02, ess: 30, pipError: 0.02, iterations: 4000 });
  expect(warnings).toEqual([
    "The chains do not quite agree (R-hat 1.02). There are too few independent draws (ESS 30). " +
      "The inclusion probability is uncertain by ±0.02. Now 4,000 iterations; try --iterations 60000.",
  ]);
});

test("a run that the user stopped says so, and asks for nothing", () => {
  expect(verdict({ ...good, stopped: true }).summary).toBe(
    "One problem found. The run was stopped before its end: this is the best found so far.",
  );
});

test("what a stopped run lacks is said after that it was stopped, without advice", () => {
  const { warnings } = verdict({
    ...good,
    stopped: true,
    certificateComplete: false,
    largestOutside: { name: "x9", pip: 0.4 },
    rhat: 1.2,
    rhatOf: "x1",
  });
  expect(warnings).toEqual([
    "The run was stopped before its end: this is the best found so far.",
    "Some variables may have been missed. The strongest left out is x9, with probability 0.4.",
    "The chains disagree (R-hat 1.2 for x1); do not use these results.",
  ]);
});

test("several problems are counted, that time ran out first", () => {
  const { summary, warnings } = verdict({ ...good, certificateComplete: false, rhat: 1.5, outOfTime: true });
  expect(warnings).toHaveLength(3);
  expect(warnings[1]).toMatch(/missed/);
  expect(warnings[0]).toMatch(/Time ran out/);
  expect(summary).toBe(["3 problems found.", ...warnings].join(" "));
});

test("a number that is not one is a problem, not a pass", () => {
  expect(verdict({ ...good, rhat: NaN }).ok).toBe(false);
  expect(verdict({ ...good, ess: NaN }).ok).toBe(false);
  expect(verdict({ ...good, pipError: NaN }).ok).toBe(false);
  expect(verdict({ ...good, approximationError: NaN }).ok).toBe(false);
});

test("the thresholds are 1.01 for R-hat and 100 draws per chain", () => {
  expect(verdict({ ...good, rhat: 1.01, ess: 400 }).ok).toBe(true);
  expect(verdict({ ...good, rhat: 1.0101 }).ok).toBe(false);
  expect(verdict({ ...good, ess: 399 }).ok).toBe(false);
});
