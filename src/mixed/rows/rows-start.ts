/** Where a chain over rows begins: no effects, and standard deviations anywhere between small and large. */

import { familyNamed } from "../../families/register.js";
import { packedSize, placeOf } from "../../math/packed.js";
import type { Rng } from "../../math/rng.js";
import { ONES, type RowsProblem, type RowsState } from "./problem.js";

const [LEAST, MOST] = [0.05, 1];

export function startOf(rng: Rng, { fixed, terms, family: name, y }: RowsProblem): RowsState {
  const family = familyNamed(name);
  const beta = new Float64Array(fixed.length);
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  const intercept = fixed.indexOf(ONES);
  if (intercept >= 0 && !family.quadratic) beta[intercept] = family.link(mean);
  return {
    beta,
    noise: 1,
    effects: terms.map(({ levels, columns }) => new Float64Array(levels * columns.length)),
    inverses: terms.map(({ columns }) => {
      const out = new Float64Array(packedSize(columns.length));
      for (let k = 0; k < columns.length; k++) {
        out[placeOf(k, k)] = (LEAST * (MOST / LEAST) ** rng.uniform()) ** -2;
      }
      return out;
    }),
  };
}
