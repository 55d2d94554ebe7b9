/** Whether rows vary about their means as the family says, given one draw of all effects: with it nothing is fitted to them. */

import { familyNamed } from "../../../families/register.js";
import { addEffects, addFixed, type RowsProblem, type RowsState } from "../problem.js";

const REMEDY =
  ". Give every row an effect of its own: number the rows in a column and add (1 | that column) to the formula.";

export function misfitSentences(problem: RowsProblem, state: RowsState | undefined): string[] {
  const family = familyNamed(problem.family);
  // Classes do not vary more or less than they do, and what separates them is said of each effect.
  const check = family.target.classes ? undefined : family.check?.([], REMEDY);
  if (!check || !state) return [];
  const { rows, weights, offset } = problem;
  const eta = offset?.slice() ?? new Float64Array(rows);
  addFixed(eta, problem, state.beta);
  problem.terms.forEach((term, t) => {
    addEffects(eta, 1, problem, term, state.effects[t]);
  });
  const scaled = (values: Float64Array): Float64Array =>
    weights ? values.map((value, i) => value * Math.sqrt(weights[i])) : values;
  check.add({ count: rows, y: scaled(problem.y), eta: scaled(eta), values: () => new Float64Array(0) });
  return check.problems(0);
}
