/** Whether rows vary about their means as the family says, given one draw of all effects: with it nothing is fitted to them. */

import { Dispersion, figure } from "../../../families/fit-check.js";
import { familyNamed } from "../../../families/register.js";
import { addEffects, addFixed, type RowsProblem, type RowsState } from "../problem.js";
import { type Looked, spreadSentences } from "./spread.js";

const REMEDY =
  ". Give every row an effect of its own: number the rows in a column and add (1 | that column) to the formula.";

export function misfitSentences(
  problem: RowsProblem,
  state: RowsState | undefined,
  columns: readonly Looked[],
): string[] {
  if (!state) return [];
  const { rows, weights, offset } = problem;
  const family = familyNamed(problem.family);
  const eta = offset?.slice() ?? new Float64Array(rows);
  addFixed(eta, problem, state.beta);
  problem.terms.forEach((term, t) => {
    addEffects(eta, 1, problem, term, state.effects[t]);
  });
  // Of one trial classes vary as much as they do, and what separates them is said of each effect.
  if (family.target.classes) return weights ? successes(problem, weights, eta) : [];
  const check = family.check?.([], REMEDY);
  if (!check) return [];
  const scaled = (values: Float64Array): Float64Array =>
    weights ? values.map((value, i) => value * Math.sqrt(weights[i])) : values;
  check.add({ count: rows, y: scaled(problem.y), eta: scaled(eta), values: () => new Float64Array(0) });
  if (!family.quadratic) return check.problems(0);
  const residuals = scaled(problem.y.map((value, i) => value - eta[i]));
  const fitted: Looked = { what: "the fitted value", values: eta, isColumn: false };
  const found = check.problems(0);
  // What a few rows do is told of them.
  return found.length > 0 ? found : spreadSentences(residuals, problem.y, [...columns, fitted]);
}

/**
 * Successes s of n trials against the binomial law, with v = np(1 − p): Σ[(s − np)² − v] has the variance
 * Σ[2v² + v(1 − 6v/n)]. Where n is 1 it says nothing.
 */
function successes(
  { family: name, y, rows }: RowsProblem,
  trials: Float64Array,
  eta: Float64Array,
): string[] {
  const family = familyNamed(name);
  const dispersion = new Dispersion();
  for (let i = 0; i < rows; i++) {
    if (trials[i] === 1) continue;
    const mean = family.inverseLink(eta[i]);
    const share = family.variance(mean);
    const variance = trials[i] * share;
    const square = (trials[i] * (y[i] - mean)) ** 2;
    const spread = 2 * variance ** 2 + variance * (1 - 6 * share);
    dispersion.add({ square, variance, excess: square - variance, spread });
  }
  const times = dispersion.times(0);
  return times === undefined
    ? []
    : [
        `Given the model the successes vary ${figure(times)} times as much as those of so many trials: intervals are too narrow by a factor of about ${figure(Math.sqrt(times))}${REMEDY}`,
      ];
}
