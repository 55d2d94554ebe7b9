/** What selection must come to on the paper's simulated data. */

import { expect } from "vitest";
import { type SimulationKind, trueCoefficients } from "../../src/experiments/simulated.js";
import type { FitResult } from "../../src/selection/answer/result.js";

const TRUE_NAMES = ["z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8"];

/** The true model, each effect within 6 of its posterior sds (at most `sd`) of the truth. */
export function expectTrueModel({ variables }: FitResult, kind: SimulationKind, sd: number): void {
  const selected = variables.filter((variable) => variable.selected);
  expect(selected.map(({ name }) => name).sort()).toEqual(TRUE_NAMES);
  const truth = trueCoefficients(8, kind);
  for (const { name, mean } of selected) {
    expect(Math.abs(mean - truth[Number(name.slice(1)) - 1])).toBeLessThan(6 * sd);
  }
}

/** No variable that the search holds and polish does not, or the other way round. */
export function expectSearchAgrees({ diagnostics }: FitResult): void {
  const { search, polish } = diagnostics.searchAgreement!;
  expect(Math.abs(search - polish)).toBeLessThan(0.5);
}
