import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { essBulk, essMean, essQuantile, essTail } from "../../src/diagnostics/ess.js";
import { mcseMean } from "../../src/diagnostics/mcse.js";
import { rhat } from "../../src/diagnostics/rhat.js";

/** Written by test/reference/posterior.R. */
interface Reference {
  probabilities: number[];
  cases: Record<string, Answers>;
}
interface Answers {
  draws: number[][];
  rhat: number | "Infinity" | null;
  essBulk: number | null;
  essTail: number | null;
  essMean: number | null;
  mcseMean: number | null;
  essQuantile: (number | null)[];
}
const reference: Reference = JSON.parse(
  readFileSync(new URL("../reference/posterior.json", import.meta.url), "utf8"),
);

function agree(ours: number | undefined, theirs: number | string | null): void {
  if (theirs === null) expect(ours).toBeUndefined();
  else if (theirs === "Infinity") expect(ours).toBe(Infinity);
  else expect(Math.abs(ours! - Number(theirs))).toBeLessThanOrEqual(1e-6 * Math.abs(Number(theirs)));
}

describe.each(Object.entries(reference.cases))(
  "on the draws '%s', R's posterior is matched to 1e-6",
  (_, theirs) => {
    const chains = theirs.draws.map((chain) => Float64Array.from(chain));

    test("by R-hat", () => agree(rhat(chains), theirs.rhat));
    test("by bulk ESS", () => agree(essBulk(chains), theirs.essBulk));
    test("by tail ESS", () => agree(essTail(chains), theirs.essTail));
    test("by the ESS of the mean", () => agree(essMean(chains), theirs.essMean));
    test("by the MCSE of the mean", () => agree(mcseMean(chains), theirs.mcseMean));
    test.each(reference.probabilities.map((p, i) => [p, i]))("by the ESS of quantile %d", (p, i) => {
      agree(essQuantile(chains, p), theirs.essQuantile[i]);
    });
  },
);

describe("what posterior leaves open", () => {
  const chain = (...draws: number[]) => Float64Array.from(draws);

  test("draws that are not finite give undefined, not NaN", () => {
    const chains = [chain(1, 2, 3, 4, 5, 6, 7, NaN), chain(1, 2, 3, 4, 5, 6, 7, 8)];
    for (const diagnostic of [rhat, essBulk, essTail, essMean, mcseMean]) {
      expect(diagnostic(chains)).toBeUndefined();
    }
  });

  test("no chains and empty chains give undefined", () => {
    for (const diagnostic of [rhat, essBulk, essTail, essMean, mcseMean]) {
      expect(diagnostic([])).toBeUndefined();
      expect(diagnostic([new Float64Array(0)])).toBeUndefined();
      expect(diagnostic([chain(1)])).toBeUndefined();
    }
  });

  test("R-hat of as many zeros as ones is that of their location", () => {
    const apart = [chain(0, 0, 0, 0, 0, 0, 0, 1), chain(1, 1, 1, 1, 1, 1, 1, 0)];
    const together = [chain(0, 1, 0, 1, 0, 1, 0, 1), chain(1, 0, 1, 0, 1, 0, 1, 0)];
    // Half chains with means 0, 1/4, 1, 3/4 and variances 0, 1/4, 0, 1/4: B/n = 5/24, W = 1/8.
    expect(rhat(apart)).toBeCloseTo(Math.sqrt(3 / 4 + 5 / 24 / (1 / 8)), 12);
    expect(rhat(together)).toBeCloseTo(Math.sqrt(3 / 4), 12);
  });

  test("chains of unequal length are refused", () => {
    expect(() => rhat([chain(1, 2, 3, 4), chain(1, 2, 3)])).toThrow(/equal length/);
  });
});
