/** Which variables outside the candidates are to join them. */

import type { Verdicts } from "./certify.js";

/** One that belongs with more than this probability. */
export const JOIN = 0.002;
/**
 * Those below it may stand in for members together, however little each does: what all of them take from the candidates
 * must not exceed this, or more join.
 */
export const THIN = 0.01;

/** Outsiders that cannot be left where they are: by themselves, or because too many like them stand in for members. */
export function belonging({ pip, exchange }: Pick<Verdicts, "pip" | "exchange">): number[] {
  const clear = above(pip, JOIN);
  let thin = exchange.reduce((sum, value, j) => sum + (pip[j] > JOIN ? 0 : value), 0);
  if (thin <= THIN) return clear;
  const others = Array.from(exchange.keys())
    .filter((j) => pip[j] <= JOIN)
    .sort((a, b) => exchange[b] - exchange[a]);
  for (const j of others) {
    if (thin <= THIN) break;
    clear.push(j);
    thin -= exchange[j];
  }
  return clear;
}

/** The places of numbers that are larger: few of what may be a million. */
export function above(numbers: Float64Array, limit: number): number[] {
  const found: number[] = [];
  for (let j = 0; j < numbers.length; j++) if (numbers[j] > limit) found.push(j);
  return found;
}
