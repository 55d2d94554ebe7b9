/** Student's distribution function above zero as a table on z = t/(1 + t), so that it has an end. */

import { logGamma } from "./special.js";
import { tabulated } from "./tabulated.js";

/** Cells of the table: between its nodes it is right to 1e-10. */
export const FOLDED_CELLS = 1024;

/** Those asked for last: degrees of freedom hardly ever change from one question to the next. */
let [known, table]: [number, Float64Array] = [Number.NaN, new Float64Array(0)];

/** Value and slope, one after the other, at each of FOLDED_CELLS + 1 nodes from z = 0 to z = 1; slopes by cell. */
export function foldedStudentT(freedom: number): Float64Array {
  if (freedom !== known) [known, table] = [freedom, made(freedom)];
  return table;
}

function made(freedom: number): Float64Array {
  const normal = freedom === Number.POSITIVE_INFINITY;
  const log = normal
    ? -0.5 * Math.log(2 * Math.PI)
    : logGamma((freedom + 1) / 2) - logGamma(freedom / 2) - 0.5 * Math.log(freedom * Math.PI);
  const density = (t: number): number =>
    Math.exp(log - (normal ? 0.5 * t * t : 0.5 * (freedom + 1) * Math.log1p((t * t) / freedom)));
  /** In z; at its end only Cauchy's law has any. */
  const folded = (z: number): number =>
    z < 1 ? density(z / (1 - z)) / (1 - z) ** 2 : freedom > 1 ? 0 : 1 / Math.PI;
  const step = 1 / FOLDED_CELLS;
  const { values, slopes } = tabulated(folded, { x: 0, below: 0.5 }, { step, down: 0, up: FOLDED_CELLS });
  // log Γ of a million keeps nine digits: the end of the table tells the rest.
  const scale = 0.5 / (values[FOLDED_CELLS] - 0.5);
  const out = new Float64Array(2 * (FOLDED_CELLS + 1));
  for (let i = 0; i <= FOLDED_CELLS; i++) {
    out[2 * i] = 0.5 + scale * (values[i] - 0.5);
    out[2 * i + 1] = scale * slopes[i];
  }
  return out;
}
