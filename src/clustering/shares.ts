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
