/**
 * Log terms of rows, K for each, become the shares of their components; returns the sum of the logs of the totals, or
 * nothing where nobody asks for it.
 */
export function sharedOut(
  terms: Float64Array,
  rows: number,
  components: number,
  asked: "total" | "shares" = "total",
): number {
  let sum = 0;
  for (let at = 0; at < rows * components; at += components) {
    let top = Number.NEGATIVE_INFINITY;
    for (let k = at; k < at + components; k++) if (terms[k] > top) top = terms[k];
    let total = 0;
    for (let k = at; k < at + components; k++) {
      terms[k] = terms[k] === top ? 1 : Math.exp(terms[k] - top);
      total += terms[k];
    }
    for (let k = at; k < at + components; k++) terms[k] /= total;
    if (asked === "total") sum += top + Math.log(total);
  }
  return sum;
}

/** e^{−40} adds nothing to a total of one or more. */
const NOTHING = -40;

/** The sum of the logs of the totals alone, to the same bits. */
export function logTotals(terms: Float64Array, rows: number, components: number): number {
  let sum = 0;
  for (let at = 0; at < rows * components; at += components) {
    let top = Number.NEGATIVE_INFINITY;
    for (let k = at; k < at + components; k++) if (terms[k] > top) top = terms[k];
    let total = 0;
    for (let k = at; k < at + components; k++) {
      const below = terms[k] - top;
      if (below === 0) total += 1;
      else if (!(below < NOTHING)) total += Math.exp(below);
    }
    sum += total === 1 ? top : top + Math.log(total);
  }
  return sum;
}
