/** log p(y | η), its slope and minus its curvature, row by row. */

import { familyNamed } from "../../families/register.js";
import type { RowsProblem } from "./problem.js";

export type RowFunctions = ReturnType<typeof rowFunctions>;

/** `noise` is σ², where the family has one. */
export function rowFunctions(
  { family: name, y, weights, rows }: Pick<RowsProblem, "family" | "y" | "weights" | "rows">,
  noise = 1,
) {
  const family = familyNamed(name);
  const { logDensity } = family.response(noise);
  const logs = new Float64Array(rows);
  const slopes = new Float64Array(rows);
  const bends = new Float64Array(rows);
  return {
    logs,
    slopes,
    bends,
    at(eta: Float64Array): void {
      for (let i = 0; i < rows; i++) {
        const weight = weights ? weights[i] : 1;
        const mean = family.inverseLink(eta[i]);
        logs[i] = weight * logDensity(y[i], eta[i]);
        slopes[i] = (weight * (y[i] - mean)) / noise;
        bends[i] = (weight * family.variance(mean)) / noise;
      }
    },
  };
}
